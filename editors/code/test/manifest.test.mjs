// The manifest says nothing that is not there, and the bundle loads.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { Module, createRequire } from "node:module";
import path from "node:path";
import test from "node:test";
import { build } from "esbuild";

const root = path.resolve(import.meta.dirname, "..");
const read = (file) => readFileSync(path.join(root, file), "utf8");
const manifest = JSON.parse(read("package.json"));
const { contributes } = manifest;

async function choose() {
  const result = await build({
    entryPoints: [path.join(root, "src/choose.ts")],
    bundle: true,
    platform: "node",
    format: "cjs",
    write: false,
  });
  const module = new Module("choose");
  module.paths = Module._nodeModulePaths(root);
  module._compile(result.outputFiles[0].text, path.join(root, "choose.cjs"));
  return module.exports;
}

test("every file of the manifest is there and is JSON", () => {
  for (const { configuration } of contributes.languages) {
    assert.ok(JSON.parse(read(configuration)).comments);
  }
  for (const { path: file, scopeName } of contributes.grammars) {
    assert.equal(JSON.parse(read(file)).scopeName, scopeName);
  }
});

test("every language has one grammar and every extension one language", () => {
  const ids = contributes.languages.map((it) => it.id).sort();
  assert.deepEqual(contributes.grammars.map((it) => it.language).sort(), ids);
  const extensions = contributes.languages.flatMap((it) => it.extensions);
  assert.equal(new Set(extensions).size, extensions.length);
  for (const extension of ".bp .rem .rmc .pal .spc .ltl .caret .ntmu .mon".split(" ")) {
    assert.ok(extensions.includes(extension), extension);
  }
});

test("the source knows the same languages, commands and settings", async () => {
  const { languages } = await choose();
  assert.deepEqual([...languages].sort(), contributes.languages.map((it) => it.id).sort());
  const source = read("src/extension.ts");
  for (const { command } of contributes.commands) {
    assert.ok(source.includes(`"${command}"`), command);
  }
  for (const key of Object.keys(contributes.configuration.properties)) {
    assert.ok(source.includes(`get("${key.replace("recurva.", "")}"`), key);
  }
});

test("the nearest lens", async () => {
  const { nearest, modelOf } = await choose();
  const at = (line) => ({ range: { start: { line } } });
  const list = [at(9), at(3), at(5)];
  assert.equal(nearest(list, 6), list[2]);
  assert.equal(nearest(list, 5), list[2]);
  assert.equal(nearest(list, 0), list[1]);
  assert.equal(nearest([], 0), undefined);
  assert.equal(modelOf("/x/lock.bp"), "/x/lock.bp");
  assert.equal(modelOf("/x/lock.ltl"), undefined);
});

test("the lock file names no host", () => {
  assert.ok(!read("package-lock.json").includes('"resolved"'));
});

test("the bundle needs nothing but the editor", () => {
  assert.ok(existsSync(path.join(root, "out/extension.js")));
  const needed = [];
  const own = createRequire(import.meta.url);
  const load = Module._load;
  // All that is asked of the editor while the bundle is loaded.
  const editor = new Proxy(function () {}, {
    get: (_, key) => (key === Symbol.toPrimitive ? () => "" : editor),
    construct: () => editor,
    apply: () => editor,
  });
  Module._load = function (name, ...rest) {
    if (name === "vscode") {
      return editor;
    }
    if (!Module.builtinModules.includes(name.replace("node:", ""))) {
      needed.push(name);
    }
    return load.call(this, name, ...rest);
  };
  try {
    const bundle = own(path.join(root, "out/extension.js"));
    assert.equal(typeof bundle.activate, "function");
    assert.equal(typeof bundle.deactivate, "function");
  } finally {
    Module._load = load;
  }
  assert.deepEqual(needed.filter((name) => !name.endsWith("extension.js")), []);
});
