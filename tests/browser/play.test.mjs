/* play.test.mjs - games in a real browser: by drag, by tap, by keyboard; special moves; mating and being mated. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
    Bench,
    DESKTOP,
    drag,
    focusBoard,
    keysTo,
    moved,
    newGame,
    PHONE,
    post,
    ready,
    sans,
    SKIP,
    tableCell,
    tap,
} from "./harness.mjs";

const bench = new Bench();
before(async () => SKIP || bench.open());
after(async () => bench.close());
const play = (name, options, work) => test(name, { skip: SKIP }, () => bench.with(options, work));

const ended = (page, text) => page.locator(".ending").getByText(text).first().waitFor();

play("a whole game by drag ends with the mate", DESKTOP, async page => {
    await newGame(page);
    for (const [from, to, san] of [
        ["f2", "f3", "f3"],
        ["e7", "e5", "e5"],
        ["g2", "g4", "g4"],
        ["d8", "h4", "Qh4#"],
    ]) {
        await ready(page);
        await drag(page, from, to);
        await moved(page, san);
    }
    await ended(page, "Black wins by checkmate.");
    assert.deepEqual(await sans(page), ["f3", "e5", "g4", "Qh4#"]);
});

play("the random mover answers a dragged move", DESKTOP, async page => {
    await newGame(page, { mode: "Random mover", color: "White" });
    await drag(page, "e2", "e4");
    await page.locator(".moves .mv").nth(1).waitFor();
    assert.equal((await sans(page))[0], "e4");
});

play("by tap at phone size, against the engine", PHONE, async page => {
    await newGame(page, { mode: "Tabia", color: "White", level: 0 });
    await tap(page, "e2");
    await page.locator("square.move-dest").first().waitFor();
    assert.equal(await page.locator("square.move-dest").count(), 2);
    await tap(page, "e4");
    await page.locator(".moves .mv").nth(1).waitFor();
    await page.getByRole("button", { name: "Takeback" }).click();
    await page.locator(".moves .empty").waitFor();
});

play("by keyboard alone: the cursor, Enter, and the voice", DESKTOP, async page => {
    await newGame(page);
    await focusBoard(page);
    await keysTo(page, "e2", "e2");
    assert.match(await page.locator("#live").textContent(), /e2, white pawn picked up. It can go to .*e4/);
    await keysTo(page, "e2", "e4");
    await moved(page, "e4");
    await page.waitForFunction(() => document.getElementById("live").textContent.startsWith("White: e4"));
    await ready(page);
    await keysTo(page, "e4", "d7");
    await keysTo(page, "d7", "d5");
    await moved(page, "d5");
    assert.equal(await tableCell(page, "d5"), "black pawn");
    assert.equal(await tableCell(page, "d7"), "empty");
});

play("typed moves, SAN and UCI, and a sentence for a wrong one", DESKTOP, async page => {
    await newGame(page);
    const field = page.locator(".view:not([hidden]) .entry input");
    for (const [text, san] of [
        ["e4", "e4"],
        ["g8f6", "Nf6"],
        ["b1 c3", "Nc3"],
    ]) {
        await field.fill(text);
        await field.press("Enter");
        await moved(page, san);
    }
    await field.fill("Ke7");
    await field.press("Enter");
    await page.locator(".entry .problem").getByText("Ke7").first().waitFor();
    assert.equal((await sans(page)).length, 3);
    page.errors = page.errors.filter(text => !text.includes("422")); // Chromium logs every refused request
});

play("promotion asks for the piece and can be taken back", DESKTOP, async page => {
    await newGame(page, { fen: "8/P6k/8/8/8/8/8/K7 w - - 0 1" });
    await drag(page, "a7", "a8");
    await page.locator("dialog.promotion").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog.promotion").waitFor({ state: "detached" });
    assert.equal(await tableCell(page, "a7"), "white pawn");
    await drag(page, "a7", "a8");
    await page.getByRole("button", { name: "knight" }).click();
    await moved(page, "a8=N");
    assert.equal(await tableCell(page, "a8"), "white knight");
});

play("castling by king move and by taking the own rook", DESKTOP, async page => {
    await newGame(page, { fen: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1" });
    await drag(page, "e1", "g1");
    await moved(page, "O-O");
    await ready(page);
    await drag(page, "e8", "a8");
    await moved(page, "O-O-O");
    assert.equal(await tableCell(page, "f1"), "white rook");
    assert.equal(await tableCell(page, "c8"), "black king");
    assert.equal(await tableCell(page, "d8"), "black rook");
});

play("en passant takes the pawn off the board", PHONE, async page => {
    await newGame(page, { fen: "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1" });
    await tap(page, "d7");
    await tap(page, "d5");
    await moved(page, "d5");
    await ready(page);
    await tap(page, "e5");
    await page.locator("square.move-dest").first().waitFor();
    await tap(page, "d6");
    await moved(page, "exd6");
    assert.equal(await tableCell(page, "d5"), "empty");
    assert.equal(await page.locator("cg-board piece.black.pawn").count(), 0);
});

play("mating the engine", DESKTOP, async page => {
    await newGame(page, { mode: "Tabia", color: "White", fen: "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1" });
    await drag(page, "a1", "a8");
    await ended(page, "You won");
});

play("being mated by the engine", DESKTOP, async page => {
    await newGame(page, { mode: "Tabia", color: "White", level: 20, fen: "4r1k1/5ppp/8/8/8/8/P4PPP/6K1 w - - 0 1" });
    await drag(page, "a2", "a3");
    await ended(page, "You lost");
    await moved(page, "Re1#");
});

play("a move made while the engine thinks is played when it has moved", DESKTOP, async page => {
    const thinker = { kind: "engine", level: 20, movetime_ms: 600_000 }; // it does not answer by itself
    const fen = "rnbqkbn1/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1"; // no book knows it
    const game = await post(page, "/api/games", { black: thinker, fen });
    await page.goto(`${bench.server.url}/#/play/${game.id}`);
    await ready(page);
    await drag(page, "e2", "e4");
    await moved(page, "e4");
    await drag(page, "d2", "d4"); // legal whatever Black answers
    await page.locator("square.current-premove").nth(1).waitFor();
    assert.deepEqual(await sans(page), ["e4"]);
    await post(page, `/api/games/${game.id}/play`, { black: { kind: "random" } });
    await moved(page, "d4");
    assert.equal((await sans(page))[2], "d4");
    assert.equal(await tableCell(page, "d4"), "white pawn");
});

play("moves tried in the analysis stay out of the game", DESKTOP, async page => {
    await newGame(page);
    await drag(page, "e2", "e4");
    await moved(page, "e4");
    await page.getByRole("link", { name: "Analyse" }).click();
    await ready(page);
    await drag(page, "c7", "c5");
    await moved(page, "c5");
    await page.getByRole("link", { name: "Play", exact: true }).click();
    await page.locator(".view:not([hidden]) .moves .mv").nth(1).waitFor({ state: "detached" }); // the analysis has two
    await ready(page);
    assert.deepEqual(await sans(page), ["e4"]);
    assert.equal(await tableCell(page, "c7"), "black pawn");
    await drag(page, "e7", "e5");
    await moved(page, "e5");
    assert.deepEqual((await sans(page)).slice(0, 2), ["e4", "e5"]);
});

play("engines play each other, pause and go on; the board turns; a new game begins", DESKTOP, async page => {
    await newGame(page, { mode: "Engines", level: 20, byHand: false }); // strong ones take their time
    await page.locator(".moves .mv").nth(1).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.getByRole("button", { name: "Flip" }).click();
    await page.locator(".orientation-black").waitFor();
    await page.getByRole("button", { name: "New game" }).click();
    await page.locator("form.newgame").waitFor();
});

play("hint, draw offer and resigning", DESKTOP, async page => {
    await newGame(page, { mode: "Tabia", color: "White", level: 0, fen: "4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1" });
    await page.getByRole("button", { name: "Hint" }).click();
    await page.locator(".toast").getByText("Try ").waitFor();
    await page.getByRole("button", { name: "Draw" }).click();
    await page
        .locator(".toast")
        .getByText(/draw is (declined|agreed)/)
        .waitFor();
    await page.getByRole("button", { name: "Resign" }).click();
    await page.locator("dialog.ask").getByRole("button", { name: "Resign" }).click();
    await page.locator(".ending").waitFor();
});
