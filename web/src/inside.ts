/* inside.ts - the Look inside: what the search does per iteration, what the evaluation counts, and the tree of a small search. */
import { h } from "./dom";
import { engineBar, welcome } from "./analyse";
import { buildLines } from "./lines";
import { buildPlots } from "./plots";
import { buildSearchTree } from "./searchtree";
import { buildTerms } from "./terms";
import { buildWalk } from "./entry";
import { state, watchIn } from "./store";

export function buildInside(): HTMLElement {
    const none = welcome("inside", "Look inside", "What is looked into is the position of a game: begin with one.");
    const body = h(
        "div.work",
        null,
        h("div.card.engine", null, engineBar(), buildLines()),
        h("div.card", null, h("h2", null, "The search, iteration by iteration"), buildPlots()),
        h("div.card", null, h("h2", null, "The classical evaluation, term by term"), buildTerms()),
        h("div.card", null, h("h2", null, "A small search as a tree"), buildSearchTree()),
        buildWalk(),
    );
    watchIn(["inside"], ["game"], () => {
        none.hidden = !!state.game;
        body.hidden = !state.game;
    });
    return h("section.view", { "aria-label": "Look inside" }, none, body);
}
