/** The page: a header, the steps, and panels beside each other or one at a time. */
import { button, fill, h } from "../dom.js";
import type { Store, View } from "../store.js";
import { controlsView } from "./controls.js";
import { freeView } from "./free.js";
import { headerView } from "./header.js";
import { helpDialog } from "./help.js";
import { machineView } from "./machine.js";
import { noneView } from "./none.js";
import { sourceView } from "./source.js";
import { strategyView } from "./strategy.js";
import { traceView } from "./trace.js";
import { valuesView } from "./values.js";
import { wordsView } from "./words.js";

/** A view in which things can be chosen by number. */
type Picking = View & { pick?: (number: number) => void };

/** Makes the page in an element. */
export function buildPage(store: Store, root: HTMLElement): void {
  const help = helpDialog();
  const first = h("div", { class: "slot" });
  const source = sourceView(store);
  const values = valuesView(store);
  const machine = machineView(store);
  const main = h(
    "main",
    { id: "main", class: "panels", tabindex: -1 },
    first,
    source.element,
    values.element,
    machine.element,
  );
  const evidence = new Map<string, Picking>();
  let chosen: Picking | null = null;

  /** The view of the evidence where the current position is. */
  function evidenceView(): Picking {
    const { where, question } = store.address;
    const key =
      where.mode === "free" || where.mode === "none" ? where.mode : `${where.mode} ${question}`;
    let view = evidence.get(key);
    if (!view) {
      const given = store.question?.evidence;
      const { walk } = store;
      if (where.mode === "free") view = freeView(store);
      else if (where.mode === "run" && walk) view = traceView(store, walk);
      else if (given?.kind === "strategy") view = strategyView(store, given);
      else if (given?.kind === "words") view = wordsView(store, given);
      else view = noneView(store);
      evidence.set(key, view);
    }
    return view;
  }

  const slot: View = {
    element: first,
    update() {
      const view = evidenceView();
      if (view !== chosen) fill(first, view.element);
      chosen = view;
      view.update();
    },
  };
  const controls = controlsView(store, (number) => chosen?.pick?.(number), help.open);
  const header = headerView(store);
  const tabs = tabsView(store, main);
  const skip = h(
    "a",
    {
      class: "skip",
      href: "#main",
      onclick: (event: MouseEvent) => {
        event.preventDefault();
        main.focus();
      },
    },
    "Skip to the views",
  );
  fill(
    root,
    skip,
    header.element,
    h("nav", { class: "nav", "aria-label": "Steps and views" }, controls.element, tabs.element),
    main,
    help.element,
  );
  store.add(header, tabs, slot, source, values, machine, controls);
}

const TABS: [string, string][] = [
  ["trace", "Trace"],
  ["source", "Source"],
  ["values", "Values"],
  ["machine", "Machine"],
];

/** The choice of a panel, where there is room for one only. */
function tabsView(store: Store, main: HTMLElement): View {
  const element = h("div", { class: "views", role: "group", "aria-label": "View" });
  const buttons = TABS.map(([name, title]) =>
    button(title, () => store.choose({ view: name }), { "data-view": name }),
  );
  element.append(...buttons);
  return {
    element,
    update() {
      const view = store.address.view ?? "trace";
      const { mode } = store.address.where;
      const values = mode === "run" || mode === "free" || mode === "strategy";
      const known = TABS.some(([name]) => name === view && (values || name !== "values"));
      const shown = known ? view : "trace";
      main.dataset["view"] = shown;
      main.classList.toggle("without-values", !values);
      for (const each of buttons) {
        each.setAttribute("aria-pressed", String(each.dataset["view"] === shown));
        each.hidden = each.dataset["view"] === "values" && !values;
      }
    },
  };
}
