/** The help: what the keys do. */
import { button, fill, h } from "../dom.js";
import { FREE, RUN, STRATEGY, WORDS, type Command } from "../commands.js";

/** A dialog with the keys, and the way to open it. */
export function helpDialog(): { element: HTMLDialogElement; open: () => void } {
  const element = h("dialog", { class: "help", "aria-labelledby": "help-title" });
  const others: [string, string][] = [
    ["f", "explore freely from here"],
    ["1 … 9", "take a choice in free exploration, a move in a strategy"],
    ["Enter", "open or close the call in the trace"],
    ["arrows, + − 0", "in the drawing: move, zoom, show all of it"],
    ["?", "this help"],
  ];
  fill(
    element,
    h("h2", { id: "help-title" }, "Keys"),
    table("In a run", RUN),
    table("In a run of a system of any size", WORDS),
    table("In a strategy", STRATEGY),
    table("In free exploration", FREE),
    rows("Everywhere", others),
    button("Close", () => element.close(), { autofocus: true }),
  );
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  return { element, open: () => element.showModal() };
}

function table(title: string, commands: readonly Command[]): HTMLElement {
  return rows(
    title,
    commands.map((command): [string, string] => [
      command.keys.map(keyName).join(" "),
      command.title,
    ]),
  );
}

function rows(title: string, lines: readonly [string, string][]): HTMLElement {
  return h(
    "div",
    {},
    h("h3", {}, title),
    h(
      "table",
      {},
      h(
        "tbody",
        {},
        ...lines.map(([keys, what]) =>
          h(
            "tr",
            {},
            h(
              "th",
              { scope: "row" },
              ...keys.split(" ").map((key) => (key === "…" ? ` … ` : h("kbd", {}, key))),
            ),
            h("td", {}, what),
          ),
        ),
      ),
    ),
  );
}

function keyName(key: string): string {
  const names: { [key: string]: string } = {
    ArrowLeft: "←",
    ArrowRight: "→",
    ArrowUp: "↑",
    ArrowDown: "↓",
  };
  return names[key] ?? key;
}
