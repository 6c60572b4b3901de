// Walking through a run: the trace, the source, the values, the keys, the addresses.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, hash, open, pageFile, said, text } from "../harness.mjs";
import { deepDocument, flipDocument, veraDocument } from "../documents.mjs";

after(closeBrowser);
const vera = pageFile("vera", veraDocument());
const flip = pageFile("flip", flipDocument());
const deep = pageFile("deep", deepDocument());

/** The number and the text of the current line of the source. */
async function line(page) {
  const current = page.locator(".source .line.current").first();
  return [
    await current.locator(".number").textContent(),
    await current.locator("mark").textContent(),
  ];
}

/** The text of the current row of the trace. */
const row = (page) => page.locator(".tree .current .text").textContent();

/** The values that are marked as changed, `y T → F`. */
const changed = async (page) =>
  (await page.locator(".values tr.changed").allTextContents()).map((each) =>
    each.replace(/[☆★]/g, "").replace(/bool$|uint\(8\)$/, ""),
  );

test("keys step in, over, out and back", async () => {
  const { page, problems, close } = await open(vera);
  assert.equal(await hash(page), "#/0/run/0");
  assert.deepEqual(await line(page), ["42", "a := F"]);
  for (const [key, address, where] of [
    ["i", "#/0/run/1", ["43", "_ := A2()"]],
    ["ArrowRight", "#/0/run/2", ["30", "y := T"]],
    ["n", "#/0/run/3", ["31", "y := A1(y)"]],
    ["ArrowRight", "#/0/run/3.0", ["19", "x := T"]],
    ["ArrowDown", "#/0/run/3.1", ["20", "if (i & !a)"]],
    ["n", "#/0/run/3.2", ["21", "a := T"]],
    ["n", "#/0/run/3.3", ["22", "x := A1(!i)"]],
    ["i", "#/0/run/3.3.0", ["19", "x := T"]],
    ["o", "#/0/run/3.4", ["23", "x := !x"]],
    ["ArrowLeft", "#/0/run/3.3.3", null],
    ["ArrowUp", "#/0/run/3.3.2", ["25", "return x"]],
    ["o", "#/0/run/3.4", ["23", "x := !x"]],
    ["p", "#/0/run/3.3", ["22", "x := A1(!i)"]],
    ["End", "#/0/run/5", ["33", "HIT: skip"]],
    ["b", "#/0/run/4", ["32", "if (!y & a)"]],
    ["b", "#/0/run/3.6", null],
    ["Home", "#/0/run/0", ["42", "a := F"]],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await hash(page), address, `after ${key}`);
    if (where) assert.deepEqual(await line(page), where, `after ${key}`);
  }
  await page.keyboard.press("b");
  assert.equal(await text(page, ".notice"), "This is the start.");
  await page.keyboard.press("o");
  assert.match(await text(page, ".notice"), /does not return/);
  assert.deepEqual(problems, []);
  await close();
});

test("buttons do what the keys do", async () => {
  const { page, problems, close } = await open(vera);
  const press = (name) => page.click(`[data-command="${name}"]`);
  for (const [name, address] of [
    ["over", "#/0/run/1"],
    ["in", "#/0/run/2"],
    ["over", "#/0/run/3"],
    ["in", "#/0/run/3.0"],
    ["back", "#/0/run/3"],
    ["in", "#/0/run/3.0"],
    ["out", "#/0/run/4"],
    ["back-over", "#/0/run/3"],
    ["end", "#/0/run/5"],
    ["start", "#/0/run/0"],
  ]) {
    await press(name);
    assert.equal(await hash(page), address, name);
  }
  assert.deepEqual(problems, []);
  await close();
});

