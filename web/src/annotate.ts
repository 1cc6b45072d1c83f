/* annotate.ts - words and marks for the move on the board; and what one does with a variation: make it main, cut it off. */
import { api, type TreeOrder } from "./api";
import { ask, attempt, button, fill, h } from "./dom";
import { moveNumber, NAGS, NAG_WORDS } from "./format";
import { goTo, nodeOf, take } from "./session";
import { state, watchIn } from "./store";

async function change(order: Omit<TreeOrder, "node">): Promise<void> {
    const { game, node } = state;
    if (game) await attempt(async () => take(await api.tree(game.id, { ...order, node })));
}

async function cut(): Promise<void> {
    const node = nodeOf(state.node);
    if (
        !node ||
        node.parent === null ||
        !(await ask(`Delete ${moveNumber(node)} ${node.san} and all that follows it?`, "Delete"))
    )
        return;
    const { id, parent } = node;
    const game = state.game;
    goTo(parent);
    if (game) await attempt(async () => take(await api.tree(game.id, { op: "delete", node: id })));
}

export function buildAnnotate(): HTMLElement {
    const marks = h("div.marks", { role: "group", "aria-label": "Marks" });
    const comment = h("textarea", { rows: 2, placeholder: "A comment on this position", "aria-label": "Comment" });
    const promote = button("up", "Make main line", () => void change({ op: "promote" }));
    const remove = button("trash", "Delete from here", () => void cut());
    let of = -1;
    comment.onchange = () =>
        void attempt(async () => {
            const game = state.game;
            if (game) take(await api.tree(game.id, { op: "comment", node: of, text: comment.value.trim() }));
        });
    watchIn(["analyse"], ["node", "game"], () => {
        const node = nodeOf(state.node);
        if (!node) return;
        if (of !== node.id || document.activeElement !== comment) comment.value = node.comment;
        of = node.id;
        fill(
            marks,
            ...Object.entries(NAGS).map(([key, sign]) =>
                h(
                    "button.mark",
                    {
                        type: "button",
                        title: NAG_WORDS[Number(key)],
                        "aria-label": NAG_WORDS[Number(key)],
                        "aria-pressed": String(node.nags.includes(Number(key))),
                        disabled: node.id === 0,
                        onclick: () => void change({ op: "nag", nag: Number(key) }),
                    },
                    sign,
                ),
            ),
        );
        const parent = nodeOf(node.parent);
        promote.hidden = !parent || parent.children[0] === node.id;
        remove.hidden = !parent;
    });
    return h("div.annotate", null, marks, comment, h("div.row", null, promote, remove));
}
