/* batch.ts - reports of many games in one go: one after the other, with progress and a table that grows. */
import { api, ApiError } from "./api";
import { attempt, button, fill, h, toast } from "./dom";
import { GameStream } from "./events";
import { effortNow } from "./report";
import { state, watchIn } from "./store";
import type { GameSummary, Report } from "./types";

const MOST_AT_ONCE = 200;

/** Judges one game; resolves with its report. `progress` hears how far it is. */
function judge(id: string, progress: (share: number) => void): Promise<Report> {
    return new Promise((resolve, reject) => {
        const stream = new GameStream(id, {
            progress: ({ done, total }) => progress(done / Math.max(1, total)),
            report: report => {
                stream.close();
                resolve(report);
            },
            failed: ({ text }) => {
                stream.close();
                reject(new Error(text));
            },
            status: status => {
                if (status === "gone") reject(new ApiError("no_game", "The game is no longer there.", 404));
                if (status === "open" && !begun) {
                    begun = true;
                    api.startReport(id, effortNow()).catch(error => {
                        stream.close();
                        reject(error);
                    });
                }
            },
        });
        let begun = false;
    });
}

const cell = (value: number | null | undefined, digits: number) =>
    h("td", null, value === null || value === undefined ? "–" : value.toFixed(digits));

function row(game: GameSummary, report: Report): HTMLElement {
    return h(
        "tr",
        null,
        h("th", { scope: "row" }, h("a", { href: `#/report/${game.id}` }, `${game.white} – ${game.black}`)),
        h("td", null, game.result.replace("1/2-1/2", "½–½")),
        cell(report.white.accuracy, 1),
        cell(report.black.accuracy, 1),
        cell(report.white.loss, 0),
        cell(report.black.loss, 0),
        h("td", null, `${report.white.blunders} · ${report.black.blunders}`),
    );
}

export function buildBatch(): HTMLElement {
    const list = h("div.pick", { tabindex: 0, role: "group", "aria-label": "Games to judge" });
    const bar = h("progress", { max: 1, value: 0, "aria-label": "Progress over all games" });
    const said = h("span", { role: "status" });
    const rows = h("tbody");
    const table = h(
        "table.batch",
        { hidden: true },
        h(
            "thead",
            null,
            h(
                "tr",
                null,
                ...["Game", "", "Accuracy White", "Black", "Loss White", "Black", "Blunders"].map(t =>
                    h("th", { scope: "col" }, t),
                ),
            ),
        ),
        rows,
    );
    const scroller = h("div.scroll", { tabindex: 0, role: "group", "aria-label": "Reports" }, table);
    let games: GameSummary[] = [];
    let running = false;
    const chosen = () =>
        [...list.querySelectorAll<HTMLInputElement>("input:checked")]
            .map(box => games.find(g => g.id === box.value))
            .filter((g): g is GameSummary => !!g);
    const run = async () => {
        const work = chosen().slice(0, MOST_AT_ONCE);
        if (!work.length) return toast("Choose some games first.");
        running = true;
        adapt();
        table.hidden = false;
        fill(rows);
        for (const [i, game] of work.entries()) {
            if (!running) break;
            said.textContent = `Game ${i + 1} of ${work.length}: ${game.white} – ${game.black}`;
            try {
                rows.append(row(game, await judge(game.id, share => (bar.value = (i + share) / work.length))));
            } catch (error) {
                rows.append(
                    h(
                        "tr",
                        null,
                        h("th", { scope: "row" }, `${game.white} – ${game.black}`),
                        h("td", { colspan: 6 }, (error as Error).message),
                    ),
                );
            }
            bar.value = (i + 1) / work.length;
        }
        said.textContent = running ? `${work.length} games judged.` : "Stopped.";
        running = false;
        adapt();
    };
    const go = button("report", "Judge the chosen games", () => void run(), { kind: "primary" });
    const stop = button("close", "Stop after this game", () => (running = false));
    const all = button("", "Choose all", () => {
        const boxes = [...list.querySelectorAll<HTMLInputElement>("input")];
        const on = boxes.some(box => !box.checked);
        for (const box of boxes) box.checked = on;
    });
    const adapt = () => {
        go.hidden = all.hidden = running;
        stop.hidden = bar.hidden = !running;
    };
    const load = async () => {
        games = (await attempt(() => api.games())) ?? [];
        fill(
            list,
            ...games
                .filter(g => g.plies > 0)
                .map(g =>
                    h(
                        "label.switch",
                        null,
                        h("input", { type: "checkbox", value: g.id }),
                        h("span", null, `${g.white} – ${g.black}`, h("span.muted", null, ` ${g.date} · ${g.plies} plies`)),
                    ),
                ),
        );
        if (!list.firstChild) fill(list, h("p.empty", null, "There are no games with moves yet."));
    };
    const box = h(
        "details.section",
        { ontoggle: () => box.open && !running && void load() },
        h("summary", null, "Many games in one go"),
        list,
        h("div.row", null, go, all, stop),
        h("div.progress", null, bar, said),
        scroller,
    );
    adapt();
    watchIn(["report"], ["game"], () => state.view === "report" && box.open && !running && !list.firstChild && void load());
    return box;
}
