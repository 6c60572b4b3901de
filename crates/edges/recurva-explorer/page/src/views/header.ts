/** The model, the question, the verdict. */
import { startOf } from "../address.js";
import type { Note } from "../document.js";
import { button, fill, h, select } from "../dom.js";
import { verdictOf } from "../focus.js";
import type { Store, View } from "../store.js";
import { placeText } from "../text.js";

/** The page's header. */
export function headerView(store: Store): View {
  const element = h("header", { class: "header" });
  let shown = -1;
  return {
    element,
    update() {
      const { document, question, address } = store;
      if (shown === address.question) return;
      shown = address.question;
      const verdict = question ? verdictOf(question) : null;
      const questions = document.questions;
      const others = questions.map((each, k): [string, string] => {
        const { symbol, word } = verdictOf(each);
        return [String(k), `${k + 1}. ${symbol} ${word}: ${each.property}`];
      });
      fill(
        element,
        h(
          "div",
          { class: "first" },
          h("h1", {}, document.model),
          verdict &&
            h(
              "span",
              { class: `verdict ${question?.verdict ?? ""}` },
              h("span", { "aria-hidden": "true" }, verdict.symbol),
              ` ${verdict.word}`,
            ),
          questions.length > 1
            ? select("Question", others, String(address.question), (value) =>
                store.go({ ...startOf(Number(value)), view: address.view }, "push"),
              )
            : h("span", { class: "property" }, question?.property ?? ""),
        ),
        question && h("p", { class: "headline" }, question.summary),
        question && h("p", { class: "message" }, question.message),
        question && question.notes.length > 0 && notes(store, question.notes),
        question && stats(question.engine, question.stats),
      );
    },
  };
}

/** What else should be known, with the way to where it is in the text. */
function notes(store: Store, list: readonly Note[]): HTMLElement {
  return h(
    "ul",
    { class: "notes", "aria-label": "Remarks" },
    ...list.map(({ text, help, place }) =>
      h(
        "li",
        {},
        text,
        place && " ",
        place && button(placeText(store.document, place), () => store.peek(place, "")),
        help !== null && h("span", { class: "help" }, ` ${help}`),
      ),
    ),
  );
}

function stats(engine: string, values: readonly [string, string][]): HTMLElement {
  return h(
    "details",
    { class: "stats" },
    h("summary", {}, engine === "" ? "Figures" : `Engine: ${engine}`),
    h(
      "dl",
      {},
      ...values.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    ),
  );
}
