/* session.ts - the game that is open: its stream, the node on the board, and every way to change it.
 *
 * The server is the authority. A change comes back twice (as the answer and as a `game` event); `revision` drops the older.
 * A move that could not be sent because the server was away is kept and sent when the stream is back, if it still fits.
 */
import { api, ApiError } from "./api";
import { attempt, toast } from "./dom";
import { GameStream } from "./events";
import { other, turnOf } from "./format";
import { set, setPrefs, state } from "./store";
import type { Color, Game, Look, TreeNode } from "./types";

let stream: GameStream | null = null;
let waiting: { game: string; node: number; move: string; analysis: boolean } | null = null;
let nodes = new Map<number, TreeNode>();
const looks = new Map<string, Look>();
const LOOKS_KEPT = 500;

export const nodeOf = (id: number | null | undefined): TreeNode | undefined =>
    id === null || id === undefined ? undefined : nodes.get(id);
export const atEnd = (): boolean => !!state.game && state.node === state.game.current;
export const sideOf = (game: Game, color: Color) => (color === "white" ? game.white : game.black);

/** The colours a person plays. */
export const humans = (game: Game): Color[] =>
    (["white", "black"] as const).filter(color => sideOf(game, color).kind === "human");

/** From the start to the end of the main line. */
export function mainLine(): TreeNode[] {
    const line: TreeNode[] = [];
    for (let node = nodes.get(0); node; node = nodeOf(node.children[0])) line.push(node);
    return line;
}

/** From the start to a node. */
export function pathTo(id: number): TreeNode[] {
    const path: TreeNode[] = [];
    for (let node = nodes.get(id); node; node = nodeOf(node.parent)) path.unshift(node);
    return path;
}

/** Takes a game that came from the server, unless a newer one is here already. */
export function take(game: Game, fresh = false): void {
    const before = state.game;
    if (before && before.id === game.id && !fresh && game.revision < before.revision) return;
    const follow = !before || before.id !== game.id || state.node === before.current;
    nodes = new Map(game.nodes.map(node => [node.id, node]));
    set({ game, gameAt: performance.now() });
    const moved = !before || before.id !== game.id || before.current !== game.current;
    if ((follow && moved && !state.quiz) || !nodes.has(state.node)) goTo(firstShown(game));
    else void loadLook();
}

/** Where a game opens: at the end of what was played; where nothing was, of what was looked at. */
function firstShown(game: Game): number {
    if (game.current !== 0 || state.view === "play") return game.current;
    return mainLine().pop()?.id ?? 0;
}

/** Whether a node belongs to what was played; the rest of the tree is analysis. */
export const wasPlayed = (id: number): boolean => !!state.game && pathTo(state.game.current).some(node => node.id === id);

export function goTo(id: number): void {
    if (!nodes.has(id)) return;
    const same = state.node === id;
    set({ node: id, ...(same ? {} : { look: null, hint: null }) });
    void loadLook();
}

async function loadLook(): Promise<void> {
    const { game, node } = state;
    const at = nodes.get(node);
    if (!game || !at) return;
    const key = `${game.id}:${node}:${at.fen}`;
    const known = looks.get(key);
    if (known) return set({ look: known });
    try {
        const look = await api.look(game.id, node);
        if (looks.size > LOOKS_KEPT) looks.clear();
        looks.set(key, look);
        if (state.game?.id === game.id && state.node === node) set({ look });
    } catch (error) {
        if (!(error instanceof ApiError && error.offline)) toast((error as Error).message, "error");
    }
}

async function loadReport(id: string): Promise<void> {
    const report = await api.report(id).catch(() => null);
    if (report && state.game?.id === id) set({ report });
}

export function close(): void {
    stream?.close();
    stream = null;
    nodes = new Map();
    set({
        game: null,
        look: null,
        lines: null,
        engineLines: null,
        report: null,
        progress: null,
        iterations: [],
        analysing: false,
        quiz: null,
        status: "open",
    });
}

