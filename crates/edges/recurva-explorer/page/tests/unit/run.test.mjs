// Positions, values and searches, against runs that are spelled out step by step.
import assert from "node:assert/strict";
import { test } from "node:test";
import { run as logic, search, tree, visited } from "../../test-output/logic.mjs";
import { deepDocument, flipDocument, veraDocument } from "../documents.mjs";

const walkOf = (document, question = 0) =>
  new logic.Walk(document.machines[0], document.questions[question].evidence);

/** Random numbers that are the same each time. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Three procedures of three edges each; edge 2 of each calls the next procedure. */
const machine = {
  globals: [0, 1, 2].map((k) => ({ name: `g${k}`, type: "int(8)" })),
  procedures: [0, 1, 2].map((k) => ({
    name: `p${k}`,
    signature: `p${k}()`,
    place: null,
    locals: [0, 1].map((each) => ({ name: `l${each}`, type: "int(8)" })),
    parameters: 0,
    entry: 0,
    exit: 3,
    nodes: [{}, {}, {}, {}].map(() => ({ place: null })),
    edges: [0, 1, 2].map((edge) => ({
      from: edge,
      to: edge + 1,
      place: null,
      text: `p${k} ${edge}`,
      ...(edge === 2 ? { callee: (k + 1) % 3 } : {}),
    })),
    drawing: null,
    folded: null,
  })),
  main: 0,
};

/**
 * A random run, made by executing it: what it stores and what is true at each of its positions
 * are written down by different hands.
 */
function randomRun(next, infinite) {
  const segments = [];
  const truth = [];
  const state = { globals: ["0", "0", "0"], stack: [{ procedure: 0, locals: ["0", "0"] }] };
  const value = () => String(next(4));
  const copy = () => structuredClone(state);
  const note = (position, turn) => truth.push({ position, turn, state: copy() });

  function change(values) {
    const changes = [];
    for (let slot = 0; slot < values.length; slot++)
      if (next(3) === 0) {
        const now = value();
        if (now === values[slot]) continue;
        values[slot] = now;
        changes.push([slot, now]);
      }
    return changes;
  }

  function differences(before, now) {
    return now.map((each, slot) => [slot, each]).filter(([slot, each]) => before[slot] !== each);
  }

  /** One step of the top frame; `at` is its position. */
  function step(at, turn, depth, top) {
    note(at, turn);
    const frame = state.stack.at(-1);
    const kind = next(10);
    if (kind < 3 && depth < 4) return call(at, turn, depth, frame);
    if (kind === 3 && top) return enter(frame);
    if (kind === 4) return gap(frame, top);
    const made = { edge: next(2) };
    const [globals, locals] = [change(state.globals), change(frame.locals)];
    if (globals.length) made.globals = globals;
    if (locals.length) made.locals = locals;
    return made;
  }

  function call(at, turn, depth, frame) {
    const procedure = (frame.procedure + 1) % 3;
    const [globals, locals] = [state.globals.slice(), frame.locals.slice()];
    const inner = { procedure, locals: [value(), value()], steps: [] };
    state.stack.push({ procedure, locals: inner.locals.slice() });
    const length = next(4);
    for (let k = 0; k < length; k++) inner.steps.push(step([...at, k], turn, depth + 1, false));
    note([...at, length], turn);
    state.stack.pop();
    if (next(2)) frame.locals[next(2)] = value();
    if (next(3) === 0) state.globals[next(3)] = value();
    const made = {
      edge: 2,
      call: { segment: segments.length, invocation: "p()", results: "", length: "0" },
      globals: differences(globals, state.globals),
      locals: differences(locals, frame.locals),
    };
    segments.push(inner);
    if (next(8) === 0) {
      // Not stored: nothing is known of the positions inside.
      made.call.segment = null;
      for (let k = truth.length - 1; k >= 0; k--) {
        const inside = truth[k].position.length > at.length;
        if (inside && at.every((index, d) => truth[k].position[d] === index)) truth.splice(k, 1);
      }
    }
    return made;
  }

  function enter(frame) {
    const procedure = (frame.procedure + 1) % 3;
    const locals = [value(), value()];
    state.stack.push({ procedure, locals: locals.slice() });
    return { edge: 2, enter: { invocation: "p()", locals } };
  }

  function gap(frame, top) {
    const made = { edge: -1, globals: change(state.globals), locals: change(frame.locals) };
    const frames = [];
    const count = top ? next(3) : 0;
    for (let k = 0; k < count; k++) {
      const below = state.stack.at(-1);
      const entered = { procedure: (below.procedure + 1) % 3, locals: [value(), value()] };
      state.stack.push(structuredClone(entered));
      frames.push({ ...entered, edge: 2 });
    }
    return { ...made, gap: { steps: "1,000", hidden: 0, frames } };
  }

  const steps = [];
  const stem = next(6);
  for (let k = 0; k < stem; k++) steps.push(step([k], 0, 0, true));
  let turn = null;
  if (infinite) {
    const length = 1 + next(4);
    const before = state.stack.length;
    let pattern = null;
    for (const round of [1, 2]) {
      const from = stem + (round - 1) * length;
      for (let k = 0; k < length; k++) steps.push(step([from + k], round, 0, true));
      pattern ??= state.stack.length - before;
    }
    turn = { start: stem, length, frames: pattern, varies: [] };
  } else note([stem], 0);
  const evidence = {
    kind: "run",
    globals: ["0", "0", "0"],
    locals: ["0", "0"],
    monitor: null,
    steps,
    segments,
    turn,
    length: "0",
    end: { what: "", place: null },
    table: null,
  };
  return { evidence, truth };
}

