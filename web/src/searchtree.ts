/* searchtree.ts - a limited search of the position, recorded node by node, as a tree that one unfolds. */
import { api, ApiError } from "./api";
import { button, fill, h } from "./dom";
import { count, cpText, scoreText } from "./format";
import { nodeOf } from "./session";
import { state, watchIn } from "./store";
import type { TraceNode } from "./types";

const KINDS: Record<string, string> = {
    pv: "exact score",
    cut: "cut: too good to be allowed",
    all: "no move was good enough",
    qs: "captures only",
    null: "after a pass",
};
const MOST_CHILDREN = 60;

const SWITCHES: [string, string, boolean][] = [
    ["ordering", "order the moves", true],
    ["quiescence", "resolve captures", true],
    ["null_move", "null move", false],
];

const window_ = (node: TraceNode): string =>
    `${node.alpha === null ? "−∞" : cpText(node.alpha)} … ${node.beta === null ? "∞" : cpText(node.beta)}`;

function head(node: TraceNode): Node[] {
    return [
        h("b.mv", null, node.san ?? node.move ?? "start"),
        h("span.ev", null, scoreText(node.score)),
        h(`span.kind.${node.kind}`, { title: KINDS[node.kind] ?? "" }, node.kind),
        h(
            "span.muted",
            null,
            `depth ${node.depth} · ${window_(node)} · ${count(node.nodes)} ${node.nodes === 1 ? "node" : "nodes"}`,
        ),
    ];
}

/** Children are made when a node is opened the first time. */
function item(node: TraceNode, open: boolean): HTMLElement {
    if (!node.children?.length) return h("div.leaf", null, ...head(node));
    const inside = h("div.children");
    const grow = () => {
        if (inside.firstChild) return;
        fill(
            inside,
            ...node.children.slice(0, MOST_CHILDREN).map(child => item(child, false)),
            node.children.length > MOST_CHILDREN ? h("p.muted", null, `and ${node.children.length - MOST_CHILDREN} more`) : null,
        );
    };
    const box = h("details", { ontoggle: () => box.open && grow() }, h("summary", null, ...head(node)), inside);
    if (open) {
        grow();
        box.open = true;
    }
    return box;
}

export function buildSearchTree(): HTMLElement {
    const depth = h(
        "select",
        { "aria-label": "Depth" },
        ...[1, 2, 3, 4].map(d => h("option", { value: d, selected: d === 3 }, `depth ${d}`)),
    );
    const switches = SWITCHES.map(([name, , on]) => [name, h("input", { type: "checkbox", checked: on })] as const);
    const tree = h("div.searchtree", { tabindex: 0, role: "group", "aria-label": "Tree of the search" });
    const note = h("p.muted");
    let of = "";
    const grow = async () => {
        const fen = nodeOf(state.node)?.fen;
        if (!fen) return;
        of = fen;
        fill(note, "Searching …");
        try {
            const options = Object.fromEntries(switches.map(([name, input]) => [name, input.checked]));
            const trace = await api.trace(fen, Number(depth.value), options);
            fill(tree, item(trace.root, true));
            const more = trace.truncated ? " Only the top of the tree is shown." : "";
            fill(note, `${count(trace.root.nodes)} nodes at depth ${trace.depth}.${more}`);
        } catch (error) {
            fill(note, error instanceof ApiError ? error.message : String(error));
        }
    };
    const legend = h(
        "dl.legend",
        null,
        ...Object.entries(KINDS).flatMap(([kind, words]) => [
            h("dt", null, h(`span.kind.${kind}`, null, kind)),
            h("dd", null, words),
        ]),
    );
    watchIn(["inside"], ["node", "game"], () => {
        if (of && nodeOf(state.node)?.fen !== of) fill(note, "The board has moved on; the tree is of an earlier position.");
        else fill(note);
    });
    return h(
        "div.growth",
        null,
        h(
            "div.row",
            null,
            depth,
            ...switches.map(([, input], i) => h("label.switch", null, input, h("span", null, SWITCHES[i]?.[1] ?? ""))),
            button("inside", "Grow the tree", () => void grow()),
        ),
        note,
        tree,
        legend,
    );
}
