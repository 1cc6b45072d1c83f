/* editor.ts - sets up a position by hand, on the same board: a palette, the side to move, castling; the server judges it. */
import type { Key, Piece, Role } from "@lichess-org/chessground/types";
import { api, ApiError } from "./api";
import { boardApi, render, START } from "./board";
import { attempt, button, fill, h, segmented } from "./dom";
import { picture } from "./promotion";
import { nodeOf } from "./session";
import { set, state, watch } from "./store";
import { analysePosition, showFenProblem } from "./text";
import type { Color } from "./types";

type Tool = { kind: "hand" } | { kind: "erase" } | { kind: "piece"; piece: Piece };

const ROLES: Role[] = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const EMPTY = "8/8/8/8/8/8/8/8";
const RIGHTS: [string, string][] = [
    ["K", "White, king's side"],
    ["Q", "White, queen's side"],
    ["k", "Black, king's side"],
    ["q", "Black, queen's side"],
];

let tool: Tool = { kind: "hand" };
let turn: Color = "white";
let rights = "KQkq";
let enPassant = "-";
let judge: () => void = () => undefined;

const fenOf = (): string =>
    `${boardApi().getFen().split(" ")[0]} ${turn === "white" ? "w" : "b"} ${rights || "-"} ${enPassant} 0 1`;

function load(fen: string): void {
    const [board = EMPTY, side, castling, ep] = fen.split(" ");
    turn = side === "b" ? "black" : "white";
    rights = castling && castling !== "-" ? castling : "";
    enPassant = ep ?? "-";
    boardApi().set({ fen: board, lastMove: [], check: false });
}

/** While the editor is open the board moves freely, and squares take what the palette holds. */
function free(): void {
    const ground = boardApi();
    ground.setAutoShapes([]);
    ground.set({
        movable: { free: true, color: "both", dests: new Map() },
        premovable: { enabled: false },
        draggable: { deleteOnDropOff: true },
        events: { change: () => judge(), select: key => use(key) },
    });
}

/** A press on the board with a tool in hand is for the tool, not for the board. */
function press(event: MouseEvent | TouchEvent): void {
    if (!state.editing || tool.kind === "hand") return;
    const point = "touches" in event ? event.touches[0] : event;
    const key = point && boardApi().getKeyAtDomPos([point.clientX, point.clientY]);
    event.preventDefault();
    event.stopPropagation();
    if (key) use(key);
}

function use(key: Key): void {
    if (!state.editing || tool.kind === "hand") return;
    boardApi().setPieces(new Map([[key, tool.kind === "erase" ? undefined : tool.piece]]));
    boardApi().selectSquare(null);
    judge();
}

function palette(): HTMLElement {
    const box = h("div.palette", { role: "radiogroup", "aria-label": "What a click on a square does" });
    const choice = (label: string, value: Tool, inside: Node) => {
        const item = h(
            "label",
            { title: label },
            h("input", {
                type: "radio",
                name: "tool",
                "aria-label": label,
                checked: value.kind === "hand",
                onchange: () => {
                    tool = value;
                    free();
                },
            }),
            h("span.face", null, inside),
        );
        return item;
    };
    fill(
        box,
        choice("Move pieces", { kind: "hand" }, h("span.word", null, "Move")),
        ...(["white", "black"] as const).flatMap(color =>
            ROLES.map(role => choice(`${color} ${role}`, { kind: "piece", piece: { role, color } }, picture(role, color))),
        ),
        choice("Take pieces off", { kind: "erase" }, h("span.word", null, "Erase")),
    );
    return box;
}

export function buildEditor(): HTMLElement {
    const verdict = h("div.problem", { role: "status" });
    const text = h("code.fen");
    const go = button("analyse", "Analyse this position", () => void attempt(() => analysePosition(fenOf())), {
        kind: "primary",
    });
    const side = h("div");
    const castling = h("fieldset.rights", null, h("legend", null, "Castling rights"));
    const draw = () => {
        fill(
            side,
            segmented(
                "turn",
                "To move",
                [
                    ["white", "White"],
                    ["black", "Black"],
                ],
                turn,
                value => {
                    turn = value;
                    enPassant = "-";
                    judge();
                },
            ),
        );
        fill(
            castling,
            h("legend", null, "Castling rights"),
            ...RIGHTS.map(([letter, words]) =>
                h(
                    "label.switch",
                    null,
                    h("input", {
                        type: "checkbox",
                        checked: rights.includes(letter),
                        onchange: (e: Event) => {
                            const on = (e.target as HTMLInputElement).checked;
                            rights = RIGHTS.map(([l]) => l)
                                .filter(l => (l === letter ? on : rights.includes(l)))
                                .join("");
                            judge();
                        },
                    }),
                    h("span", null, words),
                ),
            ),
        );
    };
    let asked = "";
    judge = async () => {
        const fen = fenOf();
        asked = fen;
        text.textContent = fen;
        try {
            await api.check(fen);
            if (asked !== fen) return;
            fill(verdict);
            go.disabled = false;
        } catch (error) {
            if (!(error instanceof ApiError) || asked !== fen) return;
            go.disabled = true;
            showFenProblem(verdict, fen, error);
        }
    };
    const begin = (fen: string) => {
        load(fen);
        draw();
        free();
        judge();
    };
    const inner = document.querySelector<HTMLElement>(".board-inner");
    inner?.addEventListener("mousedown", press, true);
    inner?.addEventListener("touchstart", press, { capture: true, passive: false });
    let open = false;
    watch(["editing", "view"], () => {
        if (state.editing && state.view !== "analyse") set({ editing: false });
        if (state.editing === open) return;
        open = state.editing;
        if (open) return begin(nodeOf(state.node)?.fen ?? START);
        boardApi().set({
            draggable: { deleteOnDropOff: false },
            events: { change: undefined as never, select: undefined as never },
        });
        render();
    });
    return h(
        "div.card.editor",
        null,
        h("h2", null, "Set up a position"),
        palette(),
        side,
        castling,
        h(
            "div.row",
            null,
            button("", "Start position", () => begin(START)),
            button("", "Empty board", () => begin(`${EMPTY} w - - 0 1`)),
        ),
        text,
        verdict,
        h(
            "div.row",
            null,
            go,
            button("", "Cancel", () => set({ editing: false })),
        ),
    );
}
