/** The run as a folded call tree. */
import { button, h, panel, fill, freshId } from "../dom.js";
import { VirtualList } from "../list.js";
import type { Walk } from "../run.js";
import type { Store, View } from "../store.js";
import { count, grouped, lineText } from "../text.js";
import { Tree, type Row } from "../tree.js";
import { formulaTable } from "./table.js";

const ROW = 24;
/** Rows are indented by no more than so many levels; the current one by no more than half of them. */
const DEEPEST = 12;

/** The panel of the trace of one run. */
export function traceView(store: Store, walk: Walk): View {
  const { element, tools, body } = panel("trace", "Trace");
  const { run } = walk;
  const tree = new Tree(walk);
  const prefix = freshId("row");
  let current = -1;
  /** How many levels are left out of the indentation. */
  let shift = 0;
  let tab = "calls";

  const list = new VirtualList(ROW, renderRow, "tree", {
    role: "tree",
    "aria-label": "Steps of the run",
  });
  list.inner.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    const row = tree.rows[current];
    if (row?.kind === "call") toggle(row);
    event.preventDefault();
  });

  function toggle(row: Row): void {
    tree.toggle(row.position);
    // A call that is closed takes what is inside with it.
    const { spot } = store;
    const inside =
      spot &&
      spot.position.length > row.position.length &&
      row.position.every((index, k) => index === spot.position[k]);
    if (inside && !tree.isOpen(row.position))
      store.moveTo({ position: row.position, turn: spot.turn }, "push");
    else update();
  }

  function renderRow(index: number): HTMLElement {
    const row = tree.rows[index];
    if (!row) return h("div", {});
    const { place, text, effect } = tree.describe(row);
    if (row.kind === "turn")
      return h("div", { class: "turn-head", role: "presentation" }, h("span", {}, `↻ ${text}`));
    const isCurrent = index === current;
    const call = row.kind === "call";
    const stored =
      call && typeof row.tape.steps[row.position.at(-1) ?? 0]?.call?.segment === "number";
    const open = stored && tree.isOpen(row.position);
    const pad = h("span", { class: "indent" });
    const levels = Math.min(Math.max(0, row.depth - shift), DEEPEST);
    pad.style.width = `${levels * 0.9 + (shift > 0 ? 1.8 : 0)}rem`;
    if (shift > 0) pad.textContent = String(row.depth);
    const item = h(
      "div",
      {
        id: `${prefix}-${index}`,
        class: `step ${row.kind}${isCurrent ? " current" : ""}${row.turn > 0 ? ` turn turn-${row.turn}` : ""}`,
        role: "treeitem",
        "aria-level": row.depth + 1,
        "aria-selected": String(isCurrent),
        "aria-expanded": stored ? String(open) : null,
        onclick: () => {
          const turn = row.turn === 2 ? Math.max(2, store.spot?.turn ?? 2) : row.turn;
          store.moveTo({ position: row.position, turn }, "push");
        },
        ondblclick: () => stored && toggle(row),
      },
      h("span", { class: "number" }, lineText(store.document, place)),
      pad,
      h(
        "span",
        {
          class: "fold",
          "aria-hidden": "true",
          onclick: (event: MouseEvent) => {
            if (!stored) return;
            event.stopPropagation();
            toggle(row);
          },
        },
        stored ? (open ? "▾" : "▸") : row.kind === "end" ? "!" : "",
      ),
      h("span", { class: "text", title: text }, text),
      h("span", { class: "effect", title: effect === "" ? null : effect }, effect),
    );
    return item;
  }

  const summary = h("p", { class: "summary" });
  const piled = piledFrames(walk);
  const table = run.table ? formulaTable(store, run.table) : null;
  if (table) {
    const tabs = h("div", {
      class: "tabs",
      role: "group",
      "aria-label": "What is shown of the run",
    });
    for (const [name, title] of [
      ["calls", "Calls"],
      ["formulas", "Subformulas"],
    ] as const) {
      const chosen = button(title, () => {
        tab = name;
        for (const each of tabs.children)
          each.setAttribute("aria-pressed", String(each === chosen));
        layOut();
        update();
      });
      chosen.setAttribute("aria-pressed", String(name === tab));
      tabs.append(chosen);
    }
    tools.append(tabs);
  }

  function layOut(): void {
    if (tab === "formulas" && table) fill(body, table.element);
    else fill(body, summary, piled, list.element);
  }
  layOut();

  function update(): void {
    const { spot } = store;
    if (!spot) return;
    current = tree.reveal(spot);
    shift = Math.max(0, (tree.rows[current]?.depth ?? 0) - DEEPEST / 2);
    const turn =
      spot.turn > 0
        ? ` · turn ${grouped(spot.turn)}`
        : run.turn && walk.turnLength === 0 && spot.position[0] === run.steps.length
          ? " · for ever"
          : "";
    const number = walk.at(spot).number;
    summary.textContent = run.turn
      ? `Step ${grouped(number)} · stem of ${count(run.length, "step")}${turn}`
      : `Step ${grouped(number)} of ${grouped(run.length)}`;
    if (tab === "formulas") table?.update();
    else {
      list.show(tree.rows.length, current);
      if (current >= 0) list.reveal(current);
      if (current >= 0) list.inner.setAttribute("aria-activedescendant", `${prefix}-${current}`);
    }
  }

  return { element, update };
}

/** For a run whose stack diverges: the frames that each turn adds. */
function piledFrames(walk: Walk): HTMLElement | null {
  const { turn } = walk.run;
  if (!turn || turn.frames === 0) return null;
  const added = walk.top.frames.filter(
    (frame) => frame.at > turn.start && frame.at <= turn.start + turn.length,
  );
  const hidden = turn.frames - added.length;
  const before = walk.top.frames[walk.top.frameAt(turn.start)];
  const chain = [before, ...added].slice(0, -1).map((frame) => {
    const procedure = walk.machine.procedures[frame?.procedure ?? -1];
    const edge = frame?.waits !== null ? procedure?.edges[frame?.waits ?? -1] : undefined;
    const line = edge?.place ? `line ${edge.place[1]}: ` : "";
    return h("li", {}, `${procedure?.name ?? "?"} waits at ${line}${edge?.text ?? "a call"}`);
  });
  return h(
    "details",
    { class: "piled-up", open: true },
    h("summary", {}, `The stack diverges: each turn adds ${count(turn.frames, "frame")}`),
    h(
      "ol",
      {},
      ...chain,
      hidden > 0 && h("li", {}, `and ${count(hidden, "frame")} that are not listed`),
    ),
  );
}
