/** Which subformulas hold at which step. */
import type { FormulaTable, Position } from "../document.js";
import { h } from "../dom.js";
import type { Store, View } from "../store.js";
import { placeText } from "../text.js";

/** So many rows around the current one are in the page. */
const AROUND = 150;

/** The table; a row is a position, a column a subformula. */
export function formulaTable(store: Store, table: FormulaTable): View {
  const head = h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("th", { scope: "col" }, "step"),
      ...table.formulas.map((formula) => h("th", { scope: "col" }, formula)),
    ),
  );
  const rows = h("tbody", {});
  const caption = h("caption", {}, "✓ holds, · does not hold. Choose a step to go there.");
  const element = h(
    "div",
    { class: "formulas", tabindex: 0, role: "region", "aria-label": "Subformulas by step" },
    table.note !== "" && h("p", { class: "note" }, table.note),
    h("table", {}, caption, head, rows),
  );

  function update(): void {
    const { spot, walk } = store;
    if (!spot || !walk) return;
    const current = nearest(table.rows, spot.position);
    const first = Math.max(0, current - AROUND);
    const last = Math.min(table.rows.length, Math.max(0, current) + AROUND);
    const made: HTMLElement[] = [];
    if (first > 0) made.push(more(table.formulas.length, `${first} earlier rows`));
    for (let k = first; k < last; k++) {
      const row = table.rows[k];
      if (row) made.push(line(row, k === current));
    }
    if (last < table.rows.length)
      made.push(more(table.formulas.length, `${table.rows.length - last} later rows`));
    rows.replaceChildren(...made);
    rows.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  function line(row: FormulaTable["rows"][number], current: boolean): HTMLElement {
    const { walk } = store;
    const found = walk?.find(row.at);
    const frame = found ? walk?.at(found).frames.at(-1) : undefined;
    const edge =
      frame && frame.edge !== null
        ? walk?.machine.procedures[frame.procedure]?.edges[frame.edge]
        : undefined;
    const text = [placeText(store.document, frame?.place ?? null), edge?.text ?? ""]
      .filter((part) => part !== "")
      .join(": ");
    return h(
      "tr",
      { "aria-current": current ? "step" : null },
      h(
        "th",
        { scope: "row" },
        h(
          "button",
          {
            type: "button",
            class: "jump",
            disabled: !found,
            onclick: () => found && store.moveTo(found, "push"),
          },
          text === "" ? row.at.join(".") : text,
        ),
      ),
      ...row.holds.map((holds) =>
        h(
          "td",
          { class: holds ? "holds" : "fails" },
          h("span", { "aria-hidden": "true" }, holds ? "✓" : "·"),
          h("span", { class: "unseen" }, holds ? "holds" : "does not hold"),
        ),
      ),
    );
  }

  return { element, update };
}

function more(columns: number, text: string): HTMLElement {
  return h("tr", {}, h("td", { colspan: columns + 1, class: "empty" }, text));
}

/** The last row at or before a position. */
export function nearest(rows: readonly { at: Position }[], position: Position): number {
  let found = -1;
  rows.forEach((row, k) => {
    if (compare(row.at, position) <= 0) found = k;
  });
  return found;
}

function compare(a: Position, b: Position): number {
  for (let k = 0; k < Math.min(a.length, b.length); k++) {
    const difference = (a[k] as number) - (b[k] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
