/* main.ts - puts the page together: head, board, views; routes by the address (#/view/game); theme, banner, start. */
import "./css/all.css";
import { api } from "./api";
import { buildA11y } from "./a11y";
import { buildAnalyse } from "./analyse";
import { buildBoard } from "./board";
import { attempt, button, fill, h, icon } from "./dom";
import { bindEngine } from "./engine";
import { buildEvalBar } from "./evalbar";
import { buildGames } from "./games";
import { buildInside } from "./inside";
import { bindKeyboard, help } from "./keyboard";
import { buildPlay } from "./play";
import { buildPlayers } from "./players";
import { buildReport } from "./report";
import { goTo, hurry, humans, open, take, wasPlayed } from "./session";
import { set, setPrefs, state, VIEWS, watch, type View } from "./store";

const TITLES: Record<View, string> = { play: "Play", analyse: "Analyse", report: "Report", inside: "Inside", games: "Games" };
const THEMES = { auto: "light", light: "dark", dark: "auto" } as const;
const THEME_ICONS = { auto: "auto", light: "sun", dark: "moon" };

/** "#/analyse/0a1b2c3d": the view, and the game when one is named. */
function route(): void {
    const [, view, id] = location.hash.match(/^#\/(\w+)(?:\/([0-9a-f]{8}))?$/) ?? [];
    const known = VIEWS.find(v => v === view) ?? "play";
    set({ view: known });
    const wanted = id ?? state.game?.id ?? (known === "games" ? null : state.prefs.lastGame);
    if (wanted) open(wanted);
    document.title = `${TITLES[known]} · Tabia`;
}

/** Who analyses a game that is still on stops its clocks first: nobody loses on time while thinking about it. */
function pauseWhenLeaving(): void {
    watch(["view", "game"], () => {
        const game = state.game;
        const live =
            game && game.result === "*" && !game.paused && (game.thinking || game.clock?.running || humans(game).length < 2);
        if (live && (state.view === "analyse" || state.view === "inside" || state.view === "report"))
            void attempt(async () => take(await api.pause(game.id)));
    });
}

function nav(): HTMLElement {
    const links = VIEWS.map(view => h("a", { href: `#/${view}`, "data-view": view }, icon(view), h("span", null, TITLES[view])));
    watch(["view", "game"], () =>
        links.forEach(link => {
            const view = link.dataset["view"] as View;
            link.href = `#/${view}${state.game && view !== "games" ? `/${state.game.id}` : ""}`;
            if (view === state.view) link.setAttribute("aria-current", "page");
            else link.removeAttribute("aria-current");
        }),
    );
    return h("nav", { "aria-label": "Views" }, ...links);
}

function switches(): HTMLElement {
    const theme = h("button.btn.bare", { type: "button", onclick: () => setPrefs({ theme: THEMES[state.prefs.theme] }) });
    const sound = h("button.btn.bare", { type: "button", onclick: () => setPrefs({ sound: !state.prefs.sound }) });
    watch(["prefs"], () => {
        const label = `Colours: ${state.prefs.theme === "auto" ? "as the system" : state.prefs.theme}`;
        fill(theme, icon(THEME_ICONS[state.prefs.theme]));
        fill(sound, icon(state.prefs.sound ? "sound" : "mute"));
        for (const [element, text] of [
            [theme, label],
            [sound, state.prefs.sound ? "Sound is on" : "Sound is off"],
        ] as const) {
            element.title = text;
            element.setAttribute("aria-label", text);
        }
        if (state.prefs.theme === "auto") delete document.documentElement.dataset["theme"];
        else document.documentElement.dataset["theme"] = state.prefs.theme;
    });
    return h("div.switches", null, button("help", "Keys", help, { bare: true }), sound, theme);
}

function banner(): HTMLElement {
    const box = h("div.banner", { role: "alert" });
    watch(["status"], () => {
        box.hidden = state.status === "open";
        fill(
            box,
            ...(box.hidden
                ? []
                : [
                      h("b", null, "Tabia does not answer. "),
                      "Nothing is lost: the page asks again by itself and goes on as soon as the server is back. ",
                      button("", "Ask now", hurry),
                  ]),
        );
    });
    return box;
}

async function start(): Promise<void> {
    const app = document.getElementById("app") as HTMLElement;
    const board = buildBoard();
    const [top, bottom] = buildPlayers();
    const middle = h("div.boardrow", null, buildEvalBar(), board);
    const left = h("div.left", null, top, middle, bottom);
    const brand = h(
        "a.brand",
        { href: "#/play", "aria-label": "Tabia" },
        h("img", { src: "favicon.svg", alt: "", width: 26, height: 26 }),
        h("span", null, "Tabia"),
    );
    app.replaceChildren(
        h(
            "a.skip",
            {
                href: "#board",
                onclick: (e: Event) => {
                    e.preventDefault();
                    board.focus();
                },
            },
            "To the board",
        ),
        h("header", null, h("h1.sr-only", null, "Tabia"), brand, nav(), switches()),
        banner(),
        h("main", null, left),
    );
    const views: Record<View, HTMLElement> = {
        play: buildPlay(),
        analyse: buildAnalyse(),
        report: buildReport(),
        inside: buildInside(),
        games: buildGames(),
    };
    app.querySelector("main")?.append(h("div.right", null, ...VIEWS.map(view => views[view])), buildA11y());
    watch(["view"], () => {
        if (state.view === "play" && state.game && !wasPlayed(state.node)) goTo(state.game.current);
        for (const view of VIEWS) views[view].hidden = view !== state.view;
        document.body.dataset["view"] = state.view;
        scrollTo({ top: 0 });
    });
    bindKeyboard(board);
    bindEngine();
    pauseWhenLeaving();
    addEventListener("hashchange", route);
    addEventListener("online", hurry);
    route();
    await about();
}

/** Asks until the server says what it can; the page is of little use before. */
async function about(): Promise<void> {
    for (;;) {
        try {
            return set({ about: await api.about(), ...(state.game ? {} : { status: "open" }) });
        } catch {
            set({ status: "away" });
            await new Promise(resolve => setTimeout(resolve, 1000));
        }
    }
}

void start();
