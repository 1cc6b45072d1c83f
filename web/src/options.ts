/* options.ts - the engine's options as a panel: search, evaluation, limits, threads, hash, and every technique as a switch.
 *
 * The list comes from /api/about; what is handled elsewhere on the page, or means nothing here, is left out by name.
 */
import { button, h } from "./dom";
import { setPrefs, state, watch, type EnginePrefs } from "./store";
import type { About, EngineOption } from "./types";

const ELSEWHERE = new Set([
    "multipv",
    "features",
    "uci_chess960",
    "uci_showwdl",
    "uci_analysemode",
    "ponder",
    "minimal",
    "uci_limitstrength",
    "uci_elo",
    "skill level",
    "move overhead",
    "clear hash",
]);
const FIRST = ["search", "eval", "threads", "hash"];
const WORDS: Record<string, string> = { eval: "Evaluation", hash: "Hash (MB)", search: "Search" };

const engine = (): EnginePrefs => state.prefs.engine;
const keep = (change: Partial<EnginePrefs>) => setPrefs({ engine: { ...engine(), ...change } });

/** An option that has its default is not sent at all. */
function setOption(option: EngineOption, value: string): void {
    const options = { ...engine().options };
    if (value === String(option.default ?? "")) delete options[option.name];
    else options[option.name] = value;
    keep({ options });
}

function control(option: EngineOption, about: About): HTMLElement {
    const value = engine().options[option.name] ?? String(option.default ?? "");
    const label = WORDS[option.name.toLowerCase()] ?? option.name;
    if (option.type === "check") {
        return h(
            "label.switch",
            null,
            h("input", {
                type: "checkbox",
                checked: value === "true",
                onchange: (e: Event) => setOption(option, String((e.target as HTMLInputElement).checked)),
            }),
            h("span", null, label),
        );
    }
    if (option.type === "combo") {
        return h(
            "label.field",
            null,
            h("span", null, label),
            h(
                "select",
                { onchange: (e: Event) => setOption(option, (e.target as HTMLSelectElement).value) },
                ...(option.choices ?? []).map(choice => h("option", { value: choice, selected: choice === value }, choice)),
            ),
        );
    }
    const name = option.name.toLowerCase();
    const most =
        name === "threads"
            ? Math.min(option.max ?? 1, about.limits.threads)
            : name === "hash"
              ? Math.min(option.max ?? 1, about.limits.hash_mb)
              : option.max;
    const number = option.type === "spin";
    return h(
        "label.field",
        null,
        h("span", null, label),
        h("input", {
            type: number ? "number" : "text",
            value: value === "<empty>" ? "" : value,
            min: option.min,
            max: most,
            spellcheck: "false",
            onchange: (e: Event) => {
                const input = e.target as HTMLInputElement;
                if (input.checkValidity()) setOption(option, input.value.trim() || String(option.default ?? ""));
                else input.reportValidity();
            },
        }),
    );
}

function limit(key: "depth" | "movetime_s" | "nodes_k", label: string, max: number): HTMLElement {
    return h(
        "label.field",
        null,
        h("span", null, label),
        h("input", {
            type: "number",
            min: 0,
            max,
            step: key === "movetime_s" ? 0.1 : 1,
            value: engine()[key] || "",
            placeholder: "no limit",
            onchange: (e: Event) => {
                const input = e.target as HTMLInputElement;
                if (input.checkValidity()) keep({ [key]: Number(input.value) || 0 });
                else input.reportValidity();
            },
        }),
    );
}

function features(about: About): HTMLElement {
    const set = (name: string, on: boolean) =>
        keep({ featuresOff: on ? engine().featuresOff.filter(f => f !== name) : [...engine().featuresOff, name] });
    const boxes = about.features.map(feature =>
        h(
            "label.switch",
            { title: feature.name },
            h("input", {
                type: "checkbox",
                checked: !engine().featuresOff.includes(feature.name),
                onchange: (e: Event) => set(feature.name, (e.target as HTMLInputElement).checked),
            }),
            h("span", null, h("code", null, feature.name), ` ${feature.text}`),
        ),
    );
    return h("fieldset.features", null, h("legend", null, "Techniques of the search"), ...boxes);
}

export function buildOptions(): HTMLElement {
    const body = h("div.options");
    const draw = () => {
        const about = state.about;
        if (!about) return;
        const rank = (o: EngineOption) => {
            const at = FIRST.indexOf(o.name.toLowerCase());
            return at < 0 ? FIRST.length : at;
        };
        const shown = about.options
            .filter(o => o.type !== "button" && !ELSEWHERE.has(o.name.toLowerCase()))
            .sort((a, b) => rank(a) - rank(b));
        const main = shown.filter(o => rank(o) < FIRST.length);
        const rest = shown.filter(o => rank(o) === FIRST.length);
        body.replaceChildren(
            h(
                "div.grid",
                null,
                ...main.map(o => control(o, about)),
                limit("depth", "Depth", 100),
                limit("movetime_s", "Time (s)", 86400),
                limit("nodes_k", "Nodes (thousands)", 1e9),
            ),
            h(
                "label.switch",
                null,
                h("input", {
                    type: "checkbox",
                    checked: state.prefs.arrows,
                    onchange: (e: Event) => setPrefs({ arrows: (e.target as HTMLInputElement).checked }),
                }),
                h("span", null, "Arrows on the board"),
            ),
            features(about),
            h("details", null, h("summary", null, "More options"), h("div.grid", null, ...rest.map(o => control(o, about)))),
            button("back", "Back to the defaults", () => {
                keep({ depth: 0, movetime_s: 0, nodes_k: 0, featuresOff: [], options: {} });
                draw();
            }),
        );
    };
    watch(["about"], draw);
    return body;
}
