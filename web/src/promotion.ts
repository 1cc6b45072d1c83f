/* promotion.ts - asks which piece a pawn becomes: a dialog with four pictures; q, r, b, n and Escape work too. */
import { h } from "./dom";
import type { Color } from "./types";

const CHOICES = [
    ["q", "queen"],
    ["r", "rook"],
    ["b", "bishop"],
    ["n", "knight"],
] as const;

/** A picture of a piece outside the board. */
export const picture = (role: string, color: Color): HTMLElement =>
    h("span.glyph.cg-wrap", { "aria-hidden": "true" }, h(`piece.${color}.${role}`));

/** The letter of the piece, or null when the user thought better of it. */
export function choosePromotion(color: Color, square: string, orientation: Color): Promise<string | null> {
    return new Promise(resolve => {
        const dialog = h(
            "dialog.promotion",
            { "aria-label": "Promote the pawn to" },
            h(
                "div.choices",
                null,
                ...CHOICES.map(([letter, role]) =>
                    h(
                        "button",
                        {
                            type: "button",
                            "aria-label": role,
                            title: role,
                            "data-piece": letter,
                            onclick: () => dialog.close(letter),
                        },
                        picture(role, color),
                    ),
                ),
            ),
            h("p.hint", null, "q, r, b, n or Esc"),
        );
        dialog.onkeydown = event => {
            if (CHOICES.some(([letter]) => letter === event.key.toLowerCase())) dialog.close(event.key.toLowerCase());
        };
        dialog.onclick = event => event.target === dialog && dialog.close();
        dialog.onclose = () => {
            dialog.remove();
            resolve(CHOICES.some(([letter]) => letter === dialog.returnValue) ? dialog.returnValue : null);
        };
        document.body.append(dialog);
        place(dialog, square, orientation);
        dialog.showModal();
    });
}

/** Over the file of the pawn where there is room for it. */
function place(dialog: HTMLElement, square: string, orientation: Color): void {
    const board = document.querySelector(".board-inner")?.getBoundingClientRect();
    if (!board) return;
    const file = square.charCodeAt(0) - 97;
    const column = orientation === "white" ? file : 7 - file;
    const width = 244;
    const left = Math.min(Math.max(board.left + (column + 0.5) * (board.width / 8) - width / 2, 8), innerWidth - width - 8);
    const top = (square[1] === "8") === (orientation === "white") ? board.top + 8 : board.bottom - 112;
    dialog.style.inset = `${Math.max(8, Math.min(top, innerHeight - 120))}px auto auto ${left}px`;
    dialog.style.margin = "0";
}