test("the values show what has just changed, and the frames their locals", async () => {
  const { page, problems, close } = await open(`${vera}#/0/run/4`);
  assert.deepEqual(await changed(page), ["aF → T", "yT → F"]);
  await page.keyboard.press("n");
  assert.deepEqual(await changed(page), []);
  await page.evaluate(() => (location.hash = "#/0/run/3.3.1"));
  await page.waitForFunction(() => document.querySelectorAll(".stack li").length === 4);
  assert.deepEqual(await page.locator(".stack .frame").allTextContents(), [
    "A1, line 20",
    "A1, line 22",
    "A2, line 31",
    "main, line 43",
  ]);
  assert.deepEqual(await page.locator(".source .line.waiting .number").allTextContents(), [
    "22",
    "31",
  ]);
  await page.click(".stack .frame >> nth=1");
  assert.equal(await hash(page), "#/0/run/3.3.1?frame=2");
  assert.deepEqual(await line(page), ["22", "x := A1(!i)"]);
  const locals = page.locator(".values .group", { hasText: "Locals of A1" }).locator("tr");
  assert.deepEqual(await locals.allTextContents(), ["☆iTbool", "☆xTbool"]);
  await page.reload();
  assert.deepEqual(await line(page), ["22", "x := A1(!i)"]);
  assert.deepEqual(problems, []);
  await close();
});

test("the trace is a tree that is opened and closed", async () => {
  const { page, problems, close } = await open(vera);
  const rows = () => page.locator(".tree .text").allTextContents();
  assert.equal((await rows()).length, 6);
  await page.locator(".tree .call .fold").first().click();
  assert.equal((await rows()).length, 13);
  assert.equal(await hash(page), "#/0/run/0");
  await page.locator(".tree .step", { hasText: "x := !x" }).click();
  assert.equal(await hash(page), "#/0/run/3.4");
  assert.deepEqual(await line(page), ["23", "x := !x"]);
  // Closing the call takes the position out of it.
  await page.locator(".tree .call .fold").first().click();
  assert.equal(await hash(page), "#/0/run/3");
  assert.equal((await rows()).length, 6);
  await page.locator(".tree .rows").focus();
  await page.keyboard.press("Enter");
  assert.equal((await rows()).length, 13);
  await page.keyboard.press("ArrowRight");
  const active = await page.locator(".tree .rows").getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`#${active} .text`).textContent(), "x := T");
  assert.equal(await page.locator(`#${active}`).getAttribute("aria-level"), "3");
  assert.deepEqual(problems, []);
  await close();
});

test("a step is announced", async () => {
  const { page, close } = await open(`${vera}#/0/run/3.4`);
  await page.keyboard.press("n");
  assert.equal(await said(page), "line 25, return x, x=F");
  await page.keyboard.press("End");
  assert.equal(await said(page), "line 33, label `HIT` is reached");
  await close();
});

test("to the next change of a variable", async () => {
  const { page, problems, close } = await open(vera);
  await page.keyboard.press("c");
  assert.match(await text(page, ".notice"), /Choose a variable/);
  await page.click('[aria-label="Follow a"]');
  assert.equal(await page.getAttribute('[aria-label="Follow a"]', "aria-pressed"), "true");
  await page.keyboard.press("c");
  assert.equal(await hash(page), "#/0/run/3.3");
  await page.keyboard.press("c");
  assert.match(await text(page, ".notice"), /no later change/);
  await page.selectOption(".controls select", { label: "A1: x" });
  await page.keyboard.press("c");
  assert.equal(await hash(page), "#/0/run/3.3.1");
  await page.keyboard.press("c");
  assert.equal(await hash(page), "#/0/run/3.5");
  await page.keyboard.press("Shift+C");
  await page.keyboard.press("Shift+C");
  assert.equal(await hash(page), "#/0/run/3.1");
  assert.deepEqual(problems, []);
  await close();
});

test("addresses are reloaded, and go back and forward", async () => {
  const { page, problems, close } = await open(`${vera}#/0/run/3.3.1`);
  assert.equal(await row(page), "if (i & !a)");
  await page.reload();
  assert.equal(await hash(page), "#/0/run/3.3.1");
  assert.equal(await row(page), "if (i & !a)");
  await page.keyboard.press("End");
  await page.goBack();
  assert.equal(await hash(page), "#/0/run/3.3.1");
  await page.waitForFunction(
    () => document.querySelector(".tree .current .number")?.textContent === "20",
  );
  await page.goForward();
  await page.waitForFunction(
    () => document.querySelector(".tree .current .number")?.textContent === "33",
  );
  for (const wrong of ["#/0/run/99", "#/7/run/0", "#nonsense", "#/0/words/1", "#/0/run/3.3.9.9"]) {
    await page.goto(`${vera}${wrong}`);
    assert.match(await text(page, ".notice"), /There is no position/, wrong);
    assert.equal(await hash(page), "#/0/run/0");
    const fresh = await open(`${vera}${wrong}`);
    assert.match(await text(fresh.page, ".notice"), /There is no position/, wrong);
    await fresh.close();
  }
  assert.deepEqual(problems, []);
  await close();
});

