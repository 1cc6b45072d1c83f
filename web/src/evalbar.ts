/* evalbar.ts - the bar beside the board: White's share of the game, as the engine sees it. */
import { first } from "./api";
import { h } from "./dom";
import { scoreShare, scoreText } from "./format";
import { nodeOf } from "./session";
import { state, watch } from "./store";
import type { Score } from "./types";

/** What is known about the node on the board: the running search, else what an earlier one left. */
export function scoreHere(): Score | null {
    const lines = state.lines;
    if (lines && lines.node === state.node && !lines.threat) {
        const best = first(lines.lines);
        if (best) return best.score;
    }
    const end = state.game && state.node === state.game.current ? state.game : null;
    if (end?.end === "checkmate") return { mate: end.result === "1-0" ? 0.1 : -0.1 };
    return nodeOf(state.node)?.eval ?? state.report?.moves.find(m => m.node === state.node)?.score ?? null;
}

export function buildEvalBar(): HTMLElement {
    const white = h("div.share");
    const number = h("span.number");
    const bar = h(
        "div.evalbar",
        { role: "meter", "aria-label": "Evaluation", "aria-valuemin": 0, "aria-valuemax": 100 },
        white,
        number,
    );
    watch(["lines", "node", "game", "orientation", "view", "report", "analysing"], () => {
        const score = scoreHere();
        const shown = state.view !== "play" && state.view !== "games" && !state.quiz;
        bar.classList.toggle("off", !shown);
        const share = score ? scoreShare(score) : 0.5;
        white.style.setProperty("--share", `${100 * share}%`);
        bar.classList.toggle("flipped", state.orientation === "black");
        const text = !score
            ? ""
            : "mate" in score
              ? Math.abs(score.mate) < 1
                  ? "#"
                  : `#${Math.abs(score.mate)}`
              : (Math.abs(score.cp) / 100).toFixed(1);
        number.textContent = text;
        number.classList.toggle("for-black", share < 0.5);
        bar.setAttribute("aria-valuenow", String(Math.round(100 * share)));
        bar.setAttribute("aria-valuetext", score ? scoreText(score) : "unknown");
    });
    return bar;
}
