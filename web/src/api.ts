/* api.ts - every request the page makes. A failed request throws ApiError with the server's own sentence. */
import type {
    About,
    Explanation,
    Game,
    GameSummary,
    ImportError,
    Line,
    Look,
    Report,
    Score,
    Side,
    TimeControl,
    Trace,
    Color,
} from "./types";

export class ApiError extends Error {
    constructor(
        readonly code: string,
        text: string,
        readonly status: number,
        readonly offset?: number,
    ) {
        super(text);
    }

    /** True when no answer came at all: the server is away, not unwilling. */
    get offline(): boolean {
        return this.code === "offline";
    }
}

async function failure(response: Response): Promise<ApiError> {
    try {
        const { error } = await response.json();
        return new ApiError(error.code, error.text, response.status, error.offset);
    } catch {
        return new ApiError("http", `The server answered with status ${response.status}.`, response.status);
    }
}

async function call(method: string, path: string, body?: unknown): Promise<Response> {
    let response: Response;
    try {
        response = await fetch(path, {
            method,
            ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
        });
    } catch {
        throw new ApiError("offline", "Tabia does not answer. It will be asked again as soon as it is back.", 0);
    }
    if (!response.ok) throw await failure(response);
    return response;
}

const get = async <T>(path: string): Promise<T> => (await call("GET", path)).json();
const post = async <T>(path: string, body: unknown = {}): Promise<T> => (await call("POST", path, body)).json();
const of = (id: string, what = ""): string => `/api/games/${id}${what}`;

export interface NewGame {
    white: Side;
    black: Side;
    fen?: string;
    chess960?: boolean;
    time?: TimeControl;
}

export interface AnalyseOrder {
    node: number;
    multipv: number;
    depth?: number;
    movetime_ms?: number;
    nodes?: number;
    options?: Record<string, string>;
    threat?: boolean;
    moves?: string[];
}

export interface TreeOrder {
    op: "comment" | "nag" | "delete" | "promote" | "current";
    node: number;
    text?: string;
    nag?: number;
}

export const api = {
    about: () => get<About>("/api/about"),
    games: async () => (await get<{ games: GameSummary[] }>("/api/games")).games,
    newGame: (order: NewGame) => post<Game>("/api/games", order),
    importPgn: (pgn: string) => post<{ games: GameSummary[]; errors: ImportError[] }>("/api/games/import", { pgn }),
    game: (id: string) => get<Game>(of(id)),
    remove: async (id: string) => void (await call("DELETE", of(id))),
    pgn: async (id: string) => (await call("GET", of(id, "/pgn"))).text(),
    look: (id: string, node: number) => get<Look>(of(id, `/look?node=${node}`)),
    move: (id: string, move: string, node: number, analysis: boolean) =>
        post<{ node: number; game: Game }>(of(id, "/move"), { move, node, ...(analysis ? { analysis } : {}) }),
    takeback: (id: string) => post<Game>(of(id, "/takeback")),
    resign: (id: string, side: Color) => post<Game | { game: Game }>(of(id, "/resign"), { side }),
    draw: (id: string, side: Color) => post<{ accepted: boolean; game: Game }>(of(id, "/draw"), { side }),
    hint: (id: string) => post<{ uci: string; san: string; score: Score }>(of(id, "/hint")),
    play: (id: string, order: { white?: Side; black?: Side; time?: TimeControl } = {}) => post<Game>(of(id, "/play"), order),
    pause: (id: string) => post<Game>(of(id, "/pause")),
    tree: (id: string, order: TreeOrder) => post<Game>(of(id, "/tree"), order),
    headers: (id: string, headers: Record<string, string>) => post<Game>(of(id, "/headers"), headers),
    analyse: (id: string, order: AnalyseOrder) => post<Record<string, never>>(of(id, "/analyse"), order),
    stop: (id: string) => post<Record<string, never>>(of(id, "/stop")),
    startReport: (id: string, effort: { movetime_ms?: number; nodes?: number }) =>
        post<Record<string, never>>(of(id, "/report"), effort),
    report: (id: string) => get<Report>(of(id, "/report")),
    check: (fen: string, chess960 = false) =>
        post<Omit<Look, "node"> & { ok: true }>("/api/check", { fen, ...(chess960 ? { chess960 } : {}) }),
    explain: (fen: string) => post<Explanation>("/api/explain", { fen }),
    trace: (fen: string, depth: number, options: Record<string, boolean>) => post<Trace>("/api/trace", { fen, depth, options }),
};

/** The best line of a set, if there is one. */
export const first = (lines: Line[]): Line | undefined => lines.find(line => line.multipv === 1) ?? lines[0];
