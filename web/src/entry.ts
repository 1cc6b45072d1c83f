/* entry.ts - a field that takes a move as text (e4, Nf3, e7e8q, "e2 e4") and the buttons that walk through the game. */
import { button, h } from "./dom";
import { move, step } from "./session";
import { state, watch } from "./store";

let serial = 0;

export function buildEntry(): HTMLElement {
    const id = `entry-${++serial}`;
    const problem = h("p.problem", { id: `${id}-problem`, role: "alert" });
    const input = h("input", {
        id,
        type: "text",
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: "false",
        placeholder: "e4, Nf3, e7e8q",
        "aria-describedby": `${id}-problem`,
    });
    const form = h(
        "form.entry",
        null,
        h("label", { for: id }, "Move"),
        input,
        h("button.btn", { type: "submit" }, "Play"),
        problem,
    );
    form.onsubmit = async event => {
        event.preventDefault();
        const text = input.value.trim();
        if (!text) return;
        const said = state.quiz ? answerQuiz(text) : await move(text);
        problem.textContent = said ?? "";
        if (said === null) input.value = "";
        else input.select();
    };
    watch(["node", "game"], () => (problem.textContent = ""));
    return form;
}

/** A typed answer in "learn from your mistakes": the look at the position knows its name. */
function answerQuiz(text: string): string | null {
    const bare = (san: string) => san.replace(/[+#!?]/g, "");
    const found = state.look?.moves.find(m => m.uci === text.toLowerCase() || bare(m.san) === bare(text));
    if (!found) return `'${text}' is not a legal move here.`;
    state.quiz?.answer(found.uci);
    return null;
}

export function buildWalk(): HTMLElement {
    const walk = (name: Parameters<typeof step>[0], label: string) => button(name, label, () => step(name), { bare: true });
    return h(
        "div.walk",
        { role: "group", "aria-label": "Go through the game" },
        walk("first", "To the start"),
        walk("prev", "One move back"),
        walk("next", "One move on"),
        walk("last", "To the end"),
    );
}
