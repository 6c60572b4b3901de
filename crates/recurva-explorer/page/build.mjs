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
const files = {
  "dist/explorer.js": bundled.outputFiles[0].text,
  "dist/explorer.css": await readFile(path("src/style.css"), "utf8"),
  "dist/index.html": await readFile(path("src/index.html"), "utf8"),
};

if (process.argv.includes("--check")) {
  for (const [name, text] of Object.entries(files)) {
    const found = await readFile(path(name), "utf8").catch(() => "");
    if (found !== text) {
      console.error(`${name} is not what the sources give: run \`npm run build\` and commit it.`);
      process.exitCode = 1;
    }
  }
} else {
  await mkdir(path("dist"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path(name), text);
}
