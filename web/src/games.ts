/* games.ts - the Games view: all games the server keeps; open, read in, delete. */
import { api } from "./api";
import { ask, attempt, button, fill, h } from "./dom";
import { close } from "./session";
import { setPrefs, state, watchIn } from "./store";
import { fileButton, importText } from "./text";
import type { GameSummary } from "./types";

const PAGE = 200;

const opening = (game: GameSummary): string =>
    typeof game.opening === "string" ? game.opening : game.opening ? `${game.opening.eco} ${game.opening.name}` : "";

export function buildGames(): HTMLElement {
    let games: GameSummary[] | null = null;
    let most = PAGE;
    const filter = h("input", {
        type: "search",
        placeholder: "Name, opening, result …",
        "aria-label": "Filter the games",
        oninput: () => draw(),
    });
    const number = h("span.muted", { role: "status" });
    const list = h("ul.games");
    const more = button("", "Show more", () => {
        most += PAGE;
        draw();
    });
    const remove = async (game: GameSummary) => {
        if (!(await ask(`Delete ${game.white} – ${game.black}? This cannot be undone.`, "Delete"))) return;
        await attempt(async () => {
            await api.remove(game.id);
            if (state.game?.id === game.id) {
                close();
                setPrefs({ lastGame: null });
            }
            await load();
        });
    };
    const item = (game: GameSummary) =>
        h(
            "li",
            { class: state.game?.id === game.id ? "current" : "" },
            h(
                "a",
                {
                    href: `#/${game.plies ? "analyse" : "play"}/${game.id}`,
                    "aria-current": state.game?.id === game.id ? "true" : undefined,
                },
                h("span.names", null, game.white, h("span.vs", null, "–"), game.black),
                h("span.res", null, game.result.replace("1/2-1/2", "½–½").replace("-", "–").replace("*", "in play")),
                h(
                    "span.more",
                    null,
                    [
                        opening(game),
                        game.event && game.event !== "?" ? game.event : "",
                        `${Math.ceil(game.plies / 2)} moves`,
                        game.date,
                    ]
                        .filter(Boolean)
                        .join(" · "),
                ),
            ),
            button("trash", `Delete ${game.white} – ${game.black}`, () => void remove(game), { bare: true }),
        );
    const draw = () => {
        const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = (games ?? []).filter(g => {
            const text = `${g.white} ${g.black} ${g.result} ${opening(g)} ${g.event ?? ""} ${g.date}`.toLowerCase();
            return words.every(w => text.includes(w));
        });
        fill(
            number,
            games === null
                ? ""
                : found.length === games.length
                  ? `${games.length} ${games.length === 1 ? "game" : "games"}`
                  : `${found.length} of ${games.length}`,
        );
        fill(list, ...found.slice(0, most).map(item));
        if (games && !found.length)
            fill(
                list,
                h(
                    "li.none",
                    null,
                    h("p.empty", null, games.length ? "No game fits." : "No games yet. Play one, or read a PGN file."),
                ),
            );
        more.hidden = found.length <= most;
    };
    const load = async () => {
        games = (await attempt(() => api.games())) ?? games;
        draw();
    };
    const report = h("div", { role: "status" });
    const area = h("textarea", {
        rows: 5,
        spellcheck: "false",
        "aria-label": "PGN text",
        placeholder: "Paste one game or many.",
    });
    const read = async (text: string) => {
        await importText(text, report);
        await load();
    };
    let was = "";
    watchIn(["games"], ["game", "status"], () => {
        const key = `${state.view}:${state.status}:${state.game?.id}`;
        draw();
        if (key !== was || state.status === "open") void load();
        was = key;
    });
    return h(
        "section.view.gamesview",
        { "aria-label": "Games" },
        h(
            "div.row.spread",
            null,
            h("h2", null, "Games"),
            h(
                "div.row",
                null,
                fileButton("Read PGN file", text => void read(text)),
                button(
                    "plus",
                    "New game",
                    () => {
                        close();
                        setPrefs({ lastGame: null });
                        location.hash = "#/play";
                    },
                    { kind: "primary" },
                ),
            ),
        ),
        report,
        h(
            "details.section",
            null,
            h("summary", null, "Paste PGN"),
            area,
            h(
                "div.row",
                null,
                button("", "Read", () => void read(area.value)),
            ),
        ),
        h("div.row.filter", null, filter, number),
        list,
        more,
    );
}
