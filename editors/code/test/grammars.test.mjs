// Tokens of samples of each language.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const root = path.resolve(import.meta.dirname, "..");
const wasm = readFileSync(path.join(root, "node_modules/vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));

const { contributes } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const { path: file } = contributes.grammars.find((it) => it.scopeName === scope);
    return textmate.parseRawGrammar(readFileSync(path.join(root, file), "utf8"), file);
  },
});

/** The words of a text that have a scope of their own. */
async function tokens(scope, text) {
  const grammar = await registry.loadGrammar(scope);
  let state = textmate.INITIAL;
  const found = [];
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const { startIndex, endIndex, scopes } of result.tokens) {
      const word = line.slice(startIndex, endIndex).trim();
      if (scopes.length > 1 && word !== "") {
        found.push(`${word} ${scopes.at(-1)}`);
      }
    }
  }
  return found;
}

async function expect(scope, text, expected) {
  const found = await tokens(scope, text);
  for (const token of expected) {
    assert.ok(found.includes(token), `${token} is not among\n${found.join("\n")}`);
  }
}

test("boolean programs", () =>
  expect("source.recurva.bp", "decl int(8) n; // note\nL: n := f(n) + 12;\ngoto L; assert(T);", [
    "decl storage.type",
    "int storage.type",
    "// note comment.line.double-slash",
    "L entity.name.label",
    ":= keyword.operator",
    "f entity.name.function",
    "12 constant.numeric",
    "goto keyword.control",
    "assert keyword.control",
    "T constant.language",
  ]));

test("Remopla", () =>
  expect("source.recurva.remopla", "module void main() {\n  A i (0,1) a[i] = undef;\n  :: true -> break; /* x */", [
    "module storage.type",
    "main entity.name.function",
    "A keyword.operator.word",
    "undef keyword.control",
    ":: keyword.control",
    "true constant.language",
    "-> keyword.operator",
    "/* comment.block",
  ]));

test("systems of any size", () =>
  expect("source.recurva.rmc", "process { state : idle, token }\ntransition pass : token/idle\nbad two : .* # x\nlive on : forall i : G a[i]", [
    "process keyword.control",
    "state variable.other",
    "pass entity.name.function",
    "two entity.name.type",
    "# x comment.line.number-sign",
    "forall keyword.other",
  ]));

test("monitors in PAL", () =>
  expect("source.recurva.pal", 'event open {\n pattern { $1 = fopen($?); }\n local int n;\n guard { n == 0 }', [
    "event keyword.control",
    "open entity.name.type",
    "$1 variable.parameter",
    "$? variable.parameter",
    "fopen entity.name.function",
    "local storage.modifier",
    "guard keyword.control",
  ]));

test("formulas", () =>
  expect("source.recurva.formulas", 'taken: G(@f::acquire -> F_a "n > 3")\ndef p(x) = mu Y. <call> Y # x\n', [
    "taken entity.name.type",
    "G keyword.operator.word",
    "@f::acquire entity.name.label",
    "F_a keyword.operator.word",
    "def keyword.control",
    "p entity.name.function",
    "mu keyword.operator.word",
    "<call> keyword.operator.word",
    "# x comment.line.number-sign",
  ]));

test("monitors", () =>
  expect("source.recurva.monitor", "monitor lock // x\n  init idle\n  a -> b when @acquire & T", [
    "monitor keyword.control",
    "lock entity.name.type",
    "init keyword.control",
    "-> keyword.operator",
    "when keyword.control",
    "@acquire entity.name.label",
  ]));

test("a label is no assignment, and a comment has no keywords", async () => {
  const found = await tokens("source.recurva.bp", "x := T; // while\n/* if\nfi */ skip;");
  assert.ok(!found.includes("x entity.name.label"));
  assert.ok(!found.some((it) => /^(while|if|fi) keyword/.test(it)));
  assert.ok(found.includes("skip keyword.control"));
});

test("every example has tokens", async () => {
  const examples = path.resolve(root, "../../examples");
  for (const file of readdirSync(examples)) {
    const language = contributes.languages.find((it) => it.extensions.includes(path.extname(file)));
    const grammar = contributes.grammars.find((it) => it.language === language?.id);
    if (grammar !== undefined) {
      const text = readFileSync(path.join(examples, file), "utf8");
      const found = await tokens(grammar.scopeName, text);
      assert.ok(found.length > 5, file);
    }
  }
});