test("keys that are held leave one entry in the history", async () => {
  const { page, close } = await open(vera);
  const before = await page.evaluate(() => history.length);
  for (let k = 0; k < 12; k++) await page.keyboard.press("i");
  assert.ok((await page.evaluate(() => history.length)) <= before + 3);
  await close();
});

test("the questions have answers of their own", async () => {
  const { page, problems, close } = await open(vera);
  assert.equal(await text(page, ".verdict"), "✗ violated");
  await page.selectOption(".header select", "1");
  assert.equal(await text(page, ".verdict"), "✓ holds");
  assert.equal(await hash(page), "#/1");
  assert.match(await text(page, ".trace .body"), /No run violates it/);
  assert.equal((await page.locator(".canvas .node").count()) > 0, true);
  await page.selectOption(".header select", "2");
  assert.equal(await text(page, ".verdict"), "? unknown");
  assert.match(await text(page, ".trace .body"), /has not come to an end/);
  await page.goBack();
  await page.goBack();
  await page.waitForFunction(() => location.hash === "#/0/run/0");
  await page.waitForSelector(".tree");
  assert.deepEqual(problems, []);
  await close();
});

test("a lasso is walked round", async () => {
  const { page, problems, close } = await open(flip);
  assert.deepEqual(await page.locator(".turn-head").allTextContents(), [
    "↻ turn, repeated for ever",
    "↻ turn 2, and so every later turn",
  ]);
  await page.keyboard.press("t");
  assert.equal(await hash(page), "#/0/run/1");
  for (let k = 0; k < 6; k++) await page.keyboard.press("n");
  assert.equal(await hash(page), "#/0/run/4?turn=3");
  assert.match(await text(page, ".trace .summary"), /turn 3$/);
  await page.keyboard.press("p");
  assert.equal(await hash(page), "#/0/run/6");
  await page.keyboard.press("t");
  await page.keyboard.press("t");
  assert.equal(await hash(page), "#/0/run/4?turn=4");
  const n = page.locator(".values tr", { hasText: "changes from turn to turn" });
  assert.equal(await n.locator("th").textContent(), "n");
  assert.equal(await text(page, ".monitor"), "q2");
  await page.reload();
  assert.equal(await hash(page), "#/0/run/4?turn=4");
  // What a translation has made up is shown if it is asked for.
  assert.equal(await page.locator(".values th", { hasText: "tmp#1" }).count(), 0);
  await page.check("text=hidden ones too");
  assert.equal(await page.locator(".values th", { hasText: "tmp#1" }).count(), 1);
  assert.deepEqual(problems, []);
  await close();
});

test("frames pile up where the stack diverges", async () => {
  const { page, problems, close } = await open(`${flip}#/1/run/4?turn=9`);
  assert.match(await text(page, ".piled-up"), /each turn adds 1 frame.*line 5: flip\(\)/s);
  assert.deepEqual(await page.locator(".stack li").allTextContents(), [
    "flip, line 4turn 8",
    "… the same from 5 turns before",
    "flip, line 5turn 2",
    "flip, line 5turn 1",
    "flip, line 5",
    "main, line 14",
  ]);
  await page.keyboard.press("t");
  assert.equal(await hash(page), "#/1/run/4?turn=10");
  assert.deepEqual(problems, []);
  await close();
});

test("a run that stays at its end", async () => {
  const { page, problems, close } = await open(`${flip}#/2`);
  assert.equal(await text(page, ".turn-head"), "↻ the run stays here for ever");
  await page.keyboard.press("End");
  await page.keyboard.press("n");
  assert.match(await text(page, ".notice"), /end of the run/);
  assert.deepEqual(problems, []);
  await close();
});

