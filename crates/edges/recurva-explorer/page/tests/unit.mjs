// Bundles the page's logic for Node and runs the tests in tests/unit.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const modules = [
  "address",
  "commands",
  "run",
  "search",
  "store",
  "text",
  "tree",
  "visited",
  "words",
  "machine/scene",
];

await build({
  absWorkingDir: path("."),
  stdin: {
    contents: modules
      .map((name) => `export * as ${name.split("/").at(-1)} from "./src/${name}.js";`)
      .join("\n"),
    resolveDir: path("."),
    loader: "ts",
  },
  bundle: true,
  format: "esm",
  platform: "node",
  outfile: path("test-output/logic.mjs"),
});
const tests = readdirSync(path("tests/unit")).map((name) => path(`tests/unit/${name}`));
process.exitCode =
  spawnSync(process.execPath, ["--test", ...tests], { stdio: "inherit" }).status ?? 1;
