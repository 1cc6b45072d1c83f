/* access.test.mjs - axe finds nothing serious in any view, at both sizes, in both colour schemes; nothing sticks out. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { AXE, Bench, DESKTOP, moved, newGame, PHONE, SKIP } from "./harness.mjs";

const bench = new Bench();
const VIEWS = ["Play", "Analyse", "Report", "Inside", "Games"];
before(async () => SKIP || bench.open());
after(async () => bench.close());

async function findings(page) {
    const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations);
    return found
        .filter(v => v.impact === "serious" || v.impact === "critical")
        .map(
            v =>
                `${v.id}: ${v.nodes
                    .map(n => n.target.join(" "))
                    .slice(0, 4)
                    .join(" | ")}`,
        );
}

/** Opens everything that can be folded in the shown view, so that nothing hides from the check. */
const unfold = page =>
    page.evaluate(() => document.querySelectorAll(".view:not([hidden]) details").forEach(d => (d.open = true)));

for (const [size, options] of [
    ["desktop", DESKTOP],
    ["phone", PHONE],
]) {
    for (const colorScheme of ["light", "dark"]) {
        test(`every view, ${size}, ${colorScheme}`, { skip: SKIP }, () =>
            bench.with({ ...options, colorScheme, bypassCSP: true }, async page => {
                await page.addScriptTag({ content: readFileSync(AXE, "utf8") });
                assert.deepEqual(await findings(page), [], "new game");
                await newGame(page);
                await page.locator(".view:not([hidden]) .entry input").fill("e4");
                await page.locator(".view:not([hidden]) .entry input").press("Enter");
                await moved(page, "e4");
                for (const view of VIEWS) {
                    await page.getByRole("link", { name: view, exact: true }).click();
                    await page.locator(".view:not([hidden])").waitFor();
                    if (view === "Analyse") {
                        await page.locator(".view:not([hidden]) .switch.big input").check();
                        await page.locator(".view:not([hidden]) .line .mv").first().waitFor();
                    }
                    if (view === "Inside") await page.locator(".terms tbody tr").first().waitFor();
                    if (view === "Report") {
                        await page.getByRole("button", { name: /Judge/ }).first().click();
                        await page.locator(".ring").first().waitFor();
                    }
                    if (view === "Games") await page.locator(".games li").first().waitFor();
                    await unfold(page);
                    assert.deepEqual(await findings(page), [], view);
                    const width = await page.evaluate(() => document.documentElement.scrollWidth);
                    assert.ok(width <= options.viewport.width, `${view} is ${width} pixels wide`);
                }
            }),
        );
    }
}
