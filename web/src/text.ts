/* text.ts - positions and games as text: the FEN box with the validator's sentence, PGN paste, open and save. */
import { api, ApiError } from "./api";
import { attempt, button, download, fill, h, toast } from "./dom";
import { nodeOf, show } from "./session";
import { set, state, watchIn } from "./store";
import type { GameSummary, ImportError } from "./types";

/** The server's sentence, and the text with the place it means marked. */
export function showFenProblem(where: HTMLElement, text: string, error: ApiError): void {
    const bytes = new TextEncoder().encode(text);
    const at = error.offset;
    const decode = (from: number, to?: number) => new TextDecoder().decode(bytes.subarray(from, to));
    const marked =
        at !== undefined && text && at <= bytes.length
            ? h("code.marked", null, decode(0, at), h("mark", null, decode(at, at + 1) || "␣"), decode(at + 1))
            : null;
    fill(where, h("p", null, error.message), marked);
}

/** A new game for analysis from a position: both sides by hand. It opens in the view that asked, as a rule Analyse. */
export async function analysePosition(fen: string, chess960 = false, view = "analyse"): Promise<void> {
    const game = await api.newGame({
        white: { kind: "human", name: "White" },
        black: { kind: "human", name: "Black" },
        fen,
        ...(chess960 ? { chess960 } : {}),
    });
    show(game);
    set({ editing: false });
    location.hash = `#/${view}/${game.id}`;
}

/** "3 games read" and what could not be read. */
export function importReport(games: GameSummary[], errors: ImportError[]): HTMLElement {
    return h(
        "div.import-report",
        null,
        h("p", null, games.length === 1 ? "1 game read." : `${games.length} games read.`),
        errors.length
            ? h(
                  "details",
                  { open: errors.length < 4 },
                  h("summary", null, errors.length === 1 ? "1 problem" : `${errors.length} problems`),
                  h(
                      "ul",
                      null,
                      ...errors
                          .slice(0, 50)
                          .map(e => h("li", null, `Game ${e.game}, line ${e.line}, column ${e.column}: ${e.text}`)),
                  ),
              )
            : null,
    );
}

/** Reads PGN text; one game is opened at once, of several the list is shown. */
export async function importText(pgn: string, report: HTMLElement): Promise<void> {
    if (!pgn.trim()) return fill(report, h("p.problem", null, "There is no PGN text: paste a game first."));
    try {
        const { games, errors } = await api.importPgn(pgn);
        fill(report, importReport(games, errors));
        const only = games[0];
        if (errors.length) return; // they are to be read
        if (games.length === 1 && only) location.hash = `#/analyse/${only.id}`;
        else if (games.length > 1) location.hash = "#/games";
        if (games.length) toast(games.length === 1 ? "1 game read." : `${games.length} games read.`);
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        fill(report, h("p.problem", null, error.message));
    }
}

export function fileButton(label: string, take: (text: string) => void): HTMLElement {
    const input = h("input", {
        type: "file",
        accept: ".pgn,.txt,application/x-chess-pgn,text/plain",
        multiple: true,
        hidden: true,
        "aria-label": label,
    });
    input.onchange = async () => {
        const texts = await Promise.all([...(input.files ?? [])].map(file => file.text()));
        input.value = "";
        take(texts.join("\n\n"));
    };
    return h(
        "span",
        null,
        input,
        button("open", label, () => input.click()),
    );
}

export function buildFenBox(): HTMLElement {
    const input = h("input", {
        id: "fen",
        type: "text",
        spellcheck: "false",
        autocomplete: "off",
        "aria-describedby": "fen-problem",
    });
    const problem = h("div.problem", { id: "fen-problem", role: "alert" });
    const form = h(
        "form.fenbox",
        null,
        h("label", { for: "fen" }, "FEN"),
        input,
        h("button.btn", { type: "submit" }, "Set up"),
        button("", "Copy", () => void navigator.clipboard?.writeText(input.value).then(() => toast("Copied."))),
        problem,
    );
    let changed = false;
    input.oninput = async () => {
        changed = true;
        const text = input.value.trim();
        input.removeAttribute("aria-invalid");
        fill(problem);
        if (!text) return;
        try {
            await api.check(text);
        } catch (error) {
            if (!(error instanceof ApiError) || error.offline || input.value.trim() !== text) return;
            input.setAttribute("aria-invalid", "true");
            showFenProblem(problem, text, error);
        }
    };
    form.onsubmit = async event => {
        event.preventDefault();
        const text = input.value.trim();
        if (!text) return fill(problem, h("p", null, "There is no position in the box: paste a FEN, or set one up by hand."));
        try {
            await analysePosition(text);
            changed = false;
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            input.setAttribute("aria-invalid", "true");
            showFenProblem(problem, text, error);
        }
    };
    watchIn(["analyse"], ["node", "game"], () => {
        const fen = nodeOf(state.node)?.fen;
        if (!fen || (changed && document.activeElement === input)) return;
        changed = false;
        input.value = fen;
        input.removeAttribute("aria-invalid");
        fill(problem);
    });
    return form;
}

export function buildPgnBox(): HTMLElement {
    const area = h("textarea", { id: "pgn", rows: 5, spellcheck: "false", placeholder: "Paste one game or many." });
    const report = h("div", { role: "status" });
    const save = async () => {
        const game = state.game;
        if (game)
            await attempt(async () =>
                download(
                    `${game.headers["White"] ?? "White"}-${game.headers["Black"] ?? "Black"}.pgn`.replace(/[^\w.-]+/g, "_"),
                    await api.pgn(game.id),
                ),
            );
    };
    const copy = async () => {
        const game = state.game;
        if (game)
            await attempt(async () => {
                await navigator.clipboard.writeText(await api.pgn(game.id));
                toast("Copied.");
            });
    };
    return h(
        "div.pgnbox",
        null,
        h("label", { for: "pgn" }, "PGN"),
        area,
        h(
            "div.row",
            null,
            button("", "Read", () => void importText(area.value, report)),
            fileButton("Open file", text => void importText(text, report)),
            button("save", "Save game", () => void save()),
            button("", "Copy game", () => void copy()),
        ),
        report,
    );
}
