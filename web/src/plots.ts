/* plots.ts - the per-iteration figures of the running search as live plots: nodes, quiescence, cutoffs, hash. */
import uPlot from "uplot";
import { css } from "./graph";
import { fill, h } from "./dom";
import { count, percent } from "./format";
import { state, watchIn } from "./store";
import type { Iteration } from "./types";

const HEIGHT = 150;

interface Curve {
    label: string;
    color: string; // a CSS variable
    value: (i: Iteration) => number | null;
}

interface Plot {
    title: string;
    log?: boolean;
    curves: Curve[];
}

const PLOTS: Plot[] = [
    {
        title: "Nodes of each iteration",
        log: true,
        curves: [
            { label: "all", color: "--c1", value: i => i.nodes || null },
            { label: "quiescence", color: "--c2", value: i => i.qnodes || null },
        ],
    },
    {
        title: "Shares, in per cent",
        curves: [
            { label: "cut by the first move", color: "--c1", value: i => 100 * i.cutoffs_first },
            { label: "quiescence", color: "--c2", value: i => (i.nodes ? (100 * i.qnodes) / i.nodes : null) },
            { label: "found in the hash table", color: "--c3", value: i => 100 * i.tt_hits },
            { label: "hash table full", color: "--c4", value: i => i.hashfull / 10 },
        ],
    },
];

function optionsOf(plot: Plot, width: number): uPlot.Options {
    const axis = {
        stroke: () => css("--muted"),
        grid: { stroke: () => css("--line"), width: 1 },
        ticks: { show: false },
        font: "11px system-ui",
        size: 46,
    };
    return {
        width,
        height: HEIGHT,
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false },
        scales: { x: { time: false }, y: plot.log ? { distr: 3 } : { range: [0, 100] } },
        axes: [
            { ...axis, size: 26, values: (_, splits) => splits.map(s => (Number.isInteger(s) ? String(s) : "")) },
            {
                ...axis,
                values: (_, splits) =>
                    splits.map(s => (s === null ? "" : plot.log ? (Math.log10(s) % 1 === 0 ? count(s) : "") : String(s))),
            },
        ],
        series: [
            {},
            ...plot.curves.map(curve => ({ stroke: () => css(curve.color), width: 2, points: { show: true, size: 5 } })),
        ],
    };
}

/** Cutoffs by the number of the move that caused them: plain bars, the last iteration. */
function bars(iteration: Iteration | undefined): Node[] {
    const values = iteration?.cutoffs_by_move ?? [];
    const sum = values.reduce((a, b) => a + b, 0) || 1;
    return values
        .slice(0, 12)
        .map((value, i) =>
            h(
                "div.bar",
                { title: `move ${i + 1}: ${percent(value / sum, 1)}` },
                h("span.fill", { style: `height:${Math.max(1, (100 * value) / Math.max(...values, 1))}%` }),
                h("span.label", null, i + 1),
                h("span.value", null, percent(value / sum)),
            ),
        );
}

function summary(last: Iteration): string {
    const growth = last.branching === null ? "" : `, ${last.branching.toFixed(2)} times the depth before`;
    return `Depth ${last.depth}: ${count(last.nodes)} nodes${growth}; the hash table is ${percent(last.hashfull / 1000)} full.`;
}

export function buildPlots(): HTMLElement {
    const empty = h("p.empty", null, "Switch the engine on: every finished depth adds a point.");
    const boxes = PLOTS.map(plot => ({
        plot,
        box: h("div.plot", { role: "img", "aria-label": plot.title }),
        chart: null as uPlot | null,
    }));
    const cuts = h("div.bars", { role: "img", "aria-label": "Cutoffs by the number of the move" });
    const branching = h("p.muted");
    const body = h(
        "div.plots",
        null,
        ...boxes.map(({ plot, box }) =>
            h(
                "figure",
                null,
                h(
                    "figcaption",
                    null,
                    plot.title,
                    h(
                        "span.keys",
                        null,
                        ...plot.curves.map(c => h("span", null, h("i", { style: `background:var(${c.color})` }), c.label)),
                    ),
                ),
                box,
            ),
        ),
        h("figure", null, h("figcaption", null, "Which move caused the cutoff"), cuts, branching),
    );
    const draw = () => {
        const points = state.iterations.filter(i => i.node === state.node);
        const known = points.length > 0;
        empty.hidden = known;
        body.hidden = !known;
        if (!known) return;
        for (const entry of boxes) {
            const data = [
                points.map(i => i.depth),
                ...entry.plot.curves.map(curve => points.map(curve.value)),
            ] as uPlot.AlignedData;
            if (!entry.box.clientWidth) continue;
            entry.chart ??= new uPlot(optionsOf(entry.plot, entry.box.clientWidth), data, entry.box);
            entry.chart.setData(data);
        }
        const last = points[points.length - 1];
        fill(cuts, ...bars(last));
        fill(branching, last ? summary(last) : "");
    };
    watchIn(["inside"], ["iterations", "node"], () => requestAnimationFrame(draw));
    watchIn(["inside"], ["prefs"], () => boxes.forEach(({ chart }) => chart?.redraw()));
    new ResizeObserver(() =>
        boxes.forEach(({ chart, box }) => chart && box.clientWidth && chart.setSize({ width: box.clientWidth, height: HEIGHT })),
    ).observe(body);
    return h("div", null, empty, body);
}
