/* analyse.ts - the Analyse view: the engine's lines, what is known, the graph, the tree of moves, and the tools around them. */
import { button, h } from "./dom";
import { flip } from "./board";
import { buildAnnotate } from "./annotate";
import { buildEditor } from "./editor";
import { buildEntry, buildWalk } from "./entry";
import { buildFacts } from "./facts";
import { buildGraph } from "./graph";
import { buildLines } from "./lines";
import { buildOptions } from "./options";
import { START } from "./board";
import { attempt } from "./dom";
import { set, setPrefs, state, watch, watchIn } from "./store";
import { analysePosition, buildFenBox, buildPgnBox } from "./text";
import { buildTree } from "./tree";

const MOST_LINES = 8;

/** On and off, how many lines, the threat: one row above the lines. */
export function engineBar(): HTMLElement {
    const on = h("input", { type: "checkbox", onchange: () => set({ analysing: on.checked }) });
    const number = h("output");
    const change = (by: number) =>
        setPrefs({
            engine: { ...state.prefs.engine, multipv: Math.min(MOST_LINES, Math.max(1, state.prefs.engine.multipv + by)) },
        });
    const threat = h(
        "button.btn.quiet",
        {
            type: "button",
            title: "What would happen if the side on move passed?",
            onclick: () => set({ threat: !state.threat, analysing: true }),
        },
        "Threat",
    );
    watch(["analysing", "prefs", "threat", "look"], () => {
        on.checked = state.analysing;
        number.textContent = state.prefs.engine.multipv === 1 ? "1 line" : `${state.prefs.engine.multipv} lines`;
        threat.setAttribute("aria-pressed", String(state.threat));
        threat.disabled = state.look?.check === true;
    });
    return h(
        "div.enginebar",
        null,
        h("label.switch.big", null, on, h("span", null, "Engine")),
        h(
            "span.stepper",
            null,
            button("minus", "Fewer lines", () => change(-1), { bare: true }),
            number,
            button("plus", "More lines", () => change(1), { bare: true }),
        ),
        threat,
    );
}

/** What a view that needs a game shows while there is none. */
export function welcome(view: string, title: string, text: string): HTMLElement {
    const begin = () => void attempt(() => analysePosition(START, false, view));
    return h(
        "div.card.welcome",
        null,
        h("h2", null, title),
        h("p", null, text),
        h(
            "div.row",
            null,
            button("analyse", "Start position", begin, { kind: "primary" }),
            button("games", "Games", () => (location.hash = "#/games")),
        ),
    );
}

function section(title: string, open: boolean, ...children: HTMLElement[]): HTMLElement {
    return h("details.section", { open }, h("summary", null, title), ...children);
}

export function buildAnalyse(): HTMLElement {
    const empty = welcome(
        "analyse",
        "Analyse",
        "Begin with an empty board of your own, paste a game, or open one from the list.",
    );
    const editor = buildEditor();
    const edit = button("edit", "Set up a position", () => set({ editing: true }));
    const work = h(
        "div.work",
        null,
        h("div.card.engine", null, engineBar(), buildLines()),
        buildFacts(),
        h(
            "div.card.movecard",
            null,
            buildTree("analyse", { evals: true }),
            h("div.row.spread", null, buildWalk(), button("flip", "Flip", flip)),
        ),
        buildGraph("analyse"),
        buildEntry(),
        section("Comment and marks", false, buildAnnotate()),
        section("Engine options", false, buildOptions()),
    );
    const texts = section("Position and game as text", false, buildFenBox(), buildPgnBox(), edit);
    watchIn(["analyse"], ["game", "editing"], () => {
        empty.hidden = !!state.game || state.editing;
        work.hidden = !state.game || state.editing;
        texts.hidden = state.editing;
        editor.hidden = !state.editing;
        if (!state.game) (texts as HTMLDetailsElement).open = true;
    });
    return h("section.view", { "aria-label": "Analyse" }, empty, work, texts, editor);
}
