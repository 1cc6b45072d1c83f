/* dom.ts - building elements by hand, without a framework: h() makes them, icon() draws them, toast() and ask() speak. */

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

/** Names that are also properties, but not ones that take the same text. */
const ATTRIBUTES = new Set(["list", "form", "spellcheck"]);

/** h("button.primary", { onclick, title }, "text"): tag and classes, properties or attributes, children. */
export function h<K extends keyof HTMLElementTagNameMap>(
    spec: `${K}.${string}` | K,
    props?: Props | null,
    ...children: Child[]
): HTMLElementTagNameMap[K];
export function h(spec: string, props?: Props | null, ...children: Child[]): HTMLElement;
export function h(spec: string, props?: Props | null, ...children: Child[]): HTMLElement {
    const [tag, ...classes] = spec.split(".");
    const element = document.createElement(tag || "div");
    if (classes.length) element.className = classes.join(" ");
    for (const [name, value] of Object.entries(props ?? {})) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on") || (name in element && !name.includes("-") && !ATTRIBUTES.has(name)))
            Object.assign(element, { [name]: value });
        else element.setAttribute(name, value === true ? "" : String(value));
    }
    fill(element, ...children);
    return element;
}

/** Replaces what an element holds. */
export function fill(element: Element, ...children: Child[]): void {
    element.replaceChildren(
        ...children
            .filter((c): c is Node | string | number => c !== null && c !== undefined && c !== false)
            .map(c => (c instanceof Node ? c : String(c))),
    );
}

const PATHS: Record<string, string> = {
    play: "M5 20h14M7 17h10l-1.5-8h1.8V4.5h-2.6v2h-1.5v-2h-2.4v2H9.3v-2H6.7V9h1.8z",
    analyse: "M3.5 19.5h17M5 16l4-5 4 3 6-8",
    report: "M6 3.5h9l3.5 3.5v13.5H6zM9 11h6M9 14.5h6M9 18h3.5",
    inside: "M12 4v4l-5.5 5v3M12 8l5.5 5v3M6.5 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17.5 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
    games: "M4 6h16M4 12h16M4 18h16",
    flip: "M8 4v15m0 0-3.5-3.5M8 19l3.5-3.5M16 20V5m0 0-3.5 3.5M16 5l3.5 3.5",
    sound: "M4 9.5v5h3.5L12 19V5L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a7.5 7.5 0 0 1 0 11",
    mute: "M4 9.5v5h3.5L12 19V5L7.5 9.5zM16 10l4.5 4.5M20.5 10 16 14.5",
    sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v2M12 19v2M3 12h2M19 12h2M5.5 5.5 7 7M17 17l1.5 1.5M18.5 5.5 17 7M7 17l-1.5 1.5",
    moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
    auto: "M12 3.5a8.5 8.5 0 1 0 0 17zM12 3.5a8.5 8.5 0 0 1 0 17",
    back: "M9 6 4 11l5 5M4.5 11H14a5.5 5.5 0 0 1 0 11",
    hint: "M9.5 17h5M10 20h4M12 3.5a6 6 0 0 0-3.5 10.8c.6.5 1 1 1 1.7h5c0-.7.4-1.2 1-1.7A6 6 0 0 0 12 3.5z",
    flag: "M6 21V4M6 4.5h11l-2.5 4 2.5 4H6",
    draw: "M7 8.5h10M7 15.5h10",
    plus: "M12 5v14M5 12h14",
    minus: "M5 12h14",
    gear: "M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5v5M7 14.5v5",
    first: "M7 5v14M18 5l-8 7 8 7z",
    prev: "M15.5 5 8 12l7.5 7z",
    next: "M8.5 5 16 12l-7.5 7z",
    last: "M17 5v14M6 5l8 7-8 7z",
    trash: "M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v6M13.5 10.5v6",
    close: "M6 6l12 12M18 6 6 18",
    save: "M12 4v11m0 0-4-4m4 4 4-4M5 19.5h14",
    open: "M12 16V5m0 0L8 9m4-4 4 4M5 19.5h14",
    pause: "M8.5 5v14M15.5 5v14",
    threat: "M12 4 3.5 19.5h17zM12 10v4.5M12 17v.3",
    up: "M12 19V6m0 0-5 5m5-5 5 5",
    help: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9.7 9.5a2.4 2.4 0 1 1 3.4 2.2c-.8.4-1.1.9-1.1 1.8M12 16.5v.3",
    edit: "M5 19h3.5L19 8.5 15.5 5 5 15.5z",
};

export function icon(name: string): SVGElement {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("class", "icon");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", PATHS[name] ?? "");
    svg.append(path);
    return svg;
}

/** A button with a picture and, unless `bare`, a word. */
export function button(
    name: string,
    label: string,
    onclick: () => void,
    options: { bare?: boolean; kind?: string } = {},
): HTMLButtonElement {
    const classes = `button.btn${options.bare ? ".bare" : ""}${options.kind ? `.${options.kind}` : ""}` as "button";
    return h(
        classes,
        { type: "button", onclick, title: options.bare ? label : undefined, "aria-label": options.bare ? label : undefined },
        name ? icon(name) : null,
        options.bare ? null : h("span", null, label),
    );
}

/** Radio buttons that look like one bar. */
export function segmented<T extends string>(
    name: string,
    label: string,
    choices: [T, string][],
    value: T,
    onchange: (value: T) => void,
): HTMLElement {
    return h(
        "fieldset.segmented",
        null,
        h("legend", null, label),
        h(
            "div.bar",
            null,
            ...choices.map(([key, text]) =>
                h(
                    "label",
                    null,
                    h("input", { type: "radio", name, value: key, checked: key === value, onchange: () => onchange(key) }),
                    h("span", null, text),
                ),
            ),
        ),
    );
}

let toasts: HTMLElement | null = null;

/** A sentence that comes and goes. Errors are announced at once. */
export function toast(text: string, kind: "info" | "error" = "info"): void {
    if (!toasts) document.body.append((toasts = h("div.toasts", { "aria-live": "polite", role: "status" })));
    if (toasts.lastElementChild?.textContent === text) toasts.lastElementChild.remove();
    const element = h(`div.toast.${kind}`, null, text);
    toasts.append(element);
    setTimeout(() => element.remove(), kind === "error" ? 7000 : 4000);
}

/** Runs work and shows its failure as a toast. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
        return await work();
    } catch (error) {
        toast(error instanceof Error ? error.message : String(error), "error");
        return undefined;
    }
}

/** A question with two answers, as a dialog. */
export function ask(question: string, yes: string, no = "Cancel"): Promise<boolean> {
    return new Promise(resolve => {
        const dialog = h(
            "dialog.ask",
            { "aria-label": question },
            h("p", null, question),
            h(
                "div.row.end",
                null,
                button("", no, () => dialog.close("no")),
                button("", yes, () => dialog.close("yes"), { kind: "primary" }),
            ),
        );
        dialog.onclose = () => {
            resolve(dialog.returnValue === "yes");
            dialog.remove();
        };
        document.body.append(dialog);
        dialog.showModal();
    });
}

/** Gives text to the user as a file. */
export function download(name: string, text: string): void {
    const url = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}
