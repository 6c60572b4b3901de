// Bundles the page into dist/, which is committed so that `cargo build` needs no Node.
// `--check` tells whether dist/ is what the sources give.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = new URL("./", import.meta.url);
const path = (name) => fileURLToPath(new URL(name, here));

const bundled = await build({
  absWorkingDir: path("."),
  entryPoints: ["src/main.ts"],
  bundle: true,
  write: false,
  format: "iife",
  target: ["chrome110", "firefox115", "safari16.4"],
  charset: "utf8",
  legalComments: "none",
  minifySyntax: true,
  minifyWhitespace: true,
});
const name = "dist/explorer.js";
const text = bundled.outputFiles[0].text;

if (process.argv.includes("--check")) {
  const found = await readFile(path(name), "utf8").catch(() => "");
  if (found !== text) {
    console.error(`${name} is not what the sources give: run \`npm run build\` and commit it.`);
    process.exitCode = 1;
  }
} else {
  await mkdir(path("dist"), { recursive: true });
  await writeFile(path(name), text);
}
