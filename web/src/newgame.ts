/* newgame.ts - the form that starts a game: who plays, how strong, with how much time, from where. */
import { api, ApiError, type NewGame } from "./api";
import { h, segmented } from "./dom";
import { show } from "./session";
import { set, setPrefs, state, watch } from "./store";
import { showFenProblem } from "./text";
import type { Color, Side, TimeControl } from "./types";

type Mode = "engine" | "random" | "hand" | "watch";
type Choice = Record<"mode" | "color" | "level" | "level2" | "time" | "minutes" | "seconds" | "start" | "fen", string>;

const TIMES: [string, string][] = [
    ["none", "None"],
    ["1+0", "1+0"],
    ["3+2", "3+2"],
    ["5+3", "5+3"],
    ["10+5", "10+5"],
    ["30+20", "30+20"],
    ["own", "Own"],
];
const DEFAULTS: Choice = {
    mode: "engine",
    color: "white",
    level: "6",
    level2: "6",
    time: "none",
    minutes: "15",
    seconds: "10",
    start: "normal",
    fen: "",
};

function control(choice: Choice): TimeControl | undefined {
    if (choice.time === "none") return undefined;
    const [minutes, seconds] =
        choice.time === "own" ? [Number(choice.minutes), Number(choice.seconds)] : choice.time.split("+").map(Number);
    return { base_ms: Math.round((minutes ?? 0) * 60_000), increment_ms: Math.round((seconds ?? 0) * 1000) };
}

/** A start position of Chess960: bishops on both colours, the king between the rooks. */
export function shuffled(): string {
    const row: string[] = Array(8).fill("");
    const free = (odd?: number) =>
        row.map((p, i) => (p === "" && (odd === undefined || i % 2 === odd) ? i : -1)).filter(i => i >= 0);
    const put = (piece: string, places: number[]) => (row[places[Math.floor(Math.random() * places.length)] as number] = piece);
    put("b", free(0));
    put("b", free(1));
    for (const piece of "qnn") put(piece, free());
    free().forEach((place, i) => (row[place] = "rkr"[i] as string));
    const rooks = row.map((p, i) => (p === "r" ? String.fromCharCode(97 + i) : "")).join("");
    const rights = rooks[1]! + rooks[0]!;
    return `${row.join("")}/pppppppp/8/8/8/8/PPPPPPPP/${row.join("").toUpperCase()} w ${rights.toUpperCase()}${rights} - 0 1`;
}

function sides(choice: Choice): [Side, Side, Color] {
    const engine = (level: string): Side => ({ kind: "engine", level: Number(level) });
    const human: Side = { kind: "human" };
    if (choice.mode === "hand") return [human, human, "white"];
    if (choice.mode === "watch") return [engine(choice.level), engine(choice.level2), "white"];
    const color = choice.color === "either" ? (Math.random() < 0.5 ? "white" : "black") : (choice.color as Color);
    const rival: Side = choice.mode === "random" ? { kind: "random" } : engine(choice.level);
    return color === "white" ? [human, rival, color] : [rival, human, color];
}

/** Starts a game and shows it from the side of whoever plays. */
async function start(choice: Choice): Promise<void> {
    const [white, black, color] = sides(choice);
    const order: NewGame = { white, black };
    const time = control(choice);
    if (time) order.time = time;
    if (choice.start === "fen") order.fen = choice.fen.trim();
    if (choice.start === "960") Object.assign(order, { fen: shuffled(), chess960: true });
    const game = await api.newGame(order);
    set({ orientation: color });
    show(game);
    location.hash = `#/play/${game.id}`;
    scrollTo({ top: 0 });
}

