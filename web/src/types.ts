/* types.ts - the values of the server's JSON API (docs/api.md), as the page reads them. */

export type Color = "white" | "black";
export type Score = { cp: number } | { mate: number };
export type Wdl = [number, number, number];
export type Result = "*" | "1-0" | "0-1" | "1/2-1/2";
export type Judgement = "inaccuracy" | "mistake" | "blunder";
export type Phase = "opening" | "middlegame" | "endgame";

export interface Line {
    multipv: number;
    depth: number;
    seldepth: number;
    score: Score;
    bound: "exact" | "lower" | "upper";
    wdl?: Wdl;
    nodes: number;
    nps: number;
    hashfull: number;
    tbhits: number;
    time_ms: number;
    uci: string[];
    san: string[];
}

export interface Side {
    kind: "human" | "engine" | "random";
    name?: string;
    level?: number;
    movetime_ms?: number;
}

export interface Opening {
    eco: string;
    name: string;
}

export interface TreeNode {
    id: number;
    parent: number | null;
    ply: number;
    uci?: string;
    san?: string;
    fen: string;
    check: boolean;
    nags: number[];
    comment: string;
    children: number[];
    eval?: Score;
    opening?: Opening;
}

export interface TimeControl {
    base_ms: number;
    increment_ms: number;
}

export interface Clock {
    white_ms: number;
    black_ms: number;
    running: Color | null;
}

export interface Game {
    id: string;
    revision: number;
    white: Side;
    black: Side;
    result: Result;
    end: string | null;
    headers: Record<string, string>;
    time: TimeControl | null;
    clock: Clock | null;
    start_fen: string;
    chess960: boolean;
    current: number;
    thinking: boolean;
    paused?: boolean;
    draw_offer: Color | null;
    has_report: boolean;
    nodes: TreeNode[];
}

export interface BookMove {
    uci: string;
    san: string;
    weight: number;
    games?: number;
    score?: number;
}

export interface Look {
    node: number;
    fen: string;
    turn: Color;
    check: boolean;
    dests: Record<string, string[]>;
    promotions: string[];
    moves: { uci: string; san: string }[];
    end: string | null;
    result: Result;
    opening?: Opening | null;
    book: BookMove[];
    table: { wdl: string; dtz: number | null; best?: string } | null;
    material: { white: number; black: number };
}

export interface GameSummary {
    id: string;
    white: string;
    black: string;
    result: Result;
    plies: number;
    date: string;
    event?: string;
    opening?: string | Opening | null;
}

export interface ImportError {
    game: number;
    line: number;
    column: number;
    text: string;
}

export interface EngineOption {
    name: string;
    type: "check" | "spin" | "combo" | "string" | "button";
    default?: string | number | boolean;
    min?: number;
    max?: number;
    choices?: string[];
}

export interface Level {
    level: number;
    name: string;
    elo: number;
}

export interface About {
    version: string;
    commit?: string;
    levels: Level[];
    options: EngineOption[];
    features: { name: string; text: string }[];
    evals: string[];
    searches: string[];
    network: { name: string; hidden: number; buckets: number } | null;
    limits: { games: number; threads: number; hash_mb: number; multipv: number };
}

export interface Info {
    game: string;
    node: number;
    purpose: "analysis" | "threat" | "engine" | "hint";
    lines: Line[];
}

export interface Done {
    game: string;
    node: number;
    purpose: Info["purpose"];
    best: string | null;
}

export interface Iteration {
    game: string;
    node: number;
    depth: number;
    nodes: number;
    qnodes: number;
    branching: number | null;
    cutoffs_first: number;
    cutoffs_by_move: number[];
    tt_hits: number;
    hashfull: number;
}

export interface SideReport {
    accuracy: number | null;
    loss: number | null;
    inaccuracies: number;
    mistakes: number;
    blunders: number;
    phases: Partial<Record<Phase, { accuracy: number | null; loss: number | null } | null>>;
}

export interface ReportMove {
    node: number;
    ply: number;
    san: string;
    score: Score;
    best: { uci: string; san: string; line: string[]; score?: Score } | null;
    loss: number;
    judgement: Judgement | null;
    phase?: Phase;
}

export interface Report {
    game: string;
    white: SideReport;
    black: SideReport;
    moves: ReportMove[];
}

export interface Term {
    name: string;
    words: string;
    white: { mg: number; eg: number };
    black: { mg: number; eg: number };
    value: number;
}

export interface Explanation {
    terms: Term[];
    total: number;
    phase: number;
    network: number | null;
}

export interface TraceNode {
    move: string | null;
    san?: string;
    score: Score;
    alpha: number | null;
    beta: number | null;
    depth: number;
    kind: string;
    nodes: number;
    children: TraceNode[];
}

export interface Trace {
    root: TraceNode;
    depth: number;
    truncated: boolean;
}