test("values and frames are those of runs that have been executed", () => {
  for (let seed = 0; seed < 2000; seed++) {
    const { evidence, truth } = randomRun(random(seed), seed % 3 === 0);
    const walk = new logic.Walk(machine, evidence);
    let spot = walk.start();
    for (const [k, { position, turn, state }] of truth.entries()) {
      assert.deepEqual(spot, { position, turn }, `seed ${seed}, position ${k}`);
      const here = walk.at(spot);
      assert.deepEqual(here.globals, state.globals, `seed ${seed}, ${position}`);
      assert.deepEqual(
        here.frames.map((frame) => ({ procedure: frame.procedure, locals: frame.locals() })),
        state.stack,
        `seed ${seed}, ${position}`,
      );
      const following = walk.into(spot);
      if (following) assert.deepEqual(walk.back(following), spot, `seed ${seed}, ${position}`);
      assert.deepEqual(walk.find(position, turn), spot);
      if (k + 1 < truth.length) spot = following;
      else if (!evidence.turn) assert.equal(following, null);
    }
  }
});

test("later turns repeat the second one", () => {
  for (let seed = 0; seed < 600; seed += 3) {
    const { evidence } = randomRun(random(seed), true);
    const walk = new logic.Walk(machine, evidence);
    let spot = walk.end();
    let third = null;
    for (let k = 0; k < 400 && spot.turn < 7; k++) {
      const following = walk.into(spot);
      assert.deepEqual(walk.back(following), spot);
      const here = walk.at(following);
      if (following.turn === 4) third = { ...following };
      if (following.turn > 4 && third && following.position.join() === third.position.join())
        assert.deepEqual(here.globals, walk.at(third).globals);
      if (here.last?.globals)
        for (const [slot, value] of here.last.globals) assert.equal(here.globals[slot], value);
      spot = following;
    }
    assert.equal(spot.turn, 7);
  }
});

test("searches find what a walk along all positions finds", () => {
  for (let seed = 0; seed < 1000; seed++) {
    const { evidence, truth } = randomRun(random(seed), false);
    const walk = new logic.Walk(machine, evidence);
    const hit = search.changesOf(walk, { procedure: null, slot: 0 });
    const changed = truth.map(
      (each, k) => k > 0 && truth[k - 1].state.globals[0] !== each.state.globals[0],
    );
    for (const [k, { position, turn }] of truth.entries()) {
      const later = truth.findIndex((_, other) => other > k && changed[other]);
      const found = search.search(walk, { position, turn }, hit, true);
      assert.deepEqual(found?.position, truth[later]?.position, `seed ${seed} from ${position}`);
      const earlier = truth.findLastIndex((_, other) => other < k && changed[other]);
      const before = search.search(walk, { position, turn }, hit, false);
      assert.deepEqual(
        before?.position,
        truth[earlier]?.position,
        `seed ${seed} back from ${position}`,
      );
    }
  }
});

test("a search goes round a turn", () => {
  const walk = walkOf(flipDocument());
  const hit = search.changesOf(walk, { procedure: 1, slot: 0 });
  const first = search.search(walk, walk.start(), hit, true);
  assert.deepEqual(first, { position: [4], turn: 2 });
  const second = search.search(walk, first, hit, true);
  assert.deepEqual(second, { position: [4], turn: 3 });
  const third = search.search(walk, second, hit, true);
  assert.deepEqual(third, { position: [4], turn: 4 });
  assert.deepEqual(search.search(walk, third, hit, false), second);
  assert.deepEqual(search.search(walk, second, hit, false), first);
  assert.equal(search.search(walk, first, hit, false), null);
});

test("over, out and back over", () => {
  const walk = walkOf(veraDocument());
  const at = (...position) => walk.find(position);
  assert.deepEqual(walk.over(at(3)), at(4));
  assert.deepEqual(walk.into(at(3)), at(3, 0));
  assert.deepEqual(walk.out(at(3, 3, 1)), at(3, 4));
  assert.deepEqual(walk.out(at(3, 1)), at(4));
  assert.equal(walk.out(at(2)), null);
  assert.deepEqual(walk.backOver(at(4)), at(3));
  assert.deepEqual(walk.backOver(at(3, 0)), at(3));
  assert.deepEqual(walk.back(at(4)), at(3, 6));
  assert.equal(walk.over(walk.end()), null);
  assert.equal(walk.at(walk.end()).number, 16n);
  for (const wrong of [[], [9], [3, 9], [2, 0], [-1], [0.5], [3, 3, 3, 0]])
    assert.equal(walk.find(wrong), null, String(wrong));
});

