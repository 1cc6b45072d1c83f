/* searchtree.ts - a limited search of the position, recorded node by node, as a tree that one unfolds. */
import { api, ApiError } from "./api";
import { button, fill, h } from "./dom";
import { optionsOf } from "./engine";
import { count, cpText, scoreText } from "./format";
import { nodeOf } from "./session";
import { state, watchIn } from "./store";
import type { TraceNode } from "./types";

const KINDS: Record<string, string> = {
    pv: "exact score", cut: "cut: too good to be allowed", all: "no move was good enough", qs: "captures only", table: "known from the hash table", null: "after a pass",
};
const MOST_CHILDREN = 60;

const value = (score: TraceNode["score"]): string => (typeof score === "number" ? cpText(score) : scoreText(score));
const bound = (n: number): string => (n <= -30000 ? "−∞" : n >= 30000 ? "∞" : cpText(n));

function head(node: TraceNode): Node[] {
    return [h("b.mv", null, node.san ?? node.move ?? "start"), h("span.ev", null, value(node.score)), h(`span.kind.${node.kind}`, { title: KINDS[node.kind] ?? "" }, node.kind),
        h("span.muted", null, `depth ${node.depth} · (${bound(node.alpha)}, ${bound(node.beta)}) · ${count(node.nodes)} nodes`)];
}

/** Children are made when a node is opened the first time. */
function item(node: TraceNode, open: boolean): HTMLElement {
    if (!node.children?.length) return h("div.leaf", null, ...head(node));
    const inside = h("div.children");
    const grow = () => {
        if (inside.firstChild) return;
        fill(inside, ...node.children.slice(0, MOST_CHILDREN).map(child => item(child, false)),
            node.children.length > MOST_CHILDREN ? h("p.muted", null, `and ${node.children.length - MOST_CHILDREN} more`) : null);
    };
    const box = h("details", { ontoggle: () => box.open && grow() }, h("summary", null, ...head(node)), inside);
    if (open) {
        grow();
        box.open = true;
    }
    return box;
}

export function buildSearchTree(): HTMLElement {
    const depth = h("select", { "aria-label": "Depth" }, ...[1, 2, 3, 4].map(d => h("option", { value: d, selected: d === 3 }, `depth ${d}`)));
    const tree = h("div.searchtree");
    const note = h("p.muted");
    let of = "";
    const grow = async () => {
        const fen = nodeOf(state.node)?.fen;
        if (!fen) return;
        of = fen;
        fill(note, "Searching …");
        try {
            const trace = await api.trace(fen, Number(depth.value), optionsOf(state.prefs.engine));
            fill(tree, item(trace.root, true));
            fill(note, trace.truncated ? "The tree is larger than what is shown." : "");
        } catch (error) {
            fill(note, error instanceof ApiError ? error.message : String(error));
        }
    };
    const legend = h("dl.legend", null, ...Object.entries(KINDS).flatMap(([kind, words]) => [h("dt", null, h(`span.kind.${kind}`, null, kind)), h("dd", null, words)]));
    watchIn(["inside"], ["node", "game"], () => {
        if (of && nodeOf(state.node)?.fen !== of) fill(note, "The board has moved on; the tree is of an earlier position.");
        else fill(note);
    });
    return h("div", null, h("div.row", null, depth, button("inside", "Grow the tree", () => void grow())), note, tree, legend);
}
