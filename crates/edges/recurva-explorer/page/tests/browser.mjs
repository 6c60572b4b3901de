// Runs the browser tests: finds (or installs) Chromium first and says so if that is impossible.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromiumPath } from "./chromium.mjs";

if (process.env["RECURVA_NO_BROWSER"] === "1") {
  console.log("The browser tests are left out: RECURVA_NO_BROWSER is set.");
} else {
  try {
    process.env["CHROMIUM"] = chromiumPath();
  } catch (problem) {
    console.error(problem.message);
    process.exit(1);
  }
  const folder = fileURLToPath(new URL("browser/", import.meta.url));
  const wanted = process.argv.slice(2);
  const tests = readdirSync(folder)
    .filter((name) => name.endsWith(".test.mjs"))
    .filter((name) => wanted.length === 0 || wanted.some((each) => name.startsWith(each)))
    .map((name) => `${folder}${name}`);
  const flags = ["--test", "--test-concurrency=1", "--test-reporter=spec"];
  process.exitCode =
    spawnSync(process.execPath, [...flags, ...tests], { stdio: "inherit" }).status ?? 1;
}
