/* tree.ts - the moves of the game: the main line in two columns, variations and comments between its rows. */
import { fill, h } from "./dom";
import { moveNumber, NAGS, NAG_WORDS, scoreText, turnOf } from "./format";
import { goTo, nodeOf } from "./session";
import { state, watchIn, type View } from "./store";
import type { Judgement, TreeNode } from "./types";

export const MARKS: Record<Judgement, number> = { inaccuracy: 6, mistake: 2, blunder: 4 };

/** The marks of a move: the annotator's, and where he was silent the report's. */
function marks(node: TreeNode): number[] {
    if (node.nags.some(nag => nag <= 6)) return node.nags;
    const judged =
        state.report?.game === state.game?.id ? state.report?.moves.find(move => move.node === node.id)?.judgement : null;
    return judged ? [MARKS[judged], ...node.nags] : node.nags;
}

function moveButton(node: TreeNode, withEval: boolean): HTMLElement {
    const nags = marks(node);
    const kind = nags.includes(4)
        ? "blunder"
        : nags.includes(2)
          ? "mistake"
          : nags.includes(6)
            ? "inaccuracy"
            : nags.includes(1) || nags.includes(3)
              ? "good"
              : "";
    return h(
        "button.mv",
        { type: "button", "data-node": node.id, tabindex: -1, class: `mv ${kind}` },
        h("span", null, node.san ?? ""),
        nags.length
            ? h(
                  "span.nag",
                  { title: nags.map(nag => NAG_WORDS[nag] ?? `$${nag}`).join(", ") },
                  nags.map(nag => NAGS[nag] ?? `$${nag}`).join(" "),
              )
            : null,
        withEval && node.eval ? h("span.ev", null, scoreText(node.eval)) : null,
    );
}

/** A variation as running text; its own variations stand in brackets. */
function inline(start: TreeNode): Node[] {
    const out: Node[] = [];
    let fresh = true;
    for (let node: TreeNode | undefined = start; node; node = nodeOf(node.children[0])) {
        if (fresh || turnOf(node.fen) === "black") out.push(h("span.num", null, moveNumber(node)));
        fresh = false;
        out.push(moveButton(node, false));
        if (node.comment) {
            out.push(h("span.comment", null, node.comment));
            fresh = true;
        }
        const parent = nodeOf(node.parent);
        if (node !== start && parent && parent.children[0] === node.id && parent.children.length > 1) {
            for (const id of parent.children.slice(1)) {
                const side = nodeOf(id);
                if (side) out.push(h("span.bracket", null, "(", ...inline(side), ")"));
            }
            fresh = true;
        }
    }
    return out;
}

function aside(node: TreeNode): HTMLElement | null {
    const others = (nodeOf(node.parent)?.children ?? [])
        .slice(1)
        .map(nodeOf)
        .filter((n): n is TreeNode => !!n);
    if (!node.comment && others.length === 0) return null;
    return h(
        "div.aside",
        null,
        node.comment ? h("p.comment", null, node.comment) : null,
        ...others.map(side => h("div.variation", null, ...inline(side))),
    );
}

/** The main line, up to a node, as rows of number, White, Black; what belongs to a move follows it and opens a new row. */
function rows(withEval: boolean, end: number | null): Node[] {
    const out: Node[] = [];
    const root = nodeOf(0);
    if (root?.comment) out.push(h("div.aside", null, h("p.comment", null, root.comment)));
    let row: HTMLElement | null = null;
    for (let node = nodeOf(root?.children[0]); node && node.parent !== end; node = nodeOf(node.children[0])) {
        const white = turnOf(node.fen) === "black";
        if (!row || white) {
            row = h("div.pair", null, h("span.num", null, moveNumber(node).replace("…", ".")));
            if (!white) row.append(h("span.gap", null, "…"));
            out.push(row);
        }
        row.append(moveButton(node, withEval));
        const extra = aside(node);
        if (extra) {
            if (white) row.append(h("span.gap", null, node.children.length ? "…" : ""));
            out.push(extra);
            row = null;
        }
    }
    return out;
}

/** Keeps the current move in sight without moving the page. */
function reveal(list: HTMLElement, move: HTMLElement): void {
    const top = move.offsetTop - list.offsetTop;
    if (top < list.scrollTop + 20) list.scrollTop = Math.max(0, top - 40);
    else if (top + move.offsetHeight > list.scrollTop + list.clientHeight - 20)
        list.scrollTop = top - list.clientHeight + move.offsetHeight + 40;
}

export function buildTree(view: View, options: { evals?: boolean } = {}): HTMLElement {
    const list = h("div.moves", { role: "group", "aria-label": "Moves of the game" });
    list.onclick = event => {
        const target = (event.target as HTMLElement).closest<HTMLElement>("[data-node]");
        if (target) goTo(Number(target.dataset["node"]));
    };
    let shown: unknown = null;
    let marked: HTMLElement | null = null;
    watchIn([view], ["game", "node", "report"], () => {
        const key = state.game && `${state.game.id}:${state.game.revision}:${state.report?.moves.length}`;
        if (key !== shown) {
            shown = key;
            const lines = state.game ? rows(options.evals ?? false, view === "play" ? state.game.current : null) : [];
            const result =
                state.game && state.game.result !== "*"
                    ? h("div.result", null, state.game.result.replace("1/2-1/2", "½–½").replace("-", "–"))
                    : null;
            fill(list, ...lines, result, lines.length ? null : h("p.empty", null, "No moves yet."));
            marked = null;
        }
        marked?.removeAttribute("aria-current");
        marked?.setAttribute("tabindex", "-1");
        marked = list.querySelector(`[data-node="${state.node}"]`) ?? null;
        marked?.setAttribute("aria-current", "true");
        (marked ?? list.querySelector("[data-node]"))?.setAttribute("tabindex", "0");
        requestAnimationFrame(() => (marked ? reveal(list, marked) : state.node === 0 && (list.scrollTop = 0)));
    });
    return list;
}
