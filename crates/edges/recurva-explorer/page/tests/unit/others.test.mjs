// Addresses, words, texts, and the index of drawings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { address, scene, text, words } from "../../test-output/logic.mjs";
import { largeDocument } from "../documents.mjs";

test("addresses can be read again", () => {
  for (const hash of [
    "#/0",
    "#/0/run/12.3.0",
    "#/2/run/5?turn=7&frame=1&view=machine&drawing=3",
    "#/0/strategy/0.3.5",
    "#/1/words/5?turn=2",
    "#/0/free/@0:12.3.0/e3:5,7/r/o3:5~2?view=source",
    "#/0/free/i",
  ])
    assert.equal(address.formatAddress(address.parseAddress(hash)), hash);
});

test("what is no address is refused", () => {
  for (const hash of [
    "#",
    "#x",
    "#/",
    "#/a",
    "#/0/run/",
    "#/0/run/1.x",
    "#/0/run/-1",
    "#/0/else/1",
    "#/0/run/1?turn=x",
    "#/0/words/1.2",
    "#/%zz",
    "#/0/run/99999999999999999999",
  ])
    assert.equal(address.parseAddress(hash), null, hash);
});

test("words go round their turn", () => {
  const closed = { words: [["a"], ["b"], ["a"]], actions: ["x", "y"], turn: 0 };
  assert.deepEqual(words.nextWord(closed, 2), { step: 1, around: true });
  assert.deepEqual(words.lastWord(closed, 1, 2), { step: 2, around: true });
  assert.deepEqual(words.lastWord(closed, 1, 1), { step: 0, around: false });
  const open = { words: [["a"], ["b"]], actions: ["x", "y"], turn: 0 };
  assert.deepEqual(words.nextWord(open, 1), { step: 0, around: true });
  const finite = { words: [["a"], ["b"]], actions: ["x"], turn: null };
  assert.equal(words.nextWord(finite, 1), null);
  assert.equal(words.lastWord(finite, 0, 0), null);
});

test("numbers in words", () => {
  assert.equal(text.count("1", "step"), "1 step");
  assert.equal(text.count("1,024", "step"), "1,024 steps");
  assert.equal(text.grouped(1099511627776n), "1,099,511,627,776");
  assert.equal(text.bytes(1536), "1.5 KiB");
});

test("the index of a drawing finds what is in view", () => {
  const { drawing } = largeDocument(2000, 7).machines[0].procedures[0];
  const made = new scene.Scene(drawing);
  for (let k = 0; k < 50; k++) {
    const [left, top] = [(k * 37) % drawing.width, (k * 1231) % drawing.height];
    const box = { left, top, right: left + 300, bottom: top + 300 };
    const { nodes } = made.within(box);
    drawing.nodes.forEach((node, index) => {
      const each = scene.boxOf(node);
      const inside =
        each.left < box.right &&
        each.right > box.left &&
        each.top < box.bottom &&
        each.bottom > box.top;
      if (inside) assert.ok(nodes.has(index), `node ${index} in ${JSON.stringify(box)}`);
    });
    assert.ok(nodes.size < 200);
  }
  assert.equal(made.nodeAt(drawing.nodes[5].x + 3, drawing.nodes[5].y, 4), 5);
  assert.equal(made.nodeAt(-500, -500, 4), null);
});
