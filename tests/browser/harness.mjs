/* harness.mjs - what the browser tests share: the real server on a free port with a folder of its own, a real Chromium, and the
 * ways to touch the page. A test that cannot run here (no Chromium, no Node packages, no page in the program) says why it skips.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const PROGRAM = process.env.TABIA || join(ROOT, "tabia");
const CHROMIUM = process.env.CHROMIUM || "/usr/bin/chromium";
const PLAYWRIGHT = join(ROOT, "web/node_modules/playwright-core/index.mjs");
export const AXE = join(ROOT, "web/node_modules/axe-core/axe.min.js");

export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
export const WAIT_MS = Number(process.env.TABIA_WAIT_MS) || 60_000; // a busy machine is slow, not broken

/** Why the tests cannot run here, or false. */
function obstacle() {
    if (!existsSync(CHROMIUM)) return `there is no ${CHROMIUM}`;
    if (!existsSync(PLAYWRIGHT)) return "web/node_modules is missing: run `npm ci --ignore-scripts` in web";
    if (!existsSync(PROGRAM)) return `there is no ${PROGRAM}`;
    try {
        execFileSync(PROGRAM, ["web", "--help"], { stdio: "pipe" });
    } catch {
        return "the program was built without the web server";
    }
    return false;
}
export const SKIP = obstacle();

/** Starts the server and resolves once it says where it is. */
export async function startServer(data, port = 0) {
    const child = spawn(PROGRAM, ["web", "--port", String(port), "--data", data], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    const url = await new Promise((resolve, reject) => {
        child.on("exit", code => reject(new Error(`the server ended with ${code}: ${said}`)));
        child.stdout.on("data", chunk => {
            said += chunk;
            const found = said.match(/http:\/\/[\w.:[\]]+/);
            if (found && said.includes("Ctrl-C")) resolve(found[0]);
        });
    });
    assert.ok(!said.includes("not part of this program"), "the program holds no page: run `make page`, then `make`");
    child.removeAllListeners("exit");
    const ended = new Promise(resolve => child.once("exit", resolve));
    return { url, port: Number(new URL(url).port), end: signal => (child.kill(signal ?? "SIGTERM"), ended) };
}

/** While one works on the page: takes its files from TABIA_DIST, with the headers of the program's own. */
async function fresh(context) {
    await context.route(/\/app\.(js|css)$/, async route => {
        const response = await route.fetch();
        const { "content-encoding": _, "content-length": __, ...headers } = response.headers();
        const name = new URL(route.request().url()).pathname;
        await route.fulfill({ status: 200, headers, body: readFileSync(join(process.env.TABIA_DIST, name)) });
    });
}

/** One server, one browser, for all tests of a file. */
export class Bench {
    async open() {
        const { chromium } = await import(PLAYWRIGHT);
        this.data = mkdtempSync(join(tmpdir(), "tabia-browser-"));
        this.server = await startServer(this.data);
        this.browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
    }

    async close() {
        await this.browser?.close();
        await this.server?.end();
        if (this.data) rmSync(this.data, { recursive: true, force: true });
    }

    /** A page in a context of its own; `errors` collects what its console and its scripts complain about. */
    async page(options = DESKTOP, address = "/#/play") {
        const context = await this.browser.newContext({ reducedMotion: "reduce", ...options });
        context.setDefaultTimeout(WAIT_MS);
        if (process.env.TABIA_DIST) await fresh(context);
        const page = await context.newPage();
        page.errors = [];
        page.on("console", message => message.type() === "error" && page.errors.push(message.text()));
        page.on("pageerror", error => page.errors.push(String(error)));
        await page.goto(this.server.url + address);
        await page.locator("cg-board").waitFor();
        return page;
    }

    /** Runs a test on a fresh page; a complaint in the console fails it. */
    async with(options, work, address) {
        const page = await this.page(options, address);
        try {
            await work(page);
            assert.deepEqual(page.errors, []);
        } finally {
            await page.context().close();
        }
    }
}

/** Asks the server from the page, as its own scripts do. */
export async function post(page, path, body) {
    const answer = await page.evaluate(
        async ([to, text]) =>
            (await fetch(to, { method: "POST", headers: { "Content-Type": "application/json" }, body: text })).json(),
        [path, JSON.stringify(body)],
    );
    assert.equal(answer.error, undefined);
    return answer;
}

/** Where a square is on the screen. */
export async function point(page, square) {
    const box = await page.locator("cg-board").boundingBox();
    const black = await page.locator(".orientation-black").count();
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square[1]) - 1;
    const [x, y] = black ? [7 - file, rank] : [file, 7 - rank];
    return { x: box.x + ((x + 0.5) * box.width) / 8, y: box.y + ((y + 0.5) * box.height) / 8 };
}

export async function drag(page, from, to) {
    const [a, b] = [await point(page, from), await point(page, to)];
    await page.mouse.move(a.x, a.y);
    await page.mouse.down();
    await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 4 });
    await page.mouse.move(b.x, b.y, { steps: 4 });
    await page.mouse.up();
}

export async function tap(page, square) {
    const { x, y } = await point(page, square);
    await page.touchscreen.tap(x, y);
}

/** Tab until the board has the focus. */
export async function focusBoard(page) {
    for (let i = 0; i < 80; i++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(() => document.activeElement?.id === "board")) return;
    }
    assert.fail("Tab never reaches the board");
}

/** Walks the keyboard's cursor from one square to another (White below) and presses Enter. */
export async function keysTo(page, from, to) {
    const [dx, dy] = [to.charCodeAt(0) - from.charCodeAt(0), Number(to[1]) - Number(from[1])];
    for (let i = 0; i < Math.abs(dx); i++) await page.keyboard.press(dx > 0 ? "ArrowRight" : "ArrowLeft");
    for (let i = 0; i < Math.abs(dy); i++) await page.keyboard.press(dy > 0 ? "ArrowUp" : "ArrowDown");
    await page.keyboard.press("Enter");
}

/** Fills in the form of a new game. mode: Tabia, Random mover, Both by hand, Engines. */
export async function newGame(page, { mode = "Both by hand", color = null, fen = null, level = null, byHand = true } = {}) {
    const form = page.locator("form.newgame");
    await form.locator("select option").first().waitFor({ state: "attached" });
    await form.getByLabel(mode, { exact: true }).check();
    if (color) await form.getByLabel(color, { exact: true }).check();
    if (level !== null) await form.locator("select").first().selectOption(String(level));
    await form.getByLabel(fen ? "Position" : "Normal", { exact: true }).check();
    if (fen) await form.getByLabel("Position (FEN)").fill(fen);
    await form.getByRole("button", { name: "Start", exact: true }).click();
    await page.locator(".controls").waitFor();
    if (byHand) await ready(page); // where nobody plays by hand the board never waits for a move
}

/** Waits until the board takes moves for the node it shows. */
export async function ready(page) {
    await page.locator("#board[aria-busy=false]").waitFor();
}

/** Waits for a move in the list of the view that is shown. */
export async function moved(page, san) {
    await page.locator(".view:not([hidden]) .moves .mv > span:first-child").getByText(san, { exact: true }).last().waitFor();
}

/** The moves of the shown list, in order. */
export const sans = page => page.locator(".view:not([hidden]) .moves .mv > span:first-child").allInnerTexts();

/** The placement that the hidden table tells. */
export const tableCell = (page, square) =>
    page
        .locator(`#board-text tbody tr:nth-child(${9 - Number(square[1])}) td:nth-of-type(${square.charCodeAt(0) - 96})`)
        .textContent();
