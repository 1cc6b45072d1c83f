/* build.mjs - bundles the page into dist/: index.html, app.js, app.css, favicon.svg. `--watch` rebuilds on every change. */
import * as esbuild from "esbuild";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const FILES = ["index.html", "favicon.svg"];
const LIMIT = 150 * 1024; // of all files together, gzipped

process.chdir(new URL(".", import.meta.url).pathname);
await mkdir("dist", { recursive: true });
for (const name of FILES) await copyFile(`src/${name}`, `dist/${name}`);

const options = {
    entryPoints: { app: "src/main.ts" },
    outdir: "dist",
    bundle: true,
    minify: true,
    target: ["es2021"],
    loader: { ".svg": "dataurl" },
    legalComments: "none",
    logLevel: "warning",
};
if (process.argv.includes("--watch")) {
    await (await esbuild.context(options)).watch();
} else {
    await esbuild.build(options);
    let total = 0;
    for (const name of [...FILES, "app.js", "app.css"]) total += gzipSync(await readFile(`dist/${name}`), { level: 9 }).length;
    console.log(`web/dist: ${(total / 1024).toFixed(1)} KB gzipped`);
    if (total > LIMIT) throw new Error(`the page is larger than ${LIMIT / 1024} KB`);
}
