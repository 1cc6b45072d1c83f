/* arrows.ts - what the engine would like to say on the board: best lines, a threat, a hint, as arrows. */
import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key } from "@lichess-org/chessground/types";
import { scoreCp } from "./format";
import { state } from "./store";

const brush = (key: string, color: string, opacity: number, lineWidth: number) => ({ key, color, opacity, lineWidth });

export const BRUSHES = {
    green: brush("g", "#2c7a6b", 0.9, 10),
    red: brush("r", "#b4432f", 0.9, 10),
    blue: brush("b", "#2f5f9e", 0.9, 10),
    yellow: brush("y", "#c48a1b", 0.9, 10),
    best: brush("best", "#1f6f66", 0.85, 11),
    good: brush("good", "#1f6f66", 0.45, 8),
    fair: brush("fair", "#5a6f7a", 0.35, 6),
    threat: brush("threat", "#b4432f", 0.8, 10),
    hint: brush("hint", "#c48a1b", 0.95, 11),
};

const arrow = (uci: string, name: keyof typeof BRUSHES): DrawShape => ({
    orig: uci.slice(0, 2) as Key,
    dest: uci.slice(2, 4) as Key,
    brush: name,
});

/** The arrows for the node on the board. Lines that are far worse than the best get none. */
export function arrows(): DrawShape[] {
    const shapes: DrawShape[] = [];
    if (state.hint && state.hint.node === state.node) shapes.push(arrow(state.hint.uci, "hint"));
    const shown = state.lines;
    const wanted = state.prefs.arrows && (state.view === "analyse" || state.view === "inside") && !state.quiz;
    if (!wanted || !shown || shown.node !== state.node) return shapes;
    const best = shown.lines.find(line => line.multipv === 1);
    for (const line of [...shown.lines].reverse()) {
        if (!line.uci[0] || !best) continue;
        const behind = Math.abs(scoreCp(best.score) - scoreCp(line.score));
        if (shown.threat) {
            if (line === best) shapes.push(arrow(line.uci[0], "threat"));
        } else if (line === best || behind < 200) {
            shapes.push(arrow(line.uci[0], line === best ? "best" : behind < 40 ? "good" : "fair"));
        }
    }
    return shapes;
}