test("what is shown at a position", () => {
  const walk = walkOf(veraDocument());
  const here = walk.at(walk.find([3, 5]));
  assert.deepEqual(here.globals, ["T"]);
  assert.deepEqual([...here.changedLocals], [[1, "T"]]);
  assert.deepEqual(
    here.frames.map((frame) => [frame.procedure, frame.place[1]]),
    [
      [2, 43],
      [1, 31],
      [0, 25],
    ],
  );
  const after = walk.at(walk.find([4]));
  assert.deepEqual([...after.changedGlobals], [[0, "F"]]);
  assert.deepEqual([...after.changedLocals], [[0, "T"]]);
  assert.equal(walk.at(walk.end()).frames.at(-1).node, 3);
});

test("which edges have been taken", () => {
  const walk = walkOf(veraDocument());
  const sorted = (edges) => [...edges].sort((a, b) => a - b);
  const visits = (position, procedure) => {
    const { taken, entered } = visited.visitedEdges(walk, walk.find(position), procedure);
    return [sorted(taken), sorted(entered)];
  };
  assert.deepEqual(visits([0], 2), [[], []]);
  assert.deepEqual(visits([2], 2), [[0], [1]]);
  assert.deepEqual(visits([3, 2], 0), [[0, 1], []]);
  assert.deepEqual(visits([3, 2], 1), [[0], [1]]);
  assert.deepEqual(visits([3, 3, 2], 0), [[0, 1, 2, 3], [4]]);
  assert.deepEqual(visits([4], 0), [[0, 1, 2, 3, 4, 5, 6], []]);
  assert.deepEqual(visits([4], 1), [[0, 1], []]);
});

test("a stack that diverges grows with each turn", () => {
  const walk = walkOf(flipDocument(), 1);
  const depth = (turn) => {
    const { frames } = walk.at({ position: [4], turn });
    return frames.reduce((sum, frame) => sum + 1 + frame.skipped + frame.hidden, 0);
  };
  assert.deepEqual([2, 3, 4, 5, 6, 1000].map(depth), [3, 4, 5, 6, 7, 1001]);
  assert.deepEqual(
    walk.at({ position: [4], turn: 9 }).frames.map((frame) => [frame.turn, frame.skipped]),
    [
      [0, 0],
      [0, 0],
      [1, 0],
      [2, 0],
      [8, 5],
    ],
  );
});

test("a run that stays at its end", () => {
  const walk = walkOf(flipDocument(), 2);
  assert.deepEqual(walk.end(), { position: [1], turn: 0 });
  assert.equal(walk.into(walk.end()), null);
  assert.equal(walk.nextTurn(walk.end()), null);
});

test("a run of more than 2^40 steps", () => {
  const walk = walkOf(deepDocument());
  assert.ok(walk.at(walk.end()).number > 2n ** 40n);
  let spot = walk.find([1]);
  for (let k = 0; k < 40; k++) spot = walk.into(spot);
  assert.equal(spot.position.length, 41);
  for (let k = 0; k < 500; k++) {
    const following = walk.into(spot);
    assert.deepEqual(walk.back(following), spot);
    spot = following;
  }
  const last = walk.back(walk.end());
  assert.deepEqual(last.position, [1, 3]);
  const hit = search.changesOf(walk, { procedure: null, slot: 0 });
  assert.ok(search.search(walk, walk.start(), hit, true));
});

test("steps that are not stored", () => {
  const walk = walkOf(deepDocument(), 1);
  assert.deepEqual(walk.into(walk.find([1])), walk.find([2]));
  const here = walk.at(walk.find([3]));
  assert.deepEqual(
    here.frames.map((frame) => [frame.procedure, frame.hidden, frame.edge]),
    [
      [1, 0, null],
      [0, 97, 3],
      [0, 0, 4],
    ],
  );
  assert.equal(walk.at(walk.end()).number, 1_005_004n);
});

test("the tree has a row for each position that is open", () => {
  const walk = walkOf(veraDocument());
  const rows = new tree.Tree(walk);
  assert.equal(rows.rows.length, 6);
  assert.equal(rows.reveal(walk.find([3, 3, 1])), 9);
  const texts = rows.rows.map((row) => `${" ".repeat(row.depth)}${rows.describe(row).text}`);
  assert.deepEqual(texts.slice(3, 12), [
    " y := A1(y)",
    "  x := T",
    "  if (i & !a)",
    "  a := T",
    "  x := A1(!i)",
    "   x := T",
    "   if (i & !a)",
    "   return x",
    "   ← A1 returns T",
  ]);
  rows.toggle([3]);
  assert.equal(rows.rows.length, 6);
});

test("the tree marks the turns", () => {
  const rows = new tree.Tree(walkOf(flipDocument()));
  assert.deepEqual(
    rows.rows.map((row) => `${row.kind} ${row.turn}`),
    ["step 0", "turn 1", "call 1", "call 1", "step 1", "turn 2", "call 2", "call 2", "step 2"],
  );
  const stays = new tree.Tree(walkOf(flipDocument(), 2));
  assert.deepEqual(
    stays.rows.map((row) => row.kind),
    ["step", "turn", "end"],
  );
});