test("2^40 steps, gaps, and calls that are not stored", async () => {
  const { page, problems, close } = await open(deep);
  assert.match(await text(page, ".trace .summary"), /of [1-9],\d{3},\d{3},\d{3},\d{3}$/);
  for (let k = 0; k < 45; k++) await page.keyboard.press("i");
  assert.equal((await hash(page)).split(".").length, 41);
  await page.keyboard.press("End");
  await page.keyboard.press("b");
  assert.equal(await hash(page), "#/0/run/1.3");
  await page.goto(`${deep}#/1/run/1`);
  await page.keyboard.press("i");
  assert.equal(await hash(page), "#/1/run/2");
  assert.match(await row(page), /5,000 steps that are not stored/);
  await page.keyboard.press("n");
  assert.match(await text(page, ".stack"), /97 frames not listed/);
  assert.deepEqual(problems, []);
  await close();
});

test("subformulas by step", async () => {
  const { page, problems, close } = await open(`${vera}#/0/run/2`);
  await page.click("text=Subformulas");
  assert.equal(await page.locator(".formulas tbody tr").count(), 4);
  assert.match(await text(page, ".formulas tr[aria-current]"), /line 30: y := T/);
  await page.click(".formulas .jump >> nth=2");
  assert.equal(await hash(page), "#/0/run/3.3");
  assert.deepEqual(await line(page), ["22", "x := A1(!i)"]);
  assert.match(
    await text(page, ".formulas tr[aria-current]"),
    /line 22.*✓holds·does not hold✓holds/,
  );
  assert.deepEqual(problems, []);
  await close();
});

test("the help opens and closes by keys", async () => {
  const { page, problems, close } = await open(vera);
  await page.keyboard.press("?");
  assert.equal(await page.locator("dialog[open] h2").textContent(), "Keys");
  await page.keyboard.press("n");
  assert.equal(await hash(page), "#/0/run/0");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.keyboard.press("n");
  assert.equal(await hash(page), "#/0/run/1");
  assert.deepEqual(problems, []);
  await close();
});

test("everything is reached by the keyboard alone", async () => {
  const { page, close } = await open(vera);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  assert.equal(await hash(page), "#/0/run/0");
  const reached = new Set();
  for (let k = 0; k < 60; k++) {
    await page.keyboard.press("Tab");
    reached.add(
      await page.evaluate(() => {
        const active = document.activeElement;
        return (
          active.closest(".panel")?.id ?? active.closest(".controls, .header")?.className ?? ""
        );
      }),
    );
  }
  for (const name of [
    "panel-trace",
    "panel-source",
    "panel-values",
    "panel-machine",
    "controls",
    "header",
  ])
    assert.ok(reached.has(name), name);
  await close();
});

test("names in a model are never taken for HTML", async () => {
  const made = veraDocument();
  const evil = '<img src=x onerror="window.hurt=1"></script><script>window.hurt=1</script>';
  made.model = evil;
  made.sources[0].text = `${evil}\n`.repeat(50);
  made.machines[0].globals[0].name = evil;
  made.machines[0].procedures[1].name = evil;
  made.machines[0].procedures[2].edges[0].text = evil;
  made.machines[0].procedures[2].drawing.nodes[0].lines = [evil];
  made.questions[0].message = evil;
  made.questions[0].summary = evil;
  made.questions[0].notes = [{ text: evil, help: evil, place: null }];
  made.questions[0].evidence.end.what = evil;
  const { page, problems, close } = await open(`${pageFile("evil", made)}#/0/run/2`);
  assert.equal(await page.locator("h1").textContent(), evil);
  assert.equal(await page.locator("img").count(), 0);
  await page.click('[data-command="explore"]');
  await page.waitForTimeout(100);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  assert.deepEqual(problems, []);
  await close();
});

test("a source of 100,000 lines", async () => {
  const made = veraDocument();
  made.sources[0].text += "// more\n".repeat(100_000);
  made.machines[0].procedures[2].edges[1].place = [0, 90_000, 1, 90_000, 3];
  const { page, close } = await open(`${pageFile("long", made)}#/0/run/1`);
  assert.deepEqual(await line(page), ["90000", "//"]);
  assert.ok((await page.locator(".source .line").count()) < 100);
  await close();
});
