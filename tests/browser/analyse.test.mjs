/* analyse.test.mjs - analysis, texts and reports in a real browser. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Bench, DESKTOP, drag, moved, newGame, PHONE, PROGRAM, ready, sans, SKIP } from "./harness.mjs";

const bench = new Bench();
before(async () => SKIP || bench.open());
after(async () => bench.close());
const look = (name, options, work) => test(name, { skip: SKIP }, () => bench.with(options, work));

const SHORT = '[Event "Test"]\n[White "Ann"]\n[Black "Bob"]\n[Result "0-1"]\n\n1. f3 {weak} e5 (1... d5 2. e3) 2. g4 Qh4# 0-1\n';

/** Opens a game that stands in the text. */
async function paste(page, pgn) {
    await page.getByRole("link", { name: "Analyse" }).click();
    const texts = page.locator("details", { hasText: "Position and game as text" });
    if ((await texts.getAttribute("open")) === null) await texts.locator("summary").first().click();
    await page.locator("#pgn").fill(pgn);
    await page.locator(".pgnbox").getByRole("button", { name: "Read" }).click();
}

const engineSwitch = page => page.locator(".view:not([hidden]) .switch.big input");

look("lines with scores, arrows and figures; a click plays the move", DESKTOP, async page => {
    await newGame(page);
    await page.getByRole("link", { name: "Analyse" }).click();
    await ready(page);
    await engineSwitch(page).check();
    await page.locator(".view:not([hidden]) .line .score").nth(2).waitFor();
    await page.locator(".view:not([hidden]) .line .mv").first().waitFor();
    await page.locator(".view:not([hidden]) .stats").getByText("Depth").waitFor();
    assert.equal(await page.locator(".view:not([hidden]) .line").count(), 3);
    await page.locator(".cg-shapes line, .cg-shapes g").first().waitFor({ state: "attached" });
    const best = await page.locator(".view:not([hidden]) .line .mv").first().innerText();
    await page.locator(".view:not([hidden]) .line .mv").first().click();
    await page.locator(".moves .mv").first().waitFor();
    assert.match((await sans(page))[0], /^[a-hKQRBNO]/, best);
    await page.locator(".view:not([hidden]) .line .mv").first().waitFor();
    await engineSwitch(page).uncheck();
    await page.locator(".view:not([hidden]) .lines").first().waitFor();
});

look("variations, comments and marks; the keys walk through the tree", PHONE, async page => {
    await paste(page, SHORT);
    await moved(page, "Qh4#");
    assert.deepEqual(await sans(page), ["f3", "e5", "d5", "e3", "g4", "Qh4#"]);
    await page.locator(".moves .comment").getByText("weak").waitFor();
    const current = page.locator(".view:not([hidden]) .mv[aria-current] > span:first-child");
    await page.keyboard.press("Home");
    await page.waitForFunction(() => !document.querySelector(".view:not([hidden]) .mv[aria-current]"));
    for (const [key, san] of [
        ["ArrowRight", "f3"],
        ["ArrowRight", "e5"],
        ["ArrowDown", "d5"],
        ["ArrowRight", "e3"],
        ["ArrowLeft", "d5"],
        ["ArrowUp", "e5"],
        ["End", "Qh4#"],
    ]) {
        await page.keyboard.press(key);
        await current.getByText(san, { exact: true }).waitFor();
    }
    await page.locator("summary", { hasText: "Comment and marks" }).click();
    await page.getByRole("button", { name: "brilliant move" }).click();
    await page.locator(".mv[aria-current] .nag").getByText("!!").waitFor();
    await page.getByLabel("Comment", { exact: true }).fill("and mate");
    await page.getByLabel("Comment", { exact: true }).blur();
    await page.locator(".moves .comment").getByText("and mate").waitFor();
});

look("the FEN box shows the validator's sentence and marks the place", DESKTOP, async page => {
    await newGame(page);
    await page.getByRole("link", { name: "Analyse" }).click();
    await page.locator("summary", { hasText: "Position and game as text" }).click();
    const box = page.locator("#fen");
    for (const bad of [
        "",
        "8/8",
        "rnbqkbnr/ppppXppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "♔".repeat(300),
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
    ]) {
        await box.fill(bad);
        await box.press("Enter");
        await page.locator("#fen-problem p").waitFor();
        assert.ok((await page.locator("#fen-problem p").innerText()).length > 10);
        if (bad.includes("X")) assert.equal(await page.locator("#fen-problem mark").innerText(), "X");
    }
    await box.fill("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    await box.press("Enter");
    await page.locator("#fen-problem p").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.querySelectorAll("cg-board piece").length === 3);
    page.errors = page.errors.filter(text => !/422|400/.test(text)); // Chromium logs every refused request
});

