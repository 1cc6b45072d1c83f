/* players.ts - the strips above and below the board: who plays, what was taken, how much time is left. */
import { placement } from "./a11y";
import { fill, h } from "./dom";
import { clockText, levelText, other } from "./format";
import { picture } from "./promotion";
import { nodeOf, sideOf } from "./session";
import { state, watch } from "./store";
import type { Color, Game } from "./types";

const VALUES: [string, number, number][] = [
    ["queen", 1, 9],
    ["rook", 2, 5],
    ["bishop", 2, 3],
    ["knight", 2, 3],
    ["pawn", 8, 1],
];
const LOW_MS = 20_000;

/** What a colour has more of than the other: pictures, and the sum. */
function surplus(fen: string, color: Color): Node[] {
    const cells = placement(fen);
    const has = (side: Color, role: string) => cells.filter(cell => cell === `${side} ${role}`).length;
    const pieces = VALUES.flatMap(([role]) =>
        Array.from({ length: Math.max(0, has(color, role) - has(other(color), role)) }, () => picture(role, other(color))),
    );
    const lead = VALUES.reduce((sum, [role, , value]) => sum + value * (has(color, role) - has(other(color), role)), 0);
    return [...pieces, ...(lead > 0 ? [h("span.lead", null, `+${lead}`)] : [])];
}

function nameOf(game: Game, color: Color): [string, string] {
    const side = sideOf(game, color);
    const header = game.headers[color === "white" ? "White" : "Black"];
    const known = side.name || (header && header !== "?" ? header : "");
    if (side.kind === "engine") return [known || "Tabia", levelText(state.about, side.level ?? 20)];
    if (side.kind === "random") return [known || "Random mover", "moves at random"];
    const rating = game.headers[color === "white" ? "WhiteElo" : "BlackElo"];
    return [known || "You", rating && rating !== "?" ? rating : ""];
}

function strip(place: "top" | "bottom"): HTMLElement {
    const name = h("span.name");
    const note = h("span.note");
    const taken = h("span.taken", { "aria-hidden": "true" });
    const clock = h("span.clock");
    const element = h(`div.player.${place}`, null, h("span.dot"), h("span.who", null, name, note), taken, clock);
    const color = (): Color => (place === "bottom" ? state.orientation : other(state.orientation));
    const tick = () => {
        const game = state.game;
        const shown = game?.clock ?? null;
        clock.hidden = !shown;
        if (!game || !shown) return;
        const running = shown.running === color() && game.result === "*";
        const left =
            (color() === "white" ? shown.white_ms : shown.black_ms) -
            (running && state.status === "open" ? performance.now() - state.gameAt : 0);
        clock.textContent = clockText(left);
        clock.classList.toggle("running", running);
        clock.classList.toggle("low", left < LOW_MS);
    };
    watch(["game", "node", "orientation", "about", "view"], () => {
        const game = state.game;
        element.className = `player ${place} ${color()}`;
        const [who, what] = game ? nameOf(game, color()) : [color() === "white" ? "White" : "Black", ""];
        fill(name, who);
        fill(
            note,
            what,
            game?.thinking && game.clock?.running !== other(color()) && thinks(game, color())
                ? h("span.thinking", null, "thinking")
                : null,
        );
        fill(taken, ...surplus(nodeOf(state.node)?.fen ?? "", color()));
        tick();
    });
    setInterval(tick, 100);
    return element;
}

/** True when this colour's engine is on move. */
function thinks(game: Game, color: Color): boolean {
    const fen = nodeOf(game.current)?.fen ?? "";
    return sideOf(game, color).kind !== "human" && (fen.split(" ")[1] === "w") === (color === "white");
}

export const buildPlayers = (): [HTMLElement, HTMLElement] => [strip("top"), strip("bottom")];
