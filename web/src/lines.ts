/* lines.ts - the engine's lines as text: score, chances, moves one can click, and how far the search has come. */
import { first } from "./api";
import { fill, h } from "./dom";
import { count, duration, percent, scoreText, turnOf } from "./format";
import { nodeOf, playLine } from "./session";
import { state, watchIn } from "./store";
import type { Line, Wdl } from "./types";

/** Win, draw and loss as one bar of three parts. */
export function wdlBar(wdl: Wdl): HTMLElement {
    const [win, draw, loss] = wdl.map(n => n / 10) as Wdl;
    const words = `White wins ${win.toFixed(0)} %, draw ${draw.toFixed(0)} %, Black wins ${loss.toFixed(0)} %`;
    return h(
        "span.wdl",
        { role: "img", "aria-label": words, title: words },
        ...(
            [
                ["w", win],
                ["d", draw],
                ["l", loss],
            ] as const
        ).map(([name, share]) => h(`span.${name}`, { style: `flex-grow:${share}` })),
    );
}

function moves(line: Line, fen: string, threat: boolean): Node[] {
    let white = (turnOf(fen) === "white") !== threat;
    let number = Number(fen.split(" ")[5] ?? 1);
    return line.san.slice(0, 16).flatMap((san, i) => {
        const label = white ? `${number}.` : i === 0 ? `${number}…` : "";
        if (!white) number++;
        white = !white;
        return [
            label ? h("span.num", null, label) : "",
            threat
                ? h("span.mv", null, san)
                : h(
                      "button.mv",
                      {
                          type: "button",
                          tabindex: i === 0 ? 0 : -1,
                          "data-step": i,
                          title: i === 0 ? "Play this move" : "Play the line up to here",
                      },
                      san,
                  ),
            " ",
        ].filter(n => n !== "") as Node[];
    });
}

function row(line: Line, fen: string, threat: boolean): HTMLElement {
    const leads = "mate" in line.score ? line.score.mate > 0 : line.score.cp >= 0;
    const bound = line.bound === "lower" ? "≥" : line.bound === "upper" ? "≤" : "";
    return h(
        "div.line",
        { "data-line": line.multipv },
        h(`span.score.${leads ? "white" : "black"}`, null, `${bound}${scoreText(line.score)}`),
        h("span.pv", null, ...moves(line, fen, threat)),
    );
}

function stats(line: Line): HTMLElement {
    const item = (name: string, value: string) => h("span", null, h("span.key", null, name), h("b", null, value));
    return h(
        "div.stats",
        null,
        item("Depth", `${line.depth}/${line.seldepth}`),
        item("Nodes", count(line.nodes)),
        item("Speed", `${count(line.nps)}/s`),
        item("Hash", percent(line.hashfull / 1000)),
        item("Time", duration(line.time_ms)),
        line.tbhits ? item("Tables", count(line.tbhits)) : null,
    );
}

export function buildLines(): HTMLElement {
    const box = h("div.lines", { "aria-label": "Engine's lines", role: "group" });
    const head = h("div.lines-head");
    box.onclick = event => {
        const target = (event.target as HTMLElement).closest<HTMLElement>("[data-step]");
        const number = Number(target?.closest<HTMLElement>("[data-line]")?.dataset["line"]);
        const line = state.lines?.lines.find(l => l.multipv === number);
        if (target && line && state.lines) void playLine(state.lines.node, line.uci.slice(0, Number(target.dataset["step"]) + 1));
    };
    watchIn(["analyse", "inside"], ["lines", "node", "analysing", "look", "status", "threat"], () => {
        const shown = state.lines && state.lines.node === state.node ? state.lines : null;
        const fen = nodeOf(state.node)?.fen ?? "";
        const best = shown && first(shown.lines);
        fill(head, best ? stats(best) : null, best?.wdl && !shown?.threat ? wdlBar(best.wdl) : null);
        if (shown?.lines.length) fill(box, ...shown.lines.map(line => row(line, fen, shown.threat)));
        else if (state.look?.end) fill(box, h("p.empty", null, `The game ends here: ${state.look.end}.`));
        else if (state.analysing)
            fill(
                box,
                ...Array.from({ length: state.threat ? 1 : state.prefs.engine.multipv }, () =>
                    h("div.line.waiting", null, h("span.score", null, "…"), h("span.pv", null, "")),
                ),
            );
        else fill(box, h("p.empty", null, "The engine is off. Switch it on to see its lines."));
    });
    return h("div", null, head, box);
}
