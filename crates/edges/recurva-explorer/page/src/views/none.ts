/** What stands in the place of a trace where there is none. */
import { explore } from "../commands.js";
import { button, fill, h, panel } from "../dom.js";
import { verdictOf } from "../focus.js";
import type { Store, View } from "../store.js";

/** The panel of a question without evidence. */
export function noneView(store: Store): View {
  const { element, body } = panel("trace", "Answer");
  body.setAttribute("role", "group");
  body.setAttribute("aria-label", "Answer");
  return {
    element,
    update() {
      const { question, machine } = store;
      const drawing = question?.drawing ?? null;
      const word = question ? verdictOf(question).word : "no question";
      const reason =
        question?.verdict === "holds"
          ? "No run violates it, so there is no counterexample to walk through."
          : question?.verdict === "unknown"
            ? "The check has not come to an end, so there is no run to show."
            : "There is no run to show for this answer.";
      fill(
        body,
        h("p", { class: "summary" }, question ? `${question.property}: ${word}` : word),
        h("p", {}, question?.message ?? ""),
        h("p", {}, reason),
        drawing !== null &&
          h(
            "p",
            {},
            "What proves it is drawn: ",
            button("Show the invariant", () =>
              store.choose({ view: "machine", drawing: `d${drawing}` }),
            ),
          ),
        machine &&
          h(
            "p",
            {},
            "You can walk through the program yourself: ",
            button("Explore from the start", () => explore(store)),
          ),
      );
    },
  };
}
