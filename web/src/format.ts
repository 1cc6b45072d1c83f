/* format.ts - numbers, scores, moves and results as people read them. Pure functions. */
import type { Color, Game, Score, Side, About, TreeNode } from "./types";

/** "+0.34", "−1.20", "#5", "−#3": from White's side. */
export function scoreText(score: Score): string {
    if ("mate" in score) return `${score.mate < 0 ? "−" : ""}#${Math.abs(score.mate)}`;
    return cpText(score.cp);
}

export const cpText = (cp: number): string => `${cp > 0 ? "+" : cp < 0 ? "−" : ""}${(Math.abs(cp) / 100).toFixed(2)}`;

/** A score as one number of centipawns; a mate is beyond every evaluation. */
export const scoreCp = (score: Score): number =>
    "mate" in score ? Math.sign(score.mate || 1) * (10000 - Math.abs(score.mate)) : score.cp;

/** White's share of the evaluation bar and of graphs, 0..1: steep near zero, flat far out. */
export const scoreShare = (score: Score): number =>
    "mate" in score ? (score.mate >= 0 ? 1 : 0) : 1 / (1 + Math.exp(-score.cp / 270));

export function count(n: number): string {
    if (n < 1000) return String(Math.round(n));
    if (n < 1e6) return `${(n / 1e3).toFixed(n < 1e4 ? 1 : 0)} k`;
    if (n < 1e9) return `${(n / 1e6).toFixed(n < 1e7 ? 1 : 0)} M`;
    return `${(n / 1e9).toFixed(1)} G`;
}

export function duration(ms: number): string {
    if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
    const s = Math.round(ms / 1000);
    return s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, "0")} s`;
}

/** "12:05", "1:02:05", and tenths in the last seconds. */
export function clockText(ms: number): string {
    const left = Math.max(0, ms);
    if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
    const s = Math.ceil(left / 1000);
    const tail = `${String(Math.floor(s / 60) % 60).padStart(s >= 3600 ? 2 : 1, "0")}:${String(s % 60).padStart(2, "0")}`;
    return s >= 3600 ? `${Math.floor(s / 3600)}:${tail}` : tail;
}

export const percent = (share: number, digits = 0): string => `${(100 * share).toFixed(digits)} %`;

/** Number of the move that leads to a node: "12." or "12…". The ply of the first position's FEN decides, not ours. */
export function moveNumber(node: TreeNode): string {
    const [, turn, , , , full] = node.fen.split(" ");
    const number = Number(full ?? 1);
    return turn === "b" ? `${number}.` : `${number - 1}…`;
}

export const turnOf = (fen: string): Color => (fen.split(" ")[1] === "b" ? "black" : "white");
export const other = (color: Color): Color => (color === "white" ? "black" : "white");
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const PIECES: Record<string, string> = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

/** "Nxf3+" -> "knight takes f3, check": for the ear. */
export function sanInWords(san: string): string {
    const end = san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";
    const bare = san.replace(/[+#]/g, "");
    if (bare === "O-O") return `castles kingside${end}`;
    if (bare === "O-O-O") return `castles queenside${end}`;
    const [move = "", promoted] = bare.split("=");
    const piece = PIECES[move.charAt(0)];
    const rest = (piece ? move.slice(1) : move).replace("x", " takes ").replace(/([a-h]|[1-8])(?=[a-h][1-8]$)/, "$1 ");
    const words = `${piece ? `${piece} ` : ""}${rest}`.replace(/\s+/g, " ").trim();
    return `${words}${promoted ? `, promotes to ${PIECES[promoted]}` : ""}${end}`;
}

/** Figures of the pieces instead of letters: for the eye. */
const FIGURES: Record<string, string> = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘" };
export const figurine = (san: string): string => san.replace(/[KQRBN]/g, letter => FIGURES[letter] ?? letter);

export const NAGS: Record<number, string> = {
    1: "!",
    2: "?",
    3: "!!",
    4: "??",
    5: "!?",
    6: "?!",
    10: "=",
    13: "∞",
    14: "+/=",
    15: "=/+",
    16: "±",
    17: "∓",
    18: "+−",
    19: "−+",
};
export const NAG_WORDS: Record<number, string> = {
    1: "good move",
    2: "mistake",
    3: "brilliant move",
    4: "blunder",
    5: "interesting move",
    6: "dubious move",
    10: "equal",
    13: "unclear",
    14: "White is slightly better",
    15: "Black is slightly better",
    16: "White is better",
    17: "Black is better",
    18: "White is winning",
    19: "Black is winning",
};

const ENDS: Record<string, string> = {
    checkmate: "by checkmate",
    stalemate: "by stalemate",
    "insufficient material": "by lack of material",
    "seventy-five moves": "by the seventy-five-move rule",
    "fivefold repetition": "by fivefold repetition",
    "fifty moves": "by the fifty-move rule",
    "threefold repetition": "by threefold repetition",
    resignation: "by resignation",
    agreement: "by agreement",
    "time forfeit": "on time",
    "time forfeit against a bare king": "on time against a bare king",
};

export function resultText(game: Pick<Game, "result" | "end">): string {
    const how = game.end ? ` ${ENDS[game.end] ?? `(${game.end})`}` : "";
    if (game.result === "1-0") return `White wins${how}`;
    if (game.result === "0-1") return `Black wins${how}`;
    return game.result === "1/2-1/2" ? `Draw${how}` : "";
}

export const levelText = (about: About | null, level: number): string => {
    const found = about?.levels.find(l => l.level === level);
    return found ? `${found.name} · ${found.elo}` : `level ${level}`;
};

export function sideName(side: Side, about: About | null): string {
    if (side.name) return side.name;
    if (side.kind === "random") return "Random mover";
    return side.kind === "engine" ? `Tabia, ${levelText(about, side.level ?? 20)}` : "You";
}
