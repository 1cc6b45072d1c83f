/* store.ts - the state of the page: one value, changed by `set`, watched by key. What a reload should keep is in `prefs`. */
import type { About, Game, Iteration, Line, Look, Report } from "./types";
import type { Color } from "./types";

export const VIEWS = ["play", "analyse", "report", "inside", "games"] as const;
export type View = (typeof VIEWS)[number];

/** What the engine is told for analysis; names of UCI options as /api/about lists them. */
export interface EnginePrefs {
    multipv: number;
    depth: number;
    movetime_s: number;
    nodes_k: number;
    featuresOff: string[];
    options: Record<string, string>;
}

export interface Prefs {
    theme: "auto" | "light" | "dark";
    sound: boolean;
    arrows: boolean;
    engine: EnginePrefs;
    lastGame: string | null;
    newGame: Record<string, string>;
}

/** A try in "learn from your mistakes": while set, moves on the board go here and not to the server. */
export interface Quiz {
    node: number;
    side: Color;
    answer: (uci: string) => void;
}

export interface State {
    about: About | null;
    view: View;
    game: Game | null;
    gameAt: number; // performance.now() when `game` came: its clocks are of that moment
    node: number; // the node on the board
    look: Look | null; // facts about that node, null while they are on their way
    orientation: Color;
    status: "open" | "away";
    analysing: boolean;
    threat: boolean;
    lines: { node: number; threat: boolean; lines: Line[] } | null;
    engineLines: { node: number; lines: Line[] } | null; // what an engine player thinks
    iterations: Iteration[];
    progress: { done: number; total: number } | null;
    report: Report | null;
    hint: { node: number; uci: string; san: string } | null;
    quiz: Quiz | null;
    editing: boolean;
    prefs: Prefs;
}

const KEY = "tabia";
const DEFAULTS: Prefs = {
    theme: "auto",
    sound: false,
    arrows: true,
    engine: { multipv: 3, depth: 0, movetime_s: 0, nodes_k: 0, featuresOff: [], options: {} },
    lastGame: null,
    newGame: {},
};

function loadPrefs(): Prefs {
    try {
        const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
        return { ...DEFAULTS, ...kept, engine: { ...DEFAULTS.engine, ...kept.engine } };
    } catch {
        return DEFAULTS;
    }
}

export const state: State = {
    about: null,
    view: "play",
    game: null,
    gameAt: 0,
    node: 0,
    look: null,
    orientation: "white",
    status: "open",
    analysing: false,
    threat: false,
    lines: null,
    engineLines: null,
    iterations: [],
    progress: null,
    report: null,
    hint: null,
    quiz: null,
    editing: false,
    prefs: loadPrefs(),
};

type Key = keyof State;
const watchers: { keys: Key[]; run: () => void }[] = [];
const changed = new Set<Key>();
let scheduled = false;

function flush(): void {
    scheduled = false;
    const now = new Set(changed);
    changed.clear();
    for (const watcher of watchers) if (watcher.keys.some(key => now.has(key))) watcher.run();
}

/** Changes the state; watchers run once, after the caller's turn. */
export function set(change: Partial<State>): void {
    for (const key of Object.keys(change) as Key[]) {
        if (state[key] === change[key]) continue;
        Object.assign(state, { [key]: change[key] });
        changed.add(key);
    }
    if (changed.size && !scheduled) {
        scheduled = true;
        queueMicrotask(flush);
    }
}

export function setPrefs(change: Partial<Prefs>): void {
    set({ prefs: { ...state.prefs, ...change } });
    try {
        localStorage.setItem(KEY, JSON.stringify(state.prefs));
    } catch {
        // a browser that keeps nothing still plays
    }
}

/** Runs now and after every change of one of the keys. */
export function watch(keys: Key[], run: () => void): void {
    watchers.push({ keys, run });
    run();
}

/** The same, but only while one of the views is shown; coming to it counts as a change. */
export function watchIn(views: View[], keys: Key[], run: () => void): void {
    watch([...keys, "view"], () => {
        if (views.includes(state.view)) run();
    });
}
