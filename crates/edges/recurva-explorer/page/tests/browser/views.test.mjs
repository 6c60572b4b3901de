// Strategies, systems of any size, free exploration, checks that are running.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, hash, open, pageFile, said, text } from "../harness.mjs";
import {
  provedDocument,
  strategyDocument,
  twoProgramsDocument,
  veraDocument,
  wordsDocument,
} from "../documents.mjs";
import { serve } from "../server.mjs";

after(closeBrowser);
const strategy = pageFile("strategy", strategyDocument());
const words = pageFile("words", wordsDocument());
const vera = pageFile("vera", veraDocument());

test("a walk through a strategy", async () => {
  const { page, problems, close } = await open(strategy);
  assert.equal(await hash(page), "#/0/strategy/0");
  assert.match(await text(page, ".position"), /v1 \(local\).*νX\./s);
  assert.equal(await text(page, ".formula .current > code"), "νX. (en → ⟨ret⟩ ex) ∧ [ ]X");
  assert.equal(await text(page, ".source .line.current code"), "local v1 : wr");
  await page.keyboard.press("1");
  assert.equal(await hash(page), "#/0/strategy/0.1");
  assert.equal(await text(page, ".formula .current > code"), "⟨ret⟩ ex");
  assert.deepEqual(await page.locator(".choices button").allTextContents(), [
    "1into the call: v3",
    "2over it, to the return (what is asked of it: 1): w2",
  ]);
  await page.click(".choices button >> nth=1");
  assert.equal(await hash(page), "#/0/strategy/0.1.3");
  assert.equal(await said(page), "w2, ⟨ret⟩ ex fails");
  await page.reload();
  assert.match(await text(page, ".position"), /w2 \(return\)/);
  await page.keyboard.press("b");
  assert.equal(await hash(page), "#/0/strategy/0.1");
  await page.click(".history button >> nth=0");
  assert.equal(await hash(page), "#/0/strategy/0");
  await page.goBack();
  await page.waitForFunction(() => location.hash === "#/0/strategy/0.1");
  assert.match(await text(page, ".values"), /at v2/);
  assert.deepEqual(problems, []);
  await close();
});

test("the formula is a tree for the keyboard", async () => {
  const { page, problems, close } = await open(strategy);
  await page.locator(".formula [tabindex='0']").focus();
  const focused = () =>
    page.evaluate(() => document.activeElement.querySelector("code").textContent);
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "en → ⟨ret⟩ ex");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "[ ]X");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(), "⟨ret⟩ ex");
  assert.equal(await hash(page), "#/0/strategy/0");
  assert.deepEqual(problems, []);
  await close();
});

test("a system of any size step by step", async () => {
  const { page, problems, close } = await open(words);
  assert.equal(await hash(page), "#/0/words/0");
  const cells = () => page.locator(".processes .state").allTextContents();
  assert.deepEqual(await cells(), ["t", "n", "n", "n"]);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await cells(), ["t → n", "n → t", "n", "n"]);
  assert.match(await text(page, ".configuration .summary"), /Step 1 of 4 · turn 1.*pass/);
  assert.equal(await page.locator(".processes .process").textContent(), "2nthis one");
  assert.equal(await page.locator(".grid .word.turn").count(), 5);
  for (const address of ["2", "3", "4", "1?turn=2", "2?turn=2"]) {
    await page.keyboard.press("n");
    assert.equal(await hash(page), `#/0/words/${address}`);
  }
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowUp");
  assert.equal(await hash(page), "#/0/words/4");
  await page.click(".grid .word >> nth=2");
  assert.equal(await hash(page), "#/0/words/2");
  assert.equal(await said(page), "step 2, pass: n n t n");
  await page.reload();
  assert.equal(await page.locator(".grid .current .number").textContent(), "2");
  await page.selectOption(".header select", "1");
  await page.keyboard.press("End");
  assert.equal(await hash(page), "#/1/words/2");
  await page.keyboard.press("i");
  assert.match(await text(page, ".notice"), /end of the run/);
  assert.deepEqual(problems, []);
  await close();
});

