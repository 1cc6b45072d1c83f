/* terms.ts - the classical evaluation of the position, one line a term: words, White's and Black's share, and the balance. */
import { api, ApiError } from "./api";
import { fill, h } from "./dom";
import { capital, cpText } from "./format";
import { nodeOf } from "./session";
import { state, watchIn } from "./store";
import type { Explanation, Term } from "./types";

const pair = (value: { mg: number; eg: number }): string => `${value.mg} / ${value.eg}`;

function row(term: Term, largest: number): HTMLElement {
    const width = (50 * Math.abs(term.value)) / largest;
    return h(
        "tr",
        null,
        h("th", { scope: "row" }, h("span.term", null, capital(term.name.replace(/_/g, " "))), h("span.words", null, term.words)),
        h("td", null, pair(term.white)),
        h("td", null, pair(term.black)),
        h(
            "td.balance",
            null,
            h(
                "span.track",
                { "aria-hidden": "true" },
                h(`span.${term.value >= 0 ? "plus" : "minus"}`, { style: `width:${width}%` }),
            ),
            h("b", null, cpText(term.value)),
        ),
    );
}

function table(found: Explanation): Node[] {
    const terms = found.terms.filter(t => t.value !== 0 || t.white.mg || t.white.eg || t.black.mg || t.black.eg);
    terms.sort((x, y) => Math.abs(y.value) - Math.abs(x.value)); // what weighs most comes first
    const silent = found.terms.length - terms.length;
    const largest = Math.max(1, ...terms.map(t => Math.abs(t.value)));
    return [
        h(
            "div.scroll",
            { tabindex: 0, role: "group", "aria-label": "Terms of the evaluation" },
            h(
                "table.terms",
                null,
                h(
                    "thead",
                    null,
                    h(
                        "tr",
                        null,
                        ...["Term", "White mg / eg", "Black mg / eg", "Balance"].map(t => h("th", { scope: "col" }, t)),
                    ),
                ),
                h("tbody", null, ...terms.map(term => row(term, largest))),
                h(
                    "tfoot",
                    null,
                    h(
                        "tr",
                        null,
                        h("th", { scope: "row" }, "All together"),
                        h("td"),
                        h("td"),
                        h("td.balance", null, h("b", null, cpText(found.total))),
                    ),
                ),
            ),
        ),
        h(
            "p.muted",
            null,
            `Centipawns from White's side; mg counts in the middlegame, eg in the endgame; phase ${found.phase}.`,
            silent ? ` ${silent} terms are silent here.` : "",
            found.network === null ? "" : ` The network says ${cpText(found.network)}.`,
        ),
    ];
}

export function buildTerms(): HTMLElement {
    const box = h("div");
    let shown = "";
    watchIn(["inside"], ["node", "game"], () => {
        const fen = nodeOf(state.node)?.fen;
        if (!fen || fen === shown) return;
        shown = fen;
        api.explain(fen).then(
            found => {
                if (shown === fen) fill(box, ...table(found));
            },
            error => {
                if (shown !== fen) return;
                shown = "";
                fill(box, h("p.problem", null, error instanceof ApiError ? error.message : String(error)));
            },
        );
    });
    return box;
}
