/** Why a formula about branching fails: its tree, and the walk through the strategy. */
import type { Strategy, StrategyMove } from "../document.js";
import { button, fill, h, panel } from "../dom.js";
import type { Store, View } from "../store.js";
import { placeText } from "../text.js";

/** A way on from a position. */
interface Way {
  text: string;
  to: number;
}

/** The panel of a strategy; `pick` takes the move with a number. */
export function strategyView(
  store: Store,
  strategy: Strategy,
): View & { pick: (k: number) => void } {
  const { element, body } = panel("trace", "Why it fails");
  const tree = h("ul", { class: "formula", role: "tree", "aria-label": "The formula" });
  const place = h("div", { class: "position" });
  const history = h("ol", { class: "history", "aria-label": "The walk so far" });
  let ways: Way[] = [];
  fill(
    body,
    h("div", { class: "group" }, h("h3", {}, "The walk"), place, history),
    h("div", { class: "group" }, h("h3", {}, "The formula"), tree),
  );
  body.setAttribute("tabindex", "0");
  body.setAttribute("role", "group");
  body.setAttribute("aria-label", "Walk and formula");
  const items = new Map<number, HTMLElement>();
  buildTree(strategy, tree, items);
  treeKeys(tree);

  function path(): number[] {
    const { where } = store.address;
    return where.mode === "strategy" ? where.path : [0];
  }

  function go(to: number): void {
    store.move({ mode: "strategy", path: [...path(), to] }, "push");
  }

  function name(at: number): string {
    const position = strategy.positions[at];
    return position ? position.state : "?";
  }

  function moveParts(move: StrategyMove): { title: string; ways: Way[]; note: string } {
    if (move.move === "step")
      return {
        title: move.all
          ? "It asks for some step; all there are fail:"
          : "It asks for all steps; this one fails:",
        ways: move.to.map((to) => ({ to, text: `step to ${name(to)}` })),
        note: move.all && move.to.length === 0 ? "There is no step at all." : "",
      };
    if (move.move === "call")
      return {
        title: move.all
          ? "It asks for some call; all there are fail:"
          : "It asks for all calls; this one fails:",
        ways: move.callees.flatMap(({ callee, returns }) => [
          { to: callee, text: `into the call: ${name(callee)}` },
          ...returns.map(({ marker, to }) => ({
            to,
            text: `over it, to the return (what is asked of it: ${marker}): ${name(to)}`,
          })),
        ]),
        note: move.all && move.callees.length === 0 ? "There is no call at all." : "",
      };
    return {
      title: move.all
        ? "It asks for some return; all there are fail:"
        : "It asks for all returns; this one fails:",
      ways: [],
      note: `Marker ${move.marker}. ${move.states.length === 0 ? "There is no return." : `Returns to ${move.states.join(", ")}.`}`,
    };
  }

  function update(): void {
    const at = path().at(-1) ?? 0;
    const position = strategy.positions[at];
    if (!position) return;
    ways = [];
    const moves = position.moves.map((move) => {
      const parts = moveParts(move);
      return h(
        "div",
        { class: "move" },
        h("p", {}, parts.title),
        h(
          "ol",
          { class: "choices" },
          ...parts.ways.map((way) => {
            ways.push(way);
            const number = ways.length;
            return h(
              "li",
              {},
              wayButton(number, way, () => go(way.to)),
            );
          }),
        ),
        parts.note !== "" && h("p", { class: "empty" }, parts.note),
      );
    });
    const where = [position.procedure ?? "", placeText(store.document, store.focus.place)]
      .filter((text) => text !== "")
      .join(", ");
    fill(
      place,
      h(
        "dl",
        {},
        ...pair("State", `${position.state} (${position.stateKind})`),
        ...(where === "" ? [] : pair("Where", where)),
        ...pair("Fails here", position.fails),
      ),
      position.facts.length > 0 &&
        h(
          "ul",
          { class: "plain", "aria-label": "Facts" },
          ...position.facts.map((fact) => h("li", {}, fact)),
        ),
      ...moves,
      position.moves.length === 0 &&
        h("p", { class: "empty" }, "Nothing is left to show: it fails at this very state."),
    );
    fill(
      history,
      ...path().map((step, k) =>
        h(
          "li",
          {},
          button(
            `${name(step)}: ${strategy.positions[step]?.fails ?? ""}`,
            () => store.move({ mode: "strategy", path: path().slice(0, k + 1) }, "push"),
            { "aria-current": k === path().length - 1 ? "step" : null },
          ),
        ),
      ),
    );
    for (const [index, item] of items) {
      const current = index === position.formula;
      item.classList.toggle("current", current);
      item.setAttribute("aria-selected", String(current));
    }
  }

  return {
    element,
    update,
    pick(number) {
      const way = ways[number - 1];
      if (way) go(way.to);
    },
  };
}

function wayButton(number: number, way: Way, click: () => void): HTMLElement {
  const made = button("", click);
  fill(
    made,
    h("span", { class: "key" }, number <= 9 ? String(number) : ""),
    h("span", { class: "what" }, way.text),
  );
  return made;
}

function pair(name: string, value: string): HTMLElement[] {
  return [h("dt", {}, name), h("dd", {}, value)];
}

/** The formula as a tree: an item for each node, with its operator and its text. */
function buildTree(strategy: Strategy, root: HTMLElement, items: Map<number, HTMLElement>): void {
  const open: [node: number, into: HTMLElement, level: number][] = [[0, root, 1]];
  while (open.length > 0) {
    const [index, into, level] = open.pop() as [number, HTMLElement, number];
    const node = strategy.formula[index];
    if (!node) continue;
    // A part that occurs twice is spelled out once.
    const again = items.has(index);
    const leaf = again || node.children.length === 0;
    const item = h(
      "li",
      {
        role: "treeitem",
        tabindex: index === 0 ? 0 : -1,
        "aria-level": level,
        "aria-expanded": leaf ? null : "true",
        "aria-selected": "false",
      },
      h("span", { class: "operator" }, node.operator),
      h("code", {}, node.text),
      again && node.children.length > 0 && h("span", { class: "note" }, " (see above)"),
    );
    if (!again) items.set(index, item);
    into.append(item);
    if (leaf) continue;
    const group = h("ul", { role: "group" });
    item.append(group);
    for (const child of [...node.children].reverse()) open.push([child, group, level + 1]);
  }
}

/** Arrow keys move through the tree, and fold it. */
function treeKeys(tree: HTMLElement): void {
  const visible = () =>
    [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")].filter(
      (item) => item.parentElement?.closest("[aria-expanded=false]") === null,
    );
  tree.addEventListener("click", (event) => {
    const item = (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
    if (!item?.hasAttribute("aria-expanded")) return;
    item.setAttribute("aria-expanded", String(item.getAttribute("aria-expanded") !== "true"));
  });
  tree.addEventListener("keydown", (event) => {
    const item = event.target as HTMLElement;
    const all = visible();
    const at = all.indexOf(item);
    const expanded = item.getAttribute("aria-expanded");
    let next: HTMLElement | null | undefined;
    if (event.key === "ArrowDown") next = all[at + 1];
    else if (event.key === "ArrowUp") next = all[at - 1];
    else if (event.key === "ArrowRight") {
      if (expanded === "false") item.setAttribute("aria-expanded", "true");
      else next = all[at + 1];
    } else if (event.key === "ArrowLeft") {
      if (expanded === "true") item.setAttribute("aria-expanded", "false");
      else next = item.parentElement?.closest<HTMLElement>("[role=treeitem]");
    } else return;
    event.preventDefault();
    if (!next) return;
    item.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
