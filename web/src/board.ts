/* board.ts - the board on the screen: chessground, fed from the state; moves of the user go to the session.
 *
 * What is legal comes from the server (`look.dests`). Until it came the board shows the position and takes no move.
 */
import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key, MoveMetadata } from "@lichess-org/chessground/types";
import { arrows, BRUSHES } from "./arrows";
import { h, toast } from "./dom";
import { other, turnOf } from "./format";
import { choosePromotion } from "./promotion";
import { humans, move, movable, nodeOf } from "./session";
import { set, state, watch } from "./store";

const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

let ground: Api;
let cursor: Key | null = null;

/** The squares of a move, for highlighting. */
export const squares = (uci: string): [Key, Key] => [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];

async function played(from: Key, to: Key, meta: MoveMetadata): Promise<void> {
    const look = state.look;
    let text = `${from}${to}`;
    if (look?.promotions.includes(text)) {
        const piece = meta.premove ? "q" : await choosePromotion(look.turn, to, state.orientation);
        if (!piece) return render();
        text += piece;
    }
    if (state.quiz) return state.quiz.answer(text);
    const problem = await move(text);
    if (problem) {
        toast(problem, "error");
        render();
    }
}

/** Premoves are for games against someone who thinks: at the end of the line, while the other side is to move. */
function premoveColor(): boolean {
    const game = state.game;
    return state.view === "play" && !!game && game.result === "*" && state.node === game.current && humans(game).length === 1;
}

export function render(): void {
    if (state.editing) return;
    const node = nodeOf(state.node);
    const fen = node?.fen ?? (state.game ? EMPTY : START);
    const look = state.look;
    const color = movable();
    ground.set({
        fen,
        orientation: state.orientation,
        turnColor: turnOf(fen),
        check: node?.check ?? false,
        lastMove: node?.uci ? squares(node.uci) : [],
        movable: { free: false, color, dests: new Map(Object.entries(look?.dests ?? {})) as Map<Key, Key[]> },
        premovable: { enabled: premoveColor() },
        highlight: { custom: new Map(cursor ? [[cursor, "cursor"]] : []) },
    });
    ground.setAutoShapes(arrows());
    document.getElementById("board")?.setAttribute("aria-busy", String(!!state.game && !look));
    if (look && ground.state.premovable.current && look.turn === color) ground.playPremove();
}

/** Gives the board back after the editor used it. */
export const boardApi = (): Api => ground;

export function setCursor(key: Key | null): void {
    if (cursor === key) return;
    cursor = key;
    ground.set({ highlight: { custom: new Map(cursor ? [[cursor, "cursor"]] : []) } });
}

export function flip(): void {
    set({ orientation: other(state.orientation) });
}

/** On a phone the board may be far above what leads to it. */
export function showBoard(): void {
    if (matchMedia("(max-width: 899px)").matches) scrollTo({ top: 0 });
}

/** What the user sees on a square, for the keyboard's voice. */
export const pieceOn = (key: Key) => ground.state.pieces.get(key);

export function buildBoard(): HTMLElement {
    const holder = h("div.board", {
        id: "board",
        tabindex: 0,
        role: "application",
        "aria-label": "Chess board. Arrow keys move the cursor, Enter picks up and puts down, Escape lets go.",
    });
    const inner = h("div.board-inner");
    holder.append(inner);
    ground = Chessground(inner, {
        fen: START,
        coordinates: true,
        animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 180 },
        movable: { free: false, showDests: true, events: { after: (from, to, meta) => void played(from, to, meta) } },
        premovable: { enabled: false, showDests: true, castle: true },
        draggable: { enabled: true, showGhost: true },
        drawable: { enabled: true, brushes: BRUSHES as never },
        disableContextMenu: true,
    });
    watch(["game", "node", "look", "orientation", "view", "status", "quiz", "editing"], render);
    watch(
        ["lines", "engineLines", "hint", "prefs", "threat", "analysing"],
        () => state.editing || ground.setAutoShapes(arrows() as DrawShape[]),
    );
    return holder;
}