test("free exploration of what a file stores", async () => {
  const { page, problems, close } = await open(`${vera}#/0/run/1`);
  await page.keyboard.press("f");
  assert.equal(await hash(page), "#/0/free/@0:1");
  assert.deepEqual(
    (await page.locator(".choices button").allTextContents()).map((each) =>
      each.replace(/\s+/g, " "),
    ),
    ["1intoline 43A2()", "2overline 43A2()a=T, returns F"],
  );
  await page.keyboard.press("1");
  assert.equal(await hash(page), "#/0/free/@0:1/e1");
  assert.match(await text(page, ".trace .problem"), /This file stores 5 states/);
  assert.equal(await text(page, ".command"), "recurva explore examples/vera_fig1.bp");
  await page.keyboard.press("b");
  await page.keyboard.press("Escape");
  assert.equal(await hash(page), "#/0/run/1");
  await page.goto(`${vera}#/1`);
  await page.click('[data-command="explore"]');
  assert.equal(await hash(page), "#/1/free/i");
  await page.click(".choices button");
  assert.equal(await hash(page), "#/1/free/i/e0");
  assert.equal(await text(page, ".values tr.changed .value"), "T → F");
  await page.keyboard.press("1");
  assert.equal(await text(page, ".source .line.current .number"), "30");
  assert.match(await page.locator('.canvas .node[data-id="n0"]').getAttribute("class"), /current/);
  await page.reload();
  assert.equal(await text(page, ".source .line.current .number"), "30");
  await page.fill(".typed input", "x");
  await page.click(".typed button");
  assert.match(await text(page, ".typed .problem"), /must be a number/);
  await page.fill(".typed input", "T");
  await page.keyboard.press("Enter");
  assert.equal(await hash(page), "#/1/free/i/e0/e1/e0:1");
  await page.goBack();
  await page.waitForFunction(() => location.hash === "#/1/free/i/e0/e1");
  assert.deepEqual(problems, []);
  await close();
});

test("a proof with its invariant and remarks", async () => {
  const { page, problems, close } = await open(pageFile("proved", provedDocument()));
  assert.equal(await text(page, ".headline"), "mutex: holds");
  assert.deepEqual(await page.locator(".notes li").allTextContents(), [
    "the step pass is never taken line 3 begin with a token",
    "searched below size 4",
  ]);
  await page.click(".notes button");
  assert.match(await text(page, ".source .line.current"), /step pass/);
  await page.click("text=Show the invariant");
  assert.match(await hash(page), /drawing=d2/);
  assert.equal(await text(page, ".machine .about"), "t n* + n*");
  assert.deepEqual(problems, []);
  await close();
});

test("questions about two programs show each its own", async () => {
  const { page, problems, close } = await open(pageFile("two", twoProgramsDocument()));
  const drawn = () => page.locator(".machine .choice option").allTextContents();
  assert.deepEqual(await drawn(), ["A1", "A2", "main"]);
  await page.selectOption(".header select", "1");
  assert.deepEqual(await drawn(), ["flip", "main"]);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await drawn(), ["flip", "main"]);
  assert.deepEqual(problems, []);
  await close();
});

test("free exploration asks the server", async () => {
  const document = veraDocument();
  const server = await serve({ document: { ...document, free: null }, free: document.free });
  const { page, problems, close } = await open(`${server.address}#/0/free/i`);
  await page.click(".choices button");
  await page.keyboard.press("2");
  await page.waitForSelector("text=return");
  assert.equal(await hash(page), "#/0/free/i/e0/o1");
  assert.equal(await text(page, ".values .now"), "T");
  assert.deepEqual(problems, []);
  await page.goto(`${server.address}#/0/free/i/e7`);
  await page.waitForSelector(".trace .problem");
  assert.match(await text(page, ".trace .problem"), /`e7` is not possible there/);
  await server.close();
  await page.goto(`${server.address}#/0/free/i/e0/e1`).catch(() => {});
  await page.evaluate(() => (location.hash = "#/0/free/i/e0/e1/e0"));
  await page.waitForFunction(() =>
    /does not answer/.test(document.querySelector(".trace .problem")?.textContent),
  );
  await close();
});

test("a check that is running is followed and stopped", async () => {
  const server = await serve({ document: veraDocument(), running: true });
  const { page, problems, close } = await open(server.address);
  await page.waitForSelector(".engine");
  assert.equal(await text(page, "h1"), "The check is running");
  assert.match(await text(page, ".live .property"), /HIT/);
  assert.deepEqual(await page.locator(".engine h2").allTextContents(), [
    "Explicit states",
    "Decision diagrams",
    "forward",
  ]);
  assert.match(await text(page, ".engine >> nth=2"), /round3states\d+memory2\.0 KiB/);
  assert.match(
    await text(page, ".engine"),
    /states1,\d{3}.*path edges.*waiting.*per second.*memory1\.5 KiB/s,
  );
  assert.match(await text(page, ".live .summary"), /Question 1 of 2 · \d+\.\d s/);
  const figure = () => text(page, ".engine dd");
  const first = await figure();
  await page.waitForFunction(
    (was) => document.querySelector(".engine dd").textContent !== was,
    first,
  );
  await page.click(".stop");
  await page.waitForSelector(".tree");
  assert.equal(server.asked.filter((each) => each === "POST stop").length, 1);
  assert.equal(await text(page, ".verdict"), "✗ violated");
  assert.deepEqual(problems, []);
  await close();
  await server.close();
});

test("a server that goes away is missed", async () => {
  const server = await serve({ document: veraDocument(), running: true });
  const { page, close } = await open(server.address);
  await page.waitForSelector(".engine");
  await server.close();
  await page.waitForSelector(".live .problem:not([hidden])");
  assert.match(await text(page, ".live .problem"), /The server does not answer/);
  await close();
});
