/** A run of a system of any size: the configuration as a row of cells, and all steps as a grid. */
import type { Words } from "../document.js";
import { fill, freshId, h, panel } from "../dom.js";
import { VirtualList } from "../list.js";
import type { Store, View } from "../store.js";
import { differing } from "../words.js";

const ROW = 28;

/** The panel of the words. */
export function wordsView(store: Store, words: Words): View {
  const { element, body } = panel("trace", "Steps");
  const now = h("div", { class: "configuration" });
  const widest = words.words.reduce((most, word) => Math.max(most, word.length), 0);
  const broadest = words.words.reduce(
    (most, word) => word.reduce((length, cell) => Math.max(length, cell.length), most),
    1,
  );
  const prefix = freshId("word");
  let current = 0;
  const list = new VirtualList(ROW, renderRow, "grid", {
    role: "listbox",
    "aria-label": "All steps: a row for each, a column for each process",
  });
  list.inner.style.minWidth = `calc(${widest} * (${broadest}ch + 1.25rem) + 12rem)`;
  fill(body, now, list.element);

  function cells(step: number): HTMLElement[] {
    const word = words.words[step] ?? [];
    const before = step > 0 ? words.words[step - 1] : undefined;
    const changed = differing(before, word);
    return word.map((cell, k) => {
      const made = h(
        "span",
        {
          class: `cell${changed[k] ? " changed" : ""}${k === words.process ? " process" : ""}`,
        },
        cell,
      );
      made.style.minWidth = `${broadest}ch`;
      return made;
    });
  }

  function actionOf(step: number): string {
    if (step === 0) return "start";
    return words.actions[step - 1] || "step";
  }

  function renderRow(step: number): HTMLElement {
    const inTurn = words.turn !== null && step >= words.turn;
    return h(
      "div",
      {
        id: `${prefix}-${step}`,
        role: "option",
        class: `word${step === current ? " current" : ""}${inTurn ? " turn" : ""}`,
        "aria-selected": String(step === current),
        onclick: () => store.move({ mode: "words", step, turn: 0 }, "push"),
      },
      h("span", { class: "number" }, String(step)),
      ...cells(step),
      h(
        "span",
        { class: "action" },
        step === words.turn ? `↻ turn begins · ${actionOf(step)}` : actionOf(step),
      ),
    );
  }

  function update(): void {
    const { where } = store.address;
    if (where.mode !== "words") return;
    current = where.step;
    const word = words.words[current] ?? [];
    const before = current > 0 ? words.words[current - 1] : undefined;
    const changed = differing(before, word);
    const turn = where.turn > 0 ? ` · turn ${where.turn}, repeated for ever` : "";
    fill(
      now,
      h(
        "p",
        { class: "summary" },
        `Step ${current} of ${words.words.length - 1}${turn} · ${actionOf(current)}`,
      ),
      h(
        "ol",
        { class: "processes", "aria-label": "Configuration" },
        ...word.map((cell, k) =>
          h(
            "li",
            { class: `${changed[k] ? "changed" : ""}${k === words.process ? " process" : ""}` },
            h("span", { class: "index" }, String(k)),
            h(
              "span",
              { class: "state" },
              changed[k] && before?.[k] !== undefined
                ? h("span", { class: "before" }, `${before[k]} → `)
                : "",
              cell,
            ),
            k === words.process && h("span", { class: "badge" }, "this one"),
          ),
        ),
      ),
    );
    list.show(words.words.length, current);
    list.reveal(current);
    list.inner.setAttribute("aria-activedescendant", `${prefix}-${current}`);
  }

  return { element, update };
}
