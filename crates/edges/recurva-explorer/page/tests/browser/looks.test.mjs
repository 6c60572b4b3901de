// Each view in light, in dark and at phone width: a picture is kept, axe-core looks for barriers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { closeBrowser, open, pageFile, picture } from "../harness.mjs";
import * as documents from "../documents.mjs";
import { serve } from "../server.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const looks = {
  light: { width: 1400, height: 900, scheme: "light" },
  dark: { width: 1400, height: 900, scheme: "dark" },
  phone: { width: 360, height: 740, scheme: "light" },
};
const files = {
  vera: pageFile("vera", documents.veraDocument()),
  flip: pageFile("flip", documents.flipDocument()),
  deep: pageFile("deep", documents.deepDocument()),
  strategy: pageFile("strategy", documents.strategyDocument()),
  words: pageFile("words", documents.wordsDocument()),
  large: pageFile("large", documents.largeDocument()),
};
/** Views: a file, an address, and perhaps something to do first; those with `view` differ on a phone only. */
const views = {
  trace: ["vera", "#/0/run/3.3.1"],
  source: ["vera", "#/0/run/3.3.1?view=source"],
  values: ["vera", "#/0/run/4?view=values"],
  machine: ["vera", "#/0/run/4?view=machine"],
  subformulas: ["vera", "#/0/run/4", (page) => page.click("text=Subformulas")],
  help: ["vera", "#/0/run/4", (page) => page.keyboard.press("?")],
  wrong: ["vera", "#/0/run/99?view=trace"],
  holds: ["vera", "#/1"],
  unknown: ["vera", "#/2?view=trace"],
  free: ["vera", "#/0/free/i/e0/e1"],
  "free-missing": ["vera", "#/0/free/i/e9"],
  lasso: ["flip", "#/0/run/5?turn=3"],
  diverging: ["flip", "#/1/run/4?turn=9&view=values"],
  "diverging-trace": ["flip", "#/1/run/4?turn=9"],
  deep: ["deep", `#/0/run/1.${"0.".repeat(38)}0`],
  gap: ["deep", "#/1/run/3?view=values"],
  strategy: ["strategy", "#/0/strategy/0.1"],
  words: ["words", "#/0/words/3"],
  automata: ["words", "#/0/words/3?view=machine&drawing=d1"],
  large: ["large", "#/0/run/5000"],
};

let live;
before(async () => {
  live = await serve({ document: documents.veraDocument(), running: true });
});
after(async () => {
  await closeBrowser();
  await live.close();
});

/** What axe-core finds that is serious or worse, in words. */
async function barriers(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run({ resultTypes: ["violations"] }),
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((each) => each.html).slice(0, 3)}`);
}

/** Nothing may stick out of a narrow window. */
const sticksOut = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

async function look(view, name, address, act) {
  const { page, problems, close } = await open(address, { ...looks[name], bypassCSP: true });
  await page.waitForSelector("main");
  if (act) await act(page);
  await page.waitForTimeout(100);
  await picture(page, `${view}-${name}`);
  assert.deepEqual(await barriers(page), [], `${view} in ${name}`);
  assert.equal(await sticksOut(page), false, `${view} in ${name}`);
  assert.deepEqual(problems, [], `${view} in ${name}`);
  await close();
}

for (const [view, [file, address, act]] of Object.entries(views))
  test(view, async () => {
    const wanted = address.includes("view=") ? ["phone"] : Object.keys(looks);
    for (const name of wanted) await look(view, name, `${files[file]}${address}`, act);
  });

test("live", async () => {
  for (const name of Object.keys(looks))
    await look("live", name, live.address, (page) => page.waitForSelector(".engine"));
});
