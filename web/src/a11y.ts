/* a11y.ts - the page for those who do not see it: every move in words, and the board as a table. */
import { fill, h } from "./dom";
import { capital, resultText, sanInWords, turnOf } from "./format";
import { moverOf, nodeOf } from "./session";
import { click } from "./sound";
import { state, watch } from "./store";

const NAMES: Record<string, string> = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

const live = h("div.sr-only", { role: "status", "aria-live": "polite", id: "live" });

/** Says something to a screen reader, once what it says now is over. */
export function say(text: string): void {
    live.textContent = text;
}

/** The placement field of a FEN as 64 names, a8 first. */
export function placement(fen: string): string[] {
    const cells: string[] = [];
    for (const char of (fen.split(" ")[0] ?? "").replace(/\//g, "")) {
        if (/\d/.test(char)) cells.push(...Array<string>(Number(char)).fill(""));
        else cells.push(`${char === char.toLowerCase() ? "black" : "white"} ${NAMES[char.toLowerCase()] ?? ""}`);
    }
    return cells;
}

function table(fen: string): HTMLElement {
    const cells = placement(fen);
    const files = [..."abcdefgh"];
    return h(
        "table",
        null,
        h("caption", null, `Board, ${turnOf(fen)} to move`),
        h("thead", null, h("tr", null, h("td"), ...files.map(file => h("th", { scope: "col" }, file)))),
        h(
            "tbody",
            null,
            ...[8, 7, 6, 5, 4, 3, 2, 1].map(rank =>
                h(
                    "tr",
                    null,
                    h("th", { scope: "row" }, rank),
                    ...files.map((_, file) => h("td", null, cells[(8 - rank) * 8 + file] || "empty")),
                ),
            ),
        ),
    );
}

export function buildA11y(): HTMLElement {
    const board = h("div.sr-only", { id: "board-text" });
    let last: string | null = null;
    watch(["game", "node"], () => {
        const node = nodeOf(state.node);
        if (!node || !state.game) return;
        const key = `${state.game.id}:${node.id}:${state.game.result}`;
        if (key === last) return;
        const fresh = last !== null && last.startsWith(state.game.id);
        last = key;
        fill(board, table(node.fen));
        if (!fresh || !node.san) return;
        const end = node.id === state.game.current && state.game.result !== "*" ? ` ${resultText(state.game)}.` : "";
        say(`${capital(moverOf(node))}: ${sanInWords(node.san)}.${end}`);
        click(node.san);
    });
    return h("div", null, live, board);
}
