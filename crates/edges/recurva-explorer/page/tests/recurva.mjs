// The real program, for tests that need what it writes.
import { execFile, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { output } from "./harness.mjs";

/** The binary, from RECURVA_BIN, as `cargo xtask` says it. */
export const binary = process.env["RECURVA_BIN"] ?? null;

/** Why tests are left out; false if they are not. */
export const missing = binary === null && "RECURVA_BIN does not name the recurva binary";

const repository = fileURLToPath(new URL("../../../../../", import.meta.url));

/** Writes the page of a question; gives its address and its document. */
export function htmlFile(name, ...question) {
  const path = `${output}${name}.html`;
  return new Promise((done, fail) => {
    const args = ["explore", ...question, "--quiet", "--html", path];
    execFile(binary, args, { cwd: repository }, (error, _out, err) => {
      // The exit code is that of the verdict: 0, 1 and 3 are answers.
      if (error && ![1, 3].includes(error.code))
        return fail(new Error(`${args.join(" ")}: ${err}`));
      const text = readFileSync(path, "utf8");
      const data = /<script type="application\/json" id="document">(.*?)<\/script>/s.exec(
        text,
      )?.[1];
      done({ address: `file://${path}`, document: JSON.parse(data ?? "null") });
    });
  });
}

/** Starts the explorer with a server. */
export function explorer(...question) {
  const child = spawn(binary, ["explore", ...question, "--quiet"], { cwd: repository });
  const ended = new Promise((done) => child.on("exit", done));
  return new Promise((done, fail) => {
    let said = "";
    child.stderr.on("data", (data) => (said += data));
    child.stdout.on("data", (data) => {
      said += data;
      const address = /http:\/\/\S+/.exec(said)?.[0];
      if (!address) return;
      done({
        address,
        async close() {
          child.kill("SIGINT");
          return ended;
        },
      });
    });
    child.on("error", fail);
    ended.then(() => fail(new Error(said)));
  });
}

/** A program whose check takes as long as one likes: three counters, of which one is never odd. */
export function longProgram() {
  const path = `${output}long.bp`;
  const counters = ["a", "b", "c"];
  const steps = counters.map(
    (name) => `    if (*) then ${name} := ${name} + ${name === "a" ? 2 : 1}; fi`,
  );
  writeFileSync(
    path,
    [
      `decl int(16) ${counters.join(", ")};`,
      "void main() begin",
      "  a := 0; b := 0; c := 0;",
      "  while (T) do",
      ...steps,
      "    if (a = 65535 & b = 65535 & c = 65535) then END: skip; fi",
      "  od",
      "end",
      "",
    ].join("\n"),
  );
  return path;
}
