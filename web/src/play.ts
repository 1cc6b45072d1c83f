/* play.ts - the Play view: a game against somebody, with what one may do in it; without a game, the form that starts one. */
import { api } from "./api";
import { ask, attempt, button, fill, h, toast } from "./dom";
import { buildEntry, buildWalk } from "./entry";
import { flip } from "./board";
import { capital, other, resultText, turnOf } from "./format";
import { buildNewGame, rematch } from "./newgame";
import { humans, nodeOf, take } from "./session";
import { set, state, watchIn } from "./store";
import { buildTree } from "./tree";
import type { Color, Game } from "./types";

/** The colour on whose behalf the buttons act: the person's, or whoever is on move when both are by hand. */
function actor(game: Game): Color {
    const mine = humans(game);
    return mine.length === 1 ? (mine[0] as Color) : turnOf(nodeOf(game.current)?.fen ?? "");
}

async function takeback(): Promise<void> {
    const game = state.game;
    if (game) await attempt(async () => take(await api.takeback(game.id)));
}

async function hint(): Promise<void> {
    const game = state.game;
    if (!game) return;
    await attempt(async () => {
        const found = await api.hint(game.id);
        set({ hint: { node: game.current, uci: found.uci, san: found.san } });
        toast(`Try ${found.san}.`);
    });
}

async function resign(): Promise<void> {
    const game = state.game;
    if (!game || !(await ask(`Resign as ${capital(actor(game))}?`, "Resign"))) return;
    await attempt(async () => {
        const answer = await api.resign(game.id, actor(game));
        take("game" in answer ? answer.game : answer);
    });
}

async function draw(): Promise<void> {
    const game = state.game;
    if (!game) return;
    await attempt(async () => {
        const answer = await api.draw(
            game.id,
            game.draw_offer && humans(game).length === 2 ? other(game.draw_offer) : actor(game),
        );
        take(answer.game);
        if (answer.accepted) toast("The draw is agreed.");
        else toast(humans(game).length === 2 ? "A draw is offered: the other side may accept." : "The draw is declined.");
    });
}

async function go(order: "play" | "pause"): Promise<void> {
    const game = state.game;
    if (game) await attempt(async () => take(await (order === "play" ? api.play(game.id) : api.pause(game.id))));
}

function controls(onNew: () => void): HTMLElement {
    const back = button("back", "Takeback", () => void takeback());
    const help = button("hint", "Hint", () => void hint());
    const offer = button("draw", "Draw", () => void draw());
    const give = button("flag", "Resign", () => void resign());
    const stop = button("pause", "Pause", () => void go("pause"));
    const goOn = button("next", "Go on", () => void go("play"), { kind: "primary" });
    const row = h(
        "div.controls",
        { role: "group", "aria-label": "Game" },
        goOn,
        back,
        help,
        offer,
        give,
        stop,
        button("flip", "Flip", flip),
        button("plus", "New game", onNew),
    );
    watchIn(["play"], ["game", "status"], () => {
        const game = state.game;
        const live = !!game && game.result === "*";
        const people = game ? humans(game).length : 0;
        goOn.hidden = !live || !game?.paused;
        stop.hidden = !live || !!game?.paused || people > 0;
        for (const one of [offer, give]) one.hidden = !live || people === 0;
        back.hidden = people === 0 || (people === 2 && !live); // a game that others finished stays as it is
        help.hidden = !live || people === 0 || !!game?.paused;
        back.disabled = !game || game.current === 0;
        help.disabled = !game || game.thinking;
        (offer.lastChild as HTMLElement).textContent = game?.draw_offer && people === 2 ? "Accept draw" : "Draw";
        for (const one of row.querySelectorAll("button"))
            if (state.status === "away" && one !== row.lastChild)
                one.disabled = one.querySelector("span")?.textContent !== "Flip";
    });
    return row;
}

function statusLine(): HTMLElement {
    const line = h("div.status");
    watchIn(["play"], ["game", "look", "node"], () => {
        const game = state.game;
        if (!game) return fill(line);
        const opening = state.look?.opening ?? nodeOf(state.node)?.opening;
        const mine = humans(game);
        const turn = turnOf(nodeOf(game.current)?.fen ?? "");
        const text =
            game.result !== "*"
                ? resultText(game)
                : game.paused
                  ? "The game is paused."
                  : mine.length === 1
                    ? turn === mine[0]
                        ? "Your move."
                        : "Tabia is on move.".replace("Tabia", game[turn].kind === "random" ? "The random mover" : "Tabia")
                    : `${capital(turn)} to move.`;
        fill(
            line,
            h("p.now", null, text, state.look?.check && game.result === "*" ? h("strong.check", null, " Check.") : null),
            opening ? h("p.opening", null, h("span.eco", null, opening.eco), ` ${opening.name}`) : null,
        );
    });
    return line;
}

function ending(): HTMLElement {
    const card = h("div.card.ending");
    watchIn(["play"], ["game"], () => {
        const game = state.game;
        card.hidden = !game || game.result === "*";
        if (!game || card.hidden) return;
        const mine = humans(game);
        const won = (game.result === "1-0" && mine[0] === "white") || (game.result === "0-1" && mine[0] === "black");
        const title =
            mine.length !== 1
                ? resultText(game).split(" by ")[0]
                : game.result === "1/2-1/2"
                  ? "A draw"
                  : won
                    ? "You won"
                    : "You lost";
        fill(
            card,
            h("div.score", null, game.result.replace("1/2-1/2", "½–½").replace("-", "–")),
            h("div", null, h("h2", null, title ?? ""), game.end ? h("p", null, `${resultText(game)}.`) : null),
            h(
                "div.row",
                null,
                button("report", "Report", () => (location.hash = `#/report/${game.id}`), { kind: "primary" }),
                button("analyse", "Analyse", () => (location.hash = `#/analyse/${game.id}`)),
                button("flip", "Rematch", () => void attempt(rematch)),
            ),
        );
    });
    return card;
}

export function buildPlay(): HTMLElement {
    const form = buildNewGame();
    const entry = buildEntry();
    let asking = false;
    const cancel = button(
        "",
        "Back to the game",
        () => {
            asking = false;
            adapt();
        },
        { kind: "quiet" },
    );
    const table = h(
        "div.table",
        null,
        statusLine(),
        ending(),
        controls(() => {
            asking = true;
            adapt();
        }),
        buildTree("play"),
        buildWalk(),
        entry,
    );
    const start = h("div.card", null, form, cancel);
    const adapt = () => {
        start.hidden = !!state.game && !asking;
        table.hidden = !start.hidden;
        cancel.hidden = !state.game;
    };
    let shown: string | undefined;
    watchIn(["play"], ["game"], () => {
        if (state.game?.id !== shown) asking = false;
        shown = state.game?.id;
        entry.hidden = state.game?.result !== "*"; // no move can be played when the game is over
        adapt();
    });
    return h("section.view", { "aria-label": "Play" }, start, table);
}
