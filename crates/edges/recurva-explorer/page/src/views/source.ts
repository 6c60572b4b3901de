/** The texts, with the current place and those of the call stack. */
import type { Place, Source } from "../document.js";
import { fill, h, panel } from "../dom.js";
import { VirtualList } from "../list.js";
import type { Store, View } from "../store.js";

const LINE = 20;

/** The panel of the source. */
export function sourceView(store: Store): View {
  const { sources } = store.document;
  const { element, tools, body, heading } = panel("source", "Source");
  const lines = sources.map((source) => splitLines(source));
  let current = 0;
  let shown: Place | null = null;
  let tabs: HTMLElement | null = null;
  let marks = new Map<number, number>();

  const list = new VirtualList(LINE, renderLine, "code", {
    role: "region",
    "aria-label": "Text of the source",
  });

  function renderLine(index: number): HTMLElement {
    const text = lines[current]?.[index] ?? "";
    const line = index + 1;
    const here = shown !== null && shown[0] === current && line >= shown[1] && line <= shown[3];
    const code = h("code", {});
    if (here && shown) {
      const from = line === shown[1] ? shown[2] - 1 : indentOf(text);
      const to = line === shown[3] ? shown[4] - 1 : text.length;
      code.append(text.slice(0, from), h("mark", {}, text.slice(from, to)), text.slice(to));
    } else code.append(text);
    const depth = marks.get(line);
    return h(
      "div",
      {
        class: `line${here ? " current" : ""}${depth !== undefined ? " waiting" : ""}`,
        "aria-current": here && line === shown?.[1] ? "location" : null,
      },
      h("span", { class: "number" }, String(line)),
      h(
        "span",
        { class: "sign", title: depth !== undefined ? `frame ${depth} waits here` : null },
        here && line === shown?.[1] ? "▶" : depth !== undefined ? "•" : "",
      ),
      code,
    );
  }

  function show(source: number): void {
    current = source;
    const widest = (lines[source] ?? []).reduce((most, line) => Math.max(most, line.length), 0);
    list.inner.style.minWidth = `calc(${widest + 2}ch + 4.5rem)`;
    if (tabs)
      [...tabs.children].forEach((tab, k) => {
        tab.setAttribute("aria-selected", String(k === source));
        tab.setAttribute("tabindex", k === source ? "0" : "-1");
      });
    else heading.textContent = `Source: ${sources[source]?.name ?? "none"}`;
    marks = new Map();
    store.focus.frames.slice(0, -1).forEach((frame, k) => {
      if (frame.place?.[0] === source && !marks.has(frame.place[1])) marks.set(frame.place[1], k);
    });
    const active = shown && shown[0] === source ? shown[1] - 1 : -1;
    list.show(lines[source]?.length ?? 0, active);
    if (active >= 0) list.reveal(active);
  }

  if (sources.length > 1) {
    tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Texts" });
    sources.forEach((source, k) => {
      const tab = h(
        "button",
        {
          type: "button",
          role: "tab",
          onclick: () => show(k),
          onkeydown: (event: KeyboardEvent) => {
            const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
            if (by === 0) return;
            const next = (k + by + sources.length) % sources.length;
            show(next);
            (tabs?.children[next] as HTMLElement).focus();
            event.stopPropagation();
            event.preventDefault();
          },
        },
        source.name,
      );
      tabs?.append(tab);
    });
    tools.append(tabs);
  }
  if (sources.length === 0) fill(body, h("p", { class: "empty" }, "There is no source text."));
  else fill(body, list.element);

  return {
    element,
    update() {
      const { focus, address } = store;
      const chosen = address.frame === null ? null : (focus.frames[address.frame]?.place ?? null);
      shown = store.peeked ?? chosen ?? focus.place;
      show(shown && sources[shown[0]] ? shown[0] : current);
    },
  };
}

function splitLines(source: Source): string[] {
  return source.text.split(/\r\n|\n|\r/).map((line) => line.replaceAll("\t", " "));
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
