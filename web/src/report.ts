/* report.ts - the Report view: the whole game judged, move by move; each verdict leads to its position. */
import { api } from "./api";
import { attempt, button, fill, h, segmented } from "./dom";
import { buildBatch } from "./batch";
import { showBoard } from "./board";
import { buildGraph } from "./graph";
import { capital, moveNumber, NAGS, scoreText, sideName } from "./format";
import { buildLearn, startLearning } from "./learn";
import { goTo, moverOf, nodeOf, playLine } from "./session";
import { set, state, watchIn } from "./store";
import { buildTree, MARKS } from "./tree";
import { buildWalk } from "./entry";
import type { Color, Phase, Report, ReportMove, SideReport } from "./types";

export const EFFORTS: Record<string, { label: string; order: { movetime_ms: number } }> = {
    quick: { label: "Quick", order: { movetime_ms: 100 } },
    normal: { label: "Normal", order: { movetime_ms: 500 } },
    deep: { label: "Deep", order: { movetime_ms: 2000 } },
};
const PHASES: Phase[] = ["opening", "middlegame", "endgame"];
let effort = "quick";

const number = (value: number | null | undefined, digits = 0): string =>
    value === null || value === undefined ? "–" : value.toFixed(digits);

export function effortBar(name: string): HTMLElement {
    return segmented(
        name,
        "Time for each move",
        Object.entries(EFFORTS).map(
            ([key, { label, order }]) => [key, `${label} · ${order.movetime_ms / 1000} s`] as [string, string],
        ),
        effort,
        value => (effort = value),
    );
}
export const effortNow = () => (EFFORTS[effort] ?? EFFORTS["quick"])!.order;

async function start(): Promise<void> {
    const game = state.game;
    if (!game) return;
    set({ progress: { done: 0, total: Math.max(1, game.nodes.length - 1) } });
    const ok = await attempt(() => api.startReport(game.id, effortNow()));
    if (!ok) set({ progress: null });
}

function ring(accuracy: number | null): HTMLElement {
    const value = accuracy ?? 0;
    const box = h("div.ring", { style: `--value:${value}` }, h("b", null, number(accuracy, 1)), h("span", null, "accuracy"));
    return box;
}

function sideCard(color: Color, side: SideReport): HTMLElement {
    const game = state.game;
    const name = game
        ? sideName({ ...game[color], name: game[color].name || game.headers[capital(color)] || "" }, state.about)
        : "";
    const mistakes = side.inaccuracies + side.mistakes + side.blunders;
    const row = (sign: string, kind: string, label: string, n: number) =>
        h("li", { class: kind }, h("b", null, n), h("span.sign", { "aria-hidden": "true" }, sign), ` ${label}`);
    return h(
        `div.side.${color}`,
        null,
        h("h3", null, h("span.dot"), name || capital(color)),
        ring(side.accuracy),
        h("p.loss", null, "average loss ", h("b", null, number(side.loss)), " centipawns"),
        h(
            "ul.counts",
            null,
            row("?!", "inaccuracy", "inaccuracies", side.inaccuracies),
            row("?", "mistake", "mistakes", side.mistakes),
            row("??", "blunder", "blunders", side.blunders),
        ),
        mistakes
            ? button("hint", "Learn from these", () => startLearning(color))
            : h("p.empty", null, "Nothing to learn from here."),
    );
}

function phases(report: Report): HTMLElement {
    const cell = (side: SideReport, phase: Phase) => {
        const p = side.phases?.[phase];
        return [h("td", null, number(p?.accuracy, 1)), h("td.muted", null, number(p?.loss))];
    };
    return h(
        "table.phases",
        null,
        h("caption", null, "By phase: accuracy and average loss"),
        h(
            "thead",
            null,
            h(
                "tr",
                null,
                h("td"),
                h("th", { scope: "col", colspan: 2 }, "White"),
                h("th", { scope: "col", colspan: 2 }, "Black"),
            ),
        ),
        h(
            "tbody",
            null,
            ...PHASES.map(phase =>
                h(
                    "tr",
                    null,
                    h("th", { scope: "row" }, capital(phase)),
                    ...cell(report.white, phase),
                    ...cell(report.black, phase),
                ),
            ),
        ),
    );
}

