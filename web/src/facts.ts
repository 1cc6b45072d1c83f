/* facts.ts - what is known about the position without searching: its opening, the book's moves, the tables' verdict. */
import { fill, h } from "./dom";
import { percent } from "./format";
import { move, nodeOf, pathTo } from "./session";
import { state, watchIn } from "./store";
import type { BookMove, Look, Opening } from "./types";

const VERDICTS: Record<string, string> = {
    win: "wins",
    loss: "loses",
    draw: "draws",
    cursed: "wins, but the fifty-move rule saves the other side",
    blessed: "loses, but the fifty-move rule saves it",
};

/** The last opening name on the way to the node. */
export function openingHere(): Opening | null {
    if (state.look?.opening) return state.look.opening;
    return (
        pathTo(state.node)
            .reverse()
            .find(node => node.opening)?.opening ?? null
    );
}

function bookTable(book: BookMove[]): HTMLElement {
    const sum = book.reduce((total, m) => total + m.weight, 0) || 1;
    return h(
        "div.book",
        null,
        h("h3", null, "Book"),
        h(
            "div.book-moves",
            null,
            ...book
                .slice(0, 8)
                .map(m =>
                    h(
                        "button.btn.quiet",
                        { type: "button", onclick: () => void move(m.uci) },
                        h("b", null, m.san),
                        h("span.part", null, percent(m.weight / sum)),
                        m.games ? h("span.part", null, `${m.games} games`) : null,
                    ),
                ),
        ),
    );
}

function table(look: Look): HTMLElement | null {
    if (!look.table) return null;
    const who = look.turn === "white" ? "White" : "Black";
    const best = look.moves.find(m => m.uci === look.table?.best);
    return h(
        "p.tables",
        null,
        h("b", null, "Tables: "),
        `${who} ${VERDICTS[look.table.wdl] ?? look.table.wdl}. `,
        look.table.dtz
            ? h(
                  "span.muted",
                  { title: "Half-moves to the next capture, pawn move or mate (DTZ)" },
                  `Progress within ${Math.ceil(look.table.dtz / 2)} moves. `,
              )
            : null,
        best ? h("button.btn.quiet", { type: "button", onclick: () => void move(best.uci) }, best.san) : null,
    );
}

export function buildFacts(): HTMLElement {
    const box = h("div.facts");
    watchIn(["analyse"], ["look", "node", "game"], () => {
        const look = state.look;
        const opening = nodeOf(state.node) ? openingHere() : null;
        fill(
            box,
            opening ? h("p.opening", null, h("span.eco", null, opening.eco), ` ${opening.name}`) : null,
            look ? table(look) : null,
            look?.book.length ? bookTable(look.book) : null,
        );
    });
    return box;
}
