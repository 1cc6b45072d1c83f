/* keyboard.ts - playing and moving through a game without a mouse.
 *
 * On the board (reached with Tab) the arrow keys move a cursor, Enter or Space picks a piece up and puts it down. Elsewhere the
 * arrow keys go through the game. A click on the board does not turn the cursor on, so the two never fight.
 */
import type { Key } from "@lichess-org/chessground/types";
import { say } from "./a11y";
import { boardApi, flip, pieceOn, setCursor } from "./board";
import { h } from "./dom";
import { step } from "./session";
import { set, state } from "./store";

const STEPS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const WALKS: Record<string, Parameters<typeof step>[0]> = {
    ArrowLeft: "prev",
    ArrowRight: "next",
    ArrowUp: "up",
    ArrowDown: "down",
    Home: "first",
    End: "last",
};

let at: Key = "e2";
let active = false;

function describe(key: Key): string {
    const piece = pieceOn(key);
    return piece ? `${key}, ${piece.color} ${piece.role}` : `${key}, empty`;
}

function walk(step_: [number, number]): void {
    const turned = state.orientation === "white" ? 1 : -1;
    const file = at.charCodeAt(0) - 97 + turned * step_[0];
    const rank = Number(at[1]) - 1 + turned * step_[1];
    if (file < 0 || file > 7 || rank < 0 || rank > 7) return;
    at = `${String.fromCharCode(97 + file)}${rank + 1}` as Key;
    setCursor(at);
    say(describe(at));
}

function pick(): void {
    const ground = boardApi();
    const before = ground.state.selected;
    ground.selectSquare(at);
    const now = ground.state.selected;
    if (now && now !== before) {
        const places = state.look?.dests[now] ?? [];
        say(`${describe(now)} picked up. ${places.length ? `It can go to ${places.join(", ")}.` : "It cannot move."}`);
    } else if (before && !now && before === at) {
        say("Put back.");
    }
}

function onBoardKey(event: KeyboardEvent): void {
    if (!active || event.ctrlKey || event.altKey || event.metaKey) return;
    const direction = STEPS[event.key];
    if (direction) walk(direction);
    else if (event.key === "Enter" || event.key === " ") pick();
    else if (event.key === "Escape") boardApi().selectSquare(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
}

/** True where keys belong to something else: a text field, a list of choices, an open dialog. */
function taken(target: EventTarget | null): boolean {
    return (
        target instanceof HTMLElement &&
        target.closest("input:not([type=checkbox]), textarea, select, dialog, [contenteditable]") !== null
    );
}

function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || taken(event.target)) return;
    const walk_ = WALKS[event.key];
    if (walk_ && state.game && !state.editing) step(walk_);
    else if (event.key === "f") flip();
    else if (event.key === "/") document.querySelector<HTMLInputElement>(".view:not([hidden]) .entry input")?.focus();
    else if (event.key === "l" && state.view !== "play") set({ analysing: !state.analysing });
    else if (event.key === "?") help();
    else return;
    event.preventDefault();
}

const KEYS: [string, string][] = [
    ["← →", "one move back, one move on"],
    ["↑ ↓", "other variation"],
    ["Home End", "start and end of the line"],
    ["Tab to the board", "then arrow keys and Enter play"],
    ["/", "type a move: e4, Nf3, e7e8q"],
    ["f", "turn the board"],
    ["l", "engine on or off"],
    ["?", "this list"],
];

export function help(): void {
    const dialog = h(
        "dialog.help",
        { "aria-label": "Keys" },
        h("h2", null, "Keys"),
        h(
            "dl",
            null,
            ...KEYS.flatMap(([keys, text]) => [
                h(
                    "dt",
                    null,
                    ...keys.split(" ").map(k => (k.length < 5 && k !== "to" && k !== "the" ? h("kbd", null, k) : `${k} `)),
                ),
                h("dd", null, text),
            ]),
        ),
        h("form", { method: "dialog" }, h("button.btn.primary", { autofocus: true }, "Close")),
    );
    dialog.onclose = () => dialog.remove();
    document.body.append(dialog);
    dialog.showModal();
}

export function bindKeyboard(board: HTMLElement): void {
    let pointing = false;
    board.addEventListener("pointerdown", () => {
        pointing = true;
        active = false;
        setCursor(null);
        setTimeout(() => (pointing = false), 0);
    });
    board.addEventListener("focus", () => {
        if (pointing) return;
        active = true;
        setCursor(at);
        say(describe(at));
    });
    board.addEventListener("blur", () => {
        active = false;
        setCursor(null);
    });
    board.addEventListener("keydown", onBoardKey);
    document.addEventListener("keydown", onKey);
}