/** Opens a game by its id; the rest comes through its stream. */
export function open(id: string): void {
    if (stream?.id === id) return;
    close();
    stream = new GameStream(id, {
        game: (game, fresh) => {
            take(game, fresh);
            if (fresh) void resend();
            if (fresh && game.has_report && state.report?.game !== game.id) void loadReport(game.id);
        },
        info: ({ node, purpose, lines }) => {
            if (purpose === "engine") set({ engineLines: { node, lines } });
            else if (purpose !== "hint") set({ lines: { node, threat: purpose === "threat", lines } });
        },
        done: () => undefined,
        iteration: iteration => {
            const kept = state.iterations.filter(i => i.node === iteration.node && i.depth < iteration.depth);
            set({ iterations: [...kept, iteration] });
        },
        progress: progress => set({ progress }),
        report: report => set({ report, progress: null }),
        failed: ({ text }) => toast(text, "error"),
        status: status => {
            if (status !== "gone") return set({ status });
            toast("This game is no longer there.", "error");
            setPrefs({ lastGame: null });
            close();
            location.hash = "#/games";
        },
    });
    setPrefs({ lastGame: id });
}

/** Shows a game that the server just gave us. */
export function show(game: Game): void {
    open(game.id);
    take(game, true);
}

export function hurry(): void {
    stream?.hurry();
}

/** Plays a move on the board's node: in the Play view it is played, elsewhere it becomes a variation. */
export async function move(text: string): Promise<string | null> {
    const { game, node } = state;
    if (!game) return "There is no game: start one first.";
    const analysis = state.view !== "play";
    try {
        await send(game.id, node, text, analysis);
        return null;
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.offline) {
            waiting = { game: game.id, node, move: text, analysis };
            set({ status: "away" });
        }
        return error.message;
    }
}

async function send(id: string, node: number, text: string, analysis: boolean): Promise<void> {
    const done = await api.move(id, text, node, analysis);
    take(done.game);
    if (state.game?.id === id) goTo(analysis ? done.node : state.game.current);
}

async function resend(): Promise<void> {
    const kept = waiting;
    waiting = null;
    if (!kept || kept.game !== state.game?.id) return;
    if (kept.analysis ? !nodes.has(kept.node) : state.game.current !== kept.node) return; // it had arrived, or fits no more
    await attempt(() => send(kept.game, kept.node, kept.move, kept.analysis));
}

/** Plays several moves one after the other from a node, as variations. */
export async function playLine(from: number, moves: string[]): Promise<void> {
    const game = state.game;
    if (!game) return;
    await attempt(async () => {
        let at = from;
        for (const text of moves) {
            const done = await api.move(game.id, text, at, true);
            take(done.game);
            at = done.node;
        }
        goTo(at);
    });
}

/** Which colour the person at the board may move now; "both" when it is all his. */
export function movable(): Color | "both" | undefined {
    const { game, look } = state;
    if (!game || state.status === "away") return undefined;
    if (state.quiz) return state.quiz.side;
    if (state.view !== "play") return "both";
    if (game.result !== "*" || !atEnd() || game.paused) return undefined;
    const mine = humans(game);
    if (mine.length === 2) return look?.turn ?? turnOf(nodeOf(state.node)?.fen ?? "");
    return mine[0];
}

/** Steps through the game: along the line, to its ends, or to the next variation. */
export function step(where: "first" | "prev" | "next" | "last" | "up" | "down"): void {
    const node = nodeOf(state.node);
    if (!node || state.quiz) return;
    if (state.view === "play" && (where === "last" || (where === "next" && atEnd()))) return goTo(state.game?.current ?? 0);
    if (where === "first") goTo(0);
    if (where === "prev" && node.parent !== null) goTo(node.parent);
    if (where === "next" && node.children[0] !== undefined) goTo(node.children[0]);
    if (where === "last") {
        let end = node;
        for (let next = nodeOf(end.children[0]); next; next = nodeOf(end.children[0])) end = next;
        goTo(end.id);
    }
    if (where === "up" || where === "down") {
        const siblings = nodeOf(node.parent)?.children ?? [];
        const next = siblings[siblings.indexOf(node.id) + (where === "down" ? 1 : -1)];
        if (next !== undefined) goTo(next);
    }
}

/** Whose last move it was at a node. */
export const moverOf = (node: TreeNode): Color => other(turnOf(node.fen));
