/* graph.ts - the evaluation of the whole game as a curve (uPlot); a click goes to the move. */
import uPlot from "uplot";
import { h } from "./dom";
import { scoreCp, scoreShare, scoreText } from "./format";
import { goTo, mainLine } from "./session";
import { state, watchIn, type View } from "./store";
import type { Score, TreeNode } from "./types";

const HEIGHT = 120;

export const css = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** What is known about a node: the report's verdict first, it is the most even. */
export function knownScore(node: TreeNode): Score | null {
    const judged = state.report?.game === state.game?.id ? state.report?.moves.find(move => move.node === node.id) : undefined;
    return judged?.score ?? node.eval ?? null;
}

function options(
    width: number,
    height: number,
    click: (index: number) => void,
    mark: () => number,
    nodes: () => TreeNode[],
): uPlot.Options {
    const white = () => css("--graph-white"),
        line = () => css("--accent");
    return {
        width,
        height,
        legend: { show: false },
        padding: [4, 0, 0, 0],
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
        scales: {
            x: {
                time: false,
                range: (u, _, most) => [
                    Math.max(
                        0,
                        (u.data[1] ?? []).findIndex(v => v !== null),
                    ),
                    most,
                ],
            },
            y: { range: [0, 1] },
        },
        axes: [{ show: false }, { show: false }],
        series: [{}, { stroke: line, width: 1.5, fill: white, fillTo: 0, points: { show: false }, spanGaps: true }],
        hooks: {
            drawClear: [
                u => {
                    u.ctx.save(); // uPlot remembers the styles it set and would trust them
                    u.ctx.fillStyle = css("--graph-black");
                    u.ctx.fillRect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
                    u.ctx.restore();
                },
            ],
            draw: [
                u => {
                    const dots: Record<string, string> = {
                        inaccuracy: css("--dubious"),
                        mistake: css("--bad"),
                        blunder: css("--awful"),
                    };
                    const { ctx, bbox } = u;
                    const middle = u.valToPos(0.5, "y", true);
                    ctx.save();
                    ctx.strokeStyle = css("--line-strong");
                    ctx.lineWidth = 1;
                    ctx.beginPath();
                    ctx.moveTo(bbox.left, middle);
                    ctx.lineTo(bbox.left + bbox.width, middle);
                    const at = mark();
                    if (at >= 0) {
                        const x = u.valToPos(at, "x", true);
                        ctx.moveTo(x, bbox.top);
                        ctx.lineTo(x, bbox.top + bbox.height);
                    }
                    ctx.stroke();
                    const line = nodes();
                    for (const move of state.report?.game === state.game?.id ? (state.report?.moves ?? []) : []) {
                        const index = line.findIndex(node => node.id === move.node);
                        if (!move.judgement || index < 0) continue;
                        ctx.fillStyle = dots[move.judgement] ?? "";
                        ctx.beginPath();
                        ctx.arc(
                            u.valToPos(index, "x", true),
                            u.valToPos(scoreShare(move.score), "y", true),
                            3.5 * devicePixelRatio,
                            0,
                            7,
                        );
                        ctx.fill();
                    }
                    ctx.restore();
                },
            ],
            ready: [u => u.over.addEventListener("click", () => typeof u.cursor.idx === "number" && click(u.cursor.idx))],
        },
    };
}

/** One sentence about the curve, for those who do not see it. */
function words(line: TreeNode[]): string {
    const known = line.filter(node => knownScore(node));
    if (!known.length) return "No evaluation of this game yet.";
    const at = (node: TreeNode) => scoreText(knownScore(node) as Score);
    const best = known.reduce((a, b) => (scoreCp(knownScore(b) as Score) > scoreCp(knownScore(a) as Score) ? b : a));
    const worst = known.reduce((a, b) => (scoreCp(knownScore(b) as Score) < scoreCp(knownScore(a) as Score) ? b : a));
    return `Evaluation over the game: from ${at(worst)} to ${at(best)}, last ${at(known[known.length - 1] as TreeNode)}.`;
}

export function buildGraph(view: View): HTMLElement {
    const box = h("div.graph", { role: "img", "aria-label": "Evaluation of the game" });
    const empty = h(
        "p.empty",
        null,
        view === "report" ? "" : "The graph fills as moves are analysed; the report does all of them.",
    );
    const holder = h("div", null, box, empty);
    let plot: uPlot | null = null;
    let line: TreeNode[] = [];
    const draw = () => {
        line = mainLine();
        const values = line.map(node => {
            const score = knownScore(node);
            return score ? scoreShare(score) : null;
        });
        const known = values.filter(v => v !== null).length > 1;
        box.hidden = !known;
        empty.hidden = known;
        if (!known || box.clientWidth === 0) return;
        box.setAttribute("aria-label", words(line));
        const data: uPlot.AlignedData = [line.map((_, i) => i), values];
        plot ??= new uPlot(
            options(
                box.clientWidth,
                HEIGHT,
                i => line[i] && goTo(line[i].id),
                () => line.findIndex(node => node.id === state.node),
                () => line,
            ),
            data,
            box,
        );
        plot.setData(data);
    };
    watchIn([view], ["game", "node", "report"], () => requestAnimationFrame(draw));
    watchIn([view], ["prefs"], () => plot?.redraw());
    new ResizeObserver(() => plot && box.clientWidth && plot.setSize({ width: box.clientWidth, height: HEIGHT })).observe(holder);
    return holder;
}
