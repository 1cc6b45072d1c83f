/* engine.ts - keeps the engine on the node that the board shows, for as long as analysis is on.
 *
 * Every change of node, options or connection gives the server one new order; the server ends the old one itself. Lines come
 * through the stream (session.ts).
 */
import { api, ApiError, type AnalyseOrder } from "./api";
import { toast } from "./dom";
import { set, state, watch, type EnginePrefs } from "./store";

const SETTLE_MS = 120; // walking fast through a game asks for the last position only

let timer = 0;
let running: string | null = null; // the game that is analysed

/** The engine's options as UCI names and text. */
export function optionsOf(prefs: EnginePrefs): Record<string, string> {
    const off = prefs.featuresOff.map(name => `-${name}`).join(",");
    return { ...prefs.options, ...(off ? { Features: off } : {}) };
}

function order(): AnalyseOrder {
    const { engine } = state.prefs;
    return {
        node: state.node,
        multipv: state.threat ? 1 : engine.multipv,
        options: optionsOf(engine),
        ...(engine.depth ? { depth: engine.depth } : {}),
        ...(engine.movetime_s ? { movetime_ms: Math.round(1000 * engine.movetime_s) } : {}),
        ...(engine.nodes_k ? { nodes: Math.round(1000 * engine.nodes_k) } : {}),
        ...(state.threat ? { threat: true } : {}),
    };
}

async function send(): Promise<void> {
    const game = state.game;
    if (!game) return;
    const want = order();
    const over = state.look?.node === want.node && state.look.end !== null;
    set({ lines: null, iterations: [] });
    if (over) return stop();
    try {
        running = game.id;
        await api.analyse(game.id, want);
    } catch (error) {
        if (!(error instanceof ApiError) || error.offline) return;
        if (state.threat) set({ threat: false });
        else set({ analysing: false });
        toast(error.message, "error");
    }
}

function stop(): void {
    const id = running;
    running = null;
    if (id) api.stop(id).catch(() => undefined);
}

/** Wanted where its lines are shown, and never while somebody has to find a move by himself. */
const wanted = (): boolean =>
    state.analysing &&
    !!state.game &&
    !state.quiz &&
    !state.editing &&
    state.status === "open" &&
    (state.view === "analyse" || state.view === "inside");

export function bindEngine(): void {
    let last = "";
    watch(["analysing", "threat", "node", "look", "view", "quiz", "editing", "status", "prefs", "game"], () => {
        const key = wanted() ? JSON.stringify([state.game?.id, order(), state.look?.node === state.node]) : "";
        if (key === last) return;
        last = key;
        clearTimeout(timer);
        if (key === "") stop();
        else if (state.look?.node === state.node) timer = window.setTimeout(() => void send(), SETTLE_MS);
    });
    watch(["node"], () => state.threat && set({ threat: false }));
}