look("the position editor sets up, is judged, and leads to analysis", DESKTOP, async page => {
    await newGame(page);
    await page.getByRole("link", { name: "Analyse" }).click();
    await page.locator("summary", { hasText: "Position and game as text" }).click();
    await page.getByRole("button", { name: "Set up a position" }).click();
    await page.getByRole("button", { name: "Empty board" }).click();
    await page.locator(".editor .problem p").waitFor();
    for (const [piece, square] of [
        ["white king", [4, 7]],
        ["black king", [4, 0]],
        ["white pawn", [0, 6]],
    ]) {
        await page.getByLabel(piece, { exact: true }).check();
        const box = await page.locator("cg-board").boundingBox();
        await page.mouse.click(box.x + ((square[0] + 0.5) * box.width) / 8, box.y + ((square[1] + 0.5) * box.height) / 8);
    }
    const go = page.getByRole("button", { name: "Analyse this position" });
    await page.waitForFunction(() => !document.querySelector(".editor .btn.primary").disabled);
    await go.click();
    await ready(page);
    await drag(page, "a2", "a4");
    await moved(page, "a4");
    page.errors = page.errors.filter(text => !text.includes("422"));
});

look("a PGN of a hundred games: all are there, one opens", DESKTOP, async page => {
    const file = join(bench.data, "hundred.txt");
    execFileSync(PROGRAM, ["match", "--engine", "random", "--engine", "random", "--games", "100", "--pgn", file], {
        stdio: "pipe",
    });
    await page.getByRole("link", { name: "Games" }).click();
    await page
        .locator("input[type=file]:not([disabled])")
        .last()
        .setInputFiles({ name: "hundred.pgn", mimeType: "text/plain", buffer: readFileSync(file) });
    await page.locator(".import-report").getByText("100 games read.").waitFor();
    await page.locator(".games li").nth(99).waitFor();
    await page.locator(".games li a").first().click();
    await page.locator(".view:not([hidden]) .moves .mv").first().waitFor();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.locator(".mv[aria-current]").waitFor();
});

look("broken PGN is reported by place and loses nothing", DESKTOP, async page => {
    await page.getByRole("link", { name: "Games" }).click();
    await page.locator("summary", { hasText: "Paste PGN" }).click();
    await page.getByLabel("PGN text").fill(`${SHORT}\n[Event "Bad"]\n\n1. e4 Ke4 *\n`);
    await page.locator(".gamesview").getByRole("button", { name: "Read", exact: true }).click();
    await page.locator(".import-report li").first().waitFor();
    assert.match(await page.locator(".import-report li").first().innerText(), /Game \d+, line \d+/);
});

look("the report judges the game; a verdict leads to its move; mistakes become questions", DESKTOP, async page => {
    await paste(page, "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n");
    await moved(page, "Qxf7#");
    await page.getByRole("link", { name: "Report" }).click();
    await page.getByRole("button", { name: "Judge this game" }).click();
    await page.locator(".ring").nth(1).waitFor();
    await page.locator(".verdict > button", { hasText: "Nf6" }).click();
    await page.locator(".mv[aria-current] > span:first-child").getByText("Nf6", { exact: true }).waitFor();
    await page.locator(".side.black").getByRole("button", { name: "Learn from these" }).click();
    await page.locator(".learn .say").getByText("Find a better move").waitFor();
    await ready(page);
    await drag(page, "a7", "a6"); // whatever is tried is searched
    await page.locator(".learn .say").getByText("a6 is not it (#1, because of Qxf7#). Try again.").waitFor();
    await page.getByRole("button", { name: "Show it" }).click();
    await page.locator(".learn .say").getByText("was better").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator(".ring").first().waitFor();
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await page.locator(".ring").nth(1).waitFor(); // the server knows that there is one
});

look("the look inside: plots, terms and a tree that unfolds", DESKTOP, async page => {
    await newGame(page);
    await page.getByRole("link", { name: "Inside" }).click();
    await page.locator(".terms tbody tr").nth(3).waitFor();
    await engineSwitch(page).check();
    await page.locator(".bars .bar").first().waitFor();
    await page.locator(".plot canvas").nth(1).waitFor();
    await page.locator(".growth").getByLabel("Depth", { exact: true }).selectOption("2");
    await page.getByRole("button", { name: "Grow the tree" }).click();
    await page.locator(".searchtree details details summary").first().click();
    await page.locator(".searchtree details details[open] .children > *").first().waitFor();
});

look("the look inside begins by itself: a button gives it a position", DESKTOP, async page => {
    await page.getByRole("link", { name: "Inside" }).click();
    await page.locator(".view:not([hidden]) .welcome").getByRole("button", { name: "Start position" }).click();
    await page.locator(".terms tbody tr").nth(3).waitFor();
    assert.match(page.url(), /#\/inside\//);
});
