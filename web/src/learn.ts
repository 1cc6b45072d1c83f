/* learn.ts - "learn from your mistakes": each position before a mistake of the report once more, and the question what is better.
 *
 * The best move of the report is right at once. Any other move is searched by the engine, that move alone, and is right when it
 * keeps nearly as much as the best one did. The tree of the game stays as it is.
 */
import { api, ApiError } from "./api";
import { button, fill, h } from "./dom";
import { GameStream } from "./events";
import { capital, moveNumber, NAGS, scoreCp, scoreText } from "./format";
import { squares, render, boardApi, showBoard } from "./board";
import { goTo, moverOf, nodeOf } from "./session";
import { set, state, watchIn } from "./store";
import { MARKS } from "./tree";
import type { Color, Line, ReportMove } from "./types";

const GOOD_ENOUGH_CP = 60;
const THINK_MS = 1000;

let moves: ReportMove[] = [];
let at = 0;
let color: Color = "white";
let said: { kind: "ask" | "wait" | "right" | "wrong" | "shown"; text: string } = { kind: "ask", text: "" };
let redraw: () => void = () => undefined;

export function startLearning(side: Color): void {
    moves = (state.report?.moves ?? []).filter(move => {
        const node = nodeOf(move.node);
        return move.judgement && move.best && node && moverOf(node) === side;
    });
    color = side;
    at = 0;
    if (moves.length) pose();
}

function pose(): void {
    const move = moves[at];
    const node = nodeOf(move?.node);
    if (!move || !node || node.parent === null) return stop();
    const mark = NAGS[MARKS[move.judgement ?? "mistake"]];
    said = {
        kind: "ask",
        text: `${moveNumber(node)} ${move.san}${mark} was played. Find a better move for ${capital(color)}.`,
    };
    set({ quiz: { node: node.parent, side: color, answer: uci => void judge(uci) }, orientation: color, analysing: false });
    goTo(node.parent);
    showBoard();
    redraw();
}

function stop(): void {
    const node = moves[at]?.node;
    set({ quiz: null });
    if (node !== undefined) goTo(node);
}

function answer(kind: typeof said.kind, text: string): void {
    said = { kind, text };
    if (kind !== "right" && kind !== "shown") setTimeout(render, 500); // the piece goes back
    redraw();
}

/** Searches one move at the node and returns its line. Asks only once the stream stands, and again should it break: a search that
 * ends at once would otherwise end unheard. */
async function searchOnly(id: string, node: number, uci: string): Promise<Line | undefined> {
    let best: Line | undefined;
    let stream: GameStream | null = null;
    try {
        await new Promise<void>((resolve, reject) => {
            stream = new GameStream(id, {
                game: (_, fresh) => {
                    if (fresh) api.analyse(id, { node, multipv: 1, movetime_ms: THINK_MS, moves: [uci] }).catch(reject);
                },
                info: info => {
                    if (info.node === node && info.purpose === "analysis") best = info.lines[0] ?? best;
                },
                done: done => {
                    if (done.node === node) resolve();
                },
                status: status => {
                    if (status === "gone") reject(new Error("The server no longer knows this game."));
                },
            });
        });
    } finally {
        (stream as GameStream | null)?.close();
    }
    return best;
}

/** The move as the server names it: castling by taking the own rook is the king's two steps. */
function named(uci: string): { uci: string; san: string } {
    const moves = state.look?.moves ?? [];
    const castling = uci.charAt(2) > uci.charAt(0) ? "O-O" : "O-O-O";
    return (
        moves.find(m => m.uci === uci) ?? moves.find(m => m.san.replace(/[+#]/, "") === castling) ?? { uci, san: uci }
    );
}

async function judge(tried: string): Promise<void> {
    const move = moves[at];
    const game = state.game;
    const node = nodeOf(move?.node);
    if (!move?.best || !game || !node || node.parent === null || said.kind === "wait") return render();
    const { uci, san } = named(tried);
    if (uci === move.best.uci) return answer("right", `${san} is right: the engine's own choice.`);
    if (uci === node.uci) return answer("wrong", `${san} was the move of the game. There is something better.`);
    answer("wait", `${san}: let me think …`);
    try {
        const line = await searchOnly(game.id, node.parent, uci);
        const why = line ? ` (${scoreText(line.score)}${line.san[1] ? `, because of ${line.san[1]}` : ""})` : "";
        const sign = color === "white" ? 1 : -1;
        const best = move.best.score ? sign * scoreCp(move.best.score) : sign * scoreCp(move.score) + move.loss;
        if (line && sign * scoreCp(line.score) >= best - GOOD_ENOUGH_CP)
            answer("right", `${san} is good too (${scoreText(line.score)}). The engine's choice was ${move.best.san}.`);
        else answer("wrong", `${san} is not it${why}. Try again.`);
    } catch (error) {
        answer("wrong", error instanceof ApiError ? error.message : String(error));
    }
}

function solve(): void {
    const move = moves[at];
    if (!move?.best) return;
    answer("shown", `${move.best.san} was better: ${move.best.line.slice(0, 8).join(" ")}`);
    const [orig, dest] = squares(move.best.uci);
    boardApi().setAutoShapes([{ orig, dest, brush: "best" }]);
}

export function buildLearn(): HTMLElement {
    const text = h("p.say", { role: "status", "aria-live": "polite" });
    const place = h("span.muted");
    const show = button("hint", "Show it", solve);
    const next = button(
        "next",
        "Next",
        () => {
            at++;
            if (at < moves.length) pose();
            else {
                at = moves.length - 1;
                stop();
            }
        },
        { kind: "primary" },
    );
    const card = h(
        "div.card.learn",
        null,
        h("h2", null, "Learn from your mistakes"),
        place,
        text,
        h("div.row", null, show, next, button("close", "Stop", stop)),
    );
    redraw = () => {
        text.className = `say ${said.kind}`;
        fill(text, said.text);
        fill(place, `${at + 1} of ${moves.length}`);
        show.hidden = said.kind === "right" || said.kind === "shown";
        next.hidden = at + 1 === moves.length && !show.hidden; // nothing to skip to
        (next.lastChild as HTMLElement).textContent = at + 1 < moves.length ? (show.hidden ? "Next" : "Skip") : "Done";
    };
    watchIn(["report"], ["quiz"], () => {
        card.hidden = !state.quiz;
        if (state.quiz) redraw();
    });
    watchIn(["play", "analyse", "inside", "games"], ["quiz"], () => state.quiz && set({ quiz: null }));
    return card;
}
