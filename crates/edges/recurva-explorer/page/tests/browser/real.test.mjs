// The page with what the real program writes and serves.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, hash, open, picture, text } from "../harness.mjs";
import { binary, explorer, htmlFile, longProgram, missing } from "../recurva.mjs";

after(closeBrowser);
const { run: logic } = binary ? await import("../../test-output/logic.mjs") : {};

/** Questions with runs of all kinds. */
const runs = {
  calls: ["examples/vera_fig1.bp", "--reach", "HIT"],
  assertion: ["examples/assert_fails.bp"],
  remopla: ["corpus/remopla/choices.rem", "--reach", "LATE"],
  monitor: ["examples/driver_buggy.bp", "--spec", "examples/double_lock.mon"],
  diverging: ["examples/flip.bp", "--ltl", "G F @reach"],
  lasso: ["corpus/liveness/spin.bp", "--ltl", "F false"],
  deep: ["examples/deep_trace.bp"],
  second: ["examples/pal/fcron_leak.bp", "--spec", "examples/pal/stream.pal"],
  integers: ["examples/pal/visits.bp", "--spec", "examples/pal/depth.pal"],
  machine: ["examples/rsm_fig1.rsm"],
};
/** Questions with other answers. */
const others = {
  holds: ["examples/vera_fig1.bp", "--reach", "MISS"],
  strategy: ["examples/thesis_fig2_1.nsm", "--ntmu", "all_calls_return"],
  formulas: ["corpus/ntmu/file_handle_wrong.bp", "--spec", "corpus/ntmu/file_handle.ntmu"],
  words: ["corpus/rmc/token_buggy.rmc"],
  "words-lasso": ["corpus/rmc/token_ring_unfair.rmc"],
  proved: ["corpus/rmc/szymanski.rmc"],
};

/** The first question that is violated: the page begins with it. */
const violated = (document) =>
  document.questions.findIndex(({ verdict }) => verdict === "violated");

for (const [name, question] of Object.entries(runs))
  test(`a file of a run: ${name}`, { skip: missing }, async () => {
    const { address, document } = await htmlFile(`real-${name}`, ...question);
    assert.equal(document.format, "recurva-exploration");
    const at = violated(document);
    const { evidence, machine } = document.questions[at];
    assert.equal(evidence?.kind, "run");
    const { page, problems, close } = await open(address);
    const walk = new logic.Walk(document.machines[machine], evidence);
    // The page goes the way that the logic goes.
    let spot = walk.start();
    for (let k = 0; k < 25 && spot; k++) {
      assert.equal((await hash(page)).split("?")[0], `#/${at}/run/${spot.position.join(".")}`);
      spot = walk.into(spot);
      await page.keyboard.press("i");
    }
    await page.keyboard.press("End");
    await picture(page, `real-${name}`);
    if (!evidence.turn)
      assert.equal(walk.at(walk.end()).number, BigInt(evidence.length.replaceAll(",", "")));
    assert.ok((await page.locator(".canvas .node").count()) > 0);
    await page.keyboard.press("f");
    await page.waitForSelector(".choices, .trace .problem");
    assert.deepEqual(problems, []);
    await close();
  });

for (const [name, question] of Object.entries(others))
  test(`a file of another answer: ${name}`, { skip: missing }, async () => {
    const { address, document } = await htmlFile(`real-${name}`, ...question);
    const { page, problems, close } = await open(address);
    await page.waitForSelector("main .panel");
    for (let k = 0; k < document.questions.length; k++) {
      await page.evaluate((at) => (location.hash = `#/${at}`), k);
      await page.waitForFunction((at) => location.hash.startsWith(`#/${at}`), k);
      for (const key of ["1", "i", "1", "n", "End", "b"]) await page.keyboard.press(key);
      assert.equal(
        await page.locator(".verdict").getAttribute("class"),
        `verdict ${document.questions[k].verdict}`,
      );
    }
    await page.evaluate(() => (location.hash = "#/0"));
    await page.waitForTimeout(100);
    await picture(page, `real-${name}`);
    assert.deepEqual(problems, []);
    await close();
  });

test("the values along a run are those that the program says", { skip: missing }, async () => {
  for (const question of Object.values(runs)) {
    const server = await explorer(...question);
    try {
      await compare(server, question.join(" "));
    } finally {
      await server.close();
    }
  }
});

/** Compares positions near both ends of a run with what the server says of them. */
async function compare(server, name) {
  const ask = async (path) => {
    for (;;) {
      const answer = await fetch(`${server.address}${path}`);
      if (answer.status !== 202) return answer.json();
      await new Promise((done) => setTimeout(done, 50));
    }
  };
  const document = await ask("document");
  const at = violated(document);
  const { evidence, machine } = document.questions[at];
  const walk = new logic.Walk(document.machines[machine], evidence);
  const spots = [];
  for (let spot = walk.start(); spot && spots.length < 60; spot = walk.into(spot)) spots.push(spot);
  for (let spot = walk.end(); spot && spots.length < 90; spot = walk.back(spot)) spots.push(spot);
  for (const spot of spots.filter(({ turn }) => turn <= 2)) {
    const said = await ask(`free?picks=@${at}:${spot.position.join(".")}`);
    const where = `${name} at ${spot.position.join(".")}: ${said.error ?? ""}`;
    assert.equal(said.error, undefined, where);
    const here = walk.at(spot);
    assert.deepEqual(here.globals, said.globals, where);
    assert.deepEqual(
      here.frames
        .slice(-said.stack.length)
        .map((frame) => ({ procedure: frame.procedure, locals: frame.locals() })),
      said.stack.map(({ procedure, locals }) => ({ procedure, locals })),
      where,
    );
    const running = here.frames.at(-1);
    if (running.node !== null) assert.equal(running.node, said.stack.at(-1).node, where);
  }
}

test("the page of a server", { skip: missing }, async () => {
  const server = await explorer("examples/vera_fig1.bp", "--reach", "HIT");
  const { page, problems, close } = await open(server.address);
  await page.waitForSelector(".tree");
  assert.equal(await text(page, ".verdict"), "✗ violated");
  await page.keyboard.press("n");
  await page.keyboard.press("f");
  await page.waitForSelector(".choices");
  await page.keyboard.press("1");
  await page.waitForFunction(() => document.querySelectorAll(".stack li").length === 2);
  const before = await hash(page);
  await page.reload();
  await page.waitForSelector(".choices");
  assert.equal(await hash(page), before);
  for (let k = 0; k < 6; k++) {
    await page.keyboard.press("1");
    await page.waitForSelector(".choices, .trace .note");
  }
  assert.deepEqual(problems, []);
  await close();
  await server.close();
});

test("a long check is watched and stopped", { skip: missing }, async () => {
  const server = await explorer(longProgram(), "--reach", "END", "--engine", "explicit");
  const { page, problems, close } = await open(server.address);
  await page.waitForSelector(".engine dd");
  const figure = () => text(page, ".engine dd");
  const first = await figure();
  await page.waitForFunction(
    (was) => document.querySelector(".engine dd").textContent !== was,
    first,
  );
  await picture(page, "real-live");
  await page.click(".stop");
  await page.waitForSelector(".verdict.unknown", { timeout: 20_000 });
  await picture(page, "real-stopped");
  assert.deepEqual(problems, []);
  await close();
  await server.close();
});