function verdict(move: ReportMove): HTMLElement | null {
    const node = nodeOf(move.node);
    if (!node || !move.judgement) return null;
    const parent = nodeOf(node.parent);
    const sign = NAGS[MARKS[move.judgement]] ?? "";
    const lost =
        move.loss >= 1000 ? "loses the game" : move.loss < 5 ? "shortens the end" : `loses ${(move.loss / 100).toFixed(1)} pawns`;
    return h(
        "li",
        { class: `verdict ${move.judgement}` },
        h(
            "button",
            {
                type: "button",
                onclick: () => {
                    goTo(move.node);
                    showBoard();
                },
            },
            h("span.dot", { class: `dot ${moverOf(node)}` }),
            h("b", null, `${moveNumber(node)} ${move.san}`),
            h("span.nag", null, sign),
            h("span.ev", null, scoreText(move.score)),
            h("span.lost", null, lost),
        ),
        move.best && parent
            ? h(
                  "p",
                  null,
                  "Better was ",
                  h(
                      "button.mv",
                      { type: "button", title: "Show this line", onclick: () => void showBetter(move) },
                      move.best.san,
                  ),
                  h("span.rest", null, ` ${move.best.line.slice(move.best.line[0] === move.best.san ? 1 : 0, 7).join(" ")}`),
              )
            : null,
    );
}

/** The better line becomes a variation, shown from its first move. */
async function showBetter(move: ReportMove): Promise<void> {
    const parent = nodeOf(move.node)?.parent;
    if (parent === null || parent === undefined || !move.best) return;
    const line = move.best.line[0] === move.best.san ? move.best.line : [move.best.san, ...move.best.line];
    await playLine(parent, line.slice(0, 6));
    const first = nodeOf(parent)
        ?.children.map(nodeOf)
        .find(node => node?.san === line[0]);
    if (first) goTo(first.id);
    showBoard();
}

function result(report: Report): Node[] {
    const verdicts = report.moves.map(verdict).filter((v): v is HTMLElement => v !== null);
    return [
        h("div.sides", null, sideCard("white", report.white), sideCard("black", report.black)),
        phases(report),
        h("h3", null, "Where it turned"),
        verdicts.length
            ? h("ul.verdicts", { tabindex: 0, "aria-label": "Mistakes" }, ...verdicts)
            : h("p.empty", null, "No inaccuracies: a clean game."),
    ];
}

export function buildReport(): HTMLElement {
    const body = h("div.report-body");
    const bar = h("progress", { "aria-label": "Progress of the report" });
    const said = h("span");
    const progress = h("div.progress", { role: "status" }, bar, said);
    const begin = button("report", "Judge this game", () => void start(), { kind: "primary" });
    const startCard = h("div.card.start", null, h("h2", null, "Game report"), effortBar("effort"), begin, progress);
    const none = h("p.empty", null, "Open a game with some moves first: from Games, or the one you just played.");
    const learn = buildLearn();
    const graph = buildGraph("report");
    const moves = h("div.card.movecard", null, buildTree("report"), buildWalk());
    const batch = buildBatch();
    watchIn(["report"], ["game", "report", "progress", "about", "quiz"], () => {
        const game = state.game;
        const moves_ = (game?.nodes.length ?? 0) > 1;
        const report = game && state.report?.game === game.id ? state.report : null;
        none.hidden = moves_;
        startCard.hidden = !moves_;
        progress.hidden = !state.progress;
        begin.disabled = !!state.progress;
        (begin.lastChild as HTMLElement).textContent = report ? "Judge it again" : "Judge this game";
        if (state.progress) {
            bar.max = state.progress.total;
            bar.value = state.progress.done;
            said.textContent = `${state.progress.done} of ${state.progress.total} moves`;
        }
        graph.hidden = moves.hidden = !moves_ || !!state.quiz;
        body.hidden = !report || !!state.quiz;
        startCard.classList.toggle("small", !!report);
        startCard.hidden ||= !!state.quiz;
        batch.hidden = !!state.quiz;
        fill(body, ...(report ? result(report) : []));
    });
    return h("section.view", { "aria-label": "Report" }, none, learn, startCard, graph, body, moves, batch);
}
