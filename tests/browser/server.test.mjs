/* server.test.mjs - the server dies in the middle of a game and comes back: the page says so, waits, and goes on. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Bench, DESKTOP, drag, moved, newGame, ready, sans, SKIP, startServer } from "./harness.mjs";

const bench = new Bench();
before(async () => SKIP || bench.open());
after(async () => bench.close());

test("killed and started again, the game goes on where it was", { skip: SKIP }, async () => {
    const page = await bench.page(DESKTOP);
    await newGame(page);
    await drag(page, "e2", "e4");
    await moved(page, "e4");
    await bench.server.end("SIGKILL");
    await page.locator(".banner").getByText("does not answer").waitFor();
    bench.server = await startServer(bench.data, bench.server.port);
    await page.locator(".banner").waitFor({ state: "hidden" });
    await ready(page);
    await drag(page, "e7", "e5");
    await moved(page, "e5");
    assert.deepEqual(await sans(page), ["e4", "e5"]);
    await page.reload();
    await moved(page, "e5");
    await page.context().close();
});

test("a move typed while the server is away is played when it is back", { skip: SKIP }, async () => {
    const page = await bench.page(DESKTOP);
    await newGame(page);
    await bench.server.end("SIGKILL");
    const field = page.locator(".view:not([hidden]) .entry input");
    await field.fill("d4");
    await field.press("Enter");
    await page.locator(".banner").getByText("Nothing is lost").waitFor();
    bench.server = await startServer(bench.data, bench.server.port);
    await moved(page, "d4");
    assert.deepEqual(await sans(page), ["d4"]);
    await page.context().close();
});
