// Which program is looked at, where questions are about several.
import assert from "node:assert/strict";
import { test } from "node:test";
import { address, commands, store as logic } from "../../test-output/logic.mjs";
import { twoProgramsDocument, wordsDocument } from "../documents.mjs";

/** A store without a browser around it; `free` are the states that its server knows. */
function open(document, free = {}) {
  const page = { hash: "" };
  const put = (_state, _title, hash) => (page.hash = hash);
  globalThis.window = {
    location: page,
    history: { pushState: put, replaceState: put },
    addEventListener() {},
  };
  const service = { live: true, free: async (_, picks) => free[picks] };
  const store = new logic.Store(document, service);
  store.begin();
  return { store, page };
}

test("a question is about its own program", () => {
  const document = twoProgramsDocument();
  const { store } = open(document);
  assert.equal(store.machine, document.machines[0]);
  assert.equal(store.walk.machine, document.machines[0]);
  store.go(address.startOf(1), "push");
  assert.equal(store.machine, document.machines[1]);
  assert.equal(store.walk.machine, document.machines[1]);
  assert.equal(store.focus.frames.at(-1).procedure, document.machines[1].main);
});

test("free exploration begins in the program of the question", async () => {
  const document = twoProgramsDocument();
  const state = (picks, machine) => ({
    ...{ picks, machine, globals: ["F"], hidden: 0, choices: [], note: "", open: [] },
    stack: [{ procedure: document.machines[machine].main, node: 0, edge: null, locals: ["F"] }],
  });
  const { store, page } = open(document, {
    i1: state("i1", 1),
    "@0:0": state("@0:0", 0),
    "@1:0": state("@1:0", 1),
  });
  commands.explore(store);
  assert.equal(page.hash, "#/0/free/@0:0");
  store.go(address.startOf(2), "push");
  commands.explore(store);
  assert.equal(page.hash, "#/2/free/i1");
  await new Promise((done) => setTimeout(done));
  assert.equal(store.machine, document.machines[1]);
  // An address may name the run of another question.
  store.go({ ...address.startOf(1), where: { mode: "free", picks: "@0:0" } }, "push");
  await new Promise((done) => setTimeout(done));
  assert.equal(store.machine, document.machines[0]);
});

test("a system of any size has no program to explore", () => {
  const { store, page } = open(wordsDocument());
  const before = page.hash;
  assert.equal(store.machine, null);
  commands.explore(store);
  assert.equal(page.hash, before);
});