/** The same players again, colours changed where one of them is a person. */
export async function rematch(): Promise<void> {
    const game = state.game;
    if (!game) return;
    const bare = ({ kind, level }: Side): Side => (kind === "engine" ? { kind, level: level ?? 20 } : { kind });
    const next = await api.newGame({
        white: bare(game.black),
        black: bare(game.white),
        ...(game.time ? { time: game.time } : {}),
    });
    const mine = next.white.kind === "human" ? "white" : next.black.kind === "human" ? "black" : "white";
    set({ orientation: mine });
    show(next);
    location.hash = `#/play/${next.id}`;
}

export function buildNewGame(): HTMLElement {
    const choice: Choice = { ...DEFAULTS, ...state.prefs.newGame };
    const keep = (change: Partial<Choice>) => {
        Object.assign(choice, change);
        setPrefs({ newGame: { ...choice } });
        adapt();
    };
    const level = (key: "level" | "level2", label: string) => {
        const select = h("select", { onchange: () => keep({ [key]: select.value }) });
        watch(["about"], () => {
            const levels = state.about?.levels ?? [];
            select.replaceChildren(
                ...levels.map(l =>
                    h("option", { value: l.level, selected: String(l.level) === choice[key] }, `${l.name} · ${l.elo} Elo`),
                ),
            );
        });
        const name = h("span", null, label);
        return { element: h("label.field", null, name, select), name };
    };
    const color = segmented(
        "color",
        "You play",
        [
            ["white", "White"],
            ["either", "Either"],
            ["black", "Black"],
        ],
        choice.color,
        value => keep({ color: value }),
    );
    const first = level("level", "Strength");
    const second = level("level2", "Black's strength");
    const number = (key: "minutes" | "seconds", label: string, max: number) =>
        h(
            "label.field.small",
            null,
            h("span", null, label),
            h("input", {
                type: "number",
                min: key === "minutes" ? 0.5 : 0,
                max,
                step: key === "minutes" ? 0.5 : 1,
                value: choice[key],
                required: true,
                oninput: (e: Event) => keep({ [key]: (e.target as HTMLInputElement).value }),
            }),
        );
    const own = h("div.row", null, number("minutes", "Minutes", 600), number("seconds", "Seconds a move", 600));
    const fen = h("input", {
        type: "text",
        value: choice.fen,
        spellcheck: "false",
        autocomplete: "off",
        oninput: () => keep({ fen: fen.value }),
    });
    const problem = h("div.problem", { role: "alert" });
    const fenField = h("label.field", null, h("span", null, "Position (FEN)"), fen);
    const form = h(
        "form.newgame",
        null,
        h("h2", null, "New game"),
        segmented<Mode>(
            "mode",
            "Opponent",
            [
                ["engine", "Tabia"],
                ["random", "Random mover"],
                ["hand", "Both by hand"],
                ["watch", "Engines"],
            ],
            choice.mode as Mode,
            value => keep({ mode: value }),
        ),
        color,
        first.element,
        second.element,
        segmented("time", "Clock, minutes + seconds a move", TIMES, choice.time, value => keep({ time: value })),
        own,
        segmented(
            "start",
            "Start",
            [
                ["normal", "Normal"],
                ["960", "Chess960"],
                ["fen", "Position"],
            ],
            choice.start,
            value => keep({ start: value }),
        ),
        fenField,
        problem,
        h("button.btn.primary.wide", { type: "submit" }, "Start"),
    );
    const adapt = () => {
        color.hidden = choice.mode === "hand" || choice.mode === "watch";
        first.element.hidden = choice.mode === "hand" || choice.mode === "random";
        first.name.textContent = choice.mode === "watch" ? "White's strength" : "Strength";
        second.element.hidden = choice.mode !== "watch";
        own.hidden = choice.time !== "own";
        for (const input of own.querySelectorAll("input")) input.disabled = own.hidden;
        fenField.hidden = choice.start !== "fen";
        problem.replaceChildren();
    };
    form.onsubmit = async event => {
        event.preventDefault();
        try {
            await start(choice);
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            showFenProblem(problem, choice.start === "fen" ? choice.fen.trim() : "", error);
        }
    };
    adapt();
    return form;
}
