/** The values in scope, the call stack, the monitor. */
import { button, fill, h, panel } from "../dom.js";
import type { Shown, ShownFrame } from "../focus.js";
import type { Store, View } from "../store.js";
import { count, placeText } from "../text.js";

/** From this many values on there is a box to filter them. */
const MANY = 12;
/** So many values and frames are shown at once. */
const MOST = 400;

/** The panel of the values. */
export function valuesView(store: Store): View {
  const { element, tools, body } = panel("values", "Values");
  const filter = h("input", {
    type: "search",
    placeholder: "filter",
    "aria-label": "Filter the values by name",
    oninput: () => update(),
  });
  const hidden = h("input", {
    type: "checkbox",
    onchange: () => {
      store.showHidden = hidden.checked;
      update();
    },
  });
  const hiddenLabel = h("label", { class: "check" }, hidden, "hidden ones too");
  tools.append(filter, hiddenLabel);

  function table(title: string, values: readonly Shown[]): HTMLElement {
    const wanted = filter.value.trim().toLowerCase();
    const visible = values.filter(
      (value) => (store.showHidden || !value.hidden) && value.name.toLowerCase().includes(wanted),
    );
    const rows = visible.slice(0, MOST).map((value) => row(value));
    return h(
      "div",
      { class: "group" },
      h("h3", {}, title),
      visible.length === 0
        ? h("p", { class: "empty" }, values.length === 0 ? "none" : "none that is shown")
        : h("table", {}, h("tbody", {}, ...rows)),
      visible.length > MOST &&
        h(
          "p",
          { class: "empty" },
          `and ${count(visible.length - MOST, "value")} more: filter them`,
        ),
    );
  }

  function row(value: Shown): HTMLElement {
    const { watched } = value;
    const chosen =
      store.watched?.slot === watched.slot && store.watched.procedure === watched.procedure;
    const star = button(chosen ? "★" : "☆", () => toggle(value, chosen), {
      class: "star",
      "aria-pressed": String(chosen),
      "aria-label": `Follow ${value.name}`,
      title: "follow: c and C go to its next and previous change",
    });
    return h(
      "tr",
      { class: value.before !== null ? "changed" : "" },
      h("td", { class: "follow" }, store.walk ? star : ""),
      h("th", { scope: "row", title: value.type }, value.name),
      h(
        "td",
        { class: "value" },
        value.before !== null && h("span", { class: "before" }, value.before, h("span", {}, " → ")),
        h("span", { class: "now" }, value.value),
        value.varies && h("span", { class: "note" }, " changes from turn to turn"),
      ),
      h("td", { class: "type" }, value.type),
    );
  }

  function toggle(value: Shown, chosen: boolean): void {
    store.watched = chosen ? null : value.watched;
    store.refresh();
  }

  function stack(frames: readonly ShownFrame[], chosen: number): HTMLElement {
    const items: HTMLElement[] = [];
    const first = Math.max(0, frames.length - MOST);
    for (let k = frames.length - 1; k >= first; k--) {
      const frame = frames[k];
      if (!frame) continue;
      const label = `${frame.name}${frame.place ? `, ${placeText(store.document, frame.place)}` : ""}`;
      items.push(
        h(
          "li",
          { class: frame.turn > 0 ? "piled" : "" },
          button(label, () => store.choose({ frame: k === frames.length - 1 ? null : k }), {
            "aria-current": k === chosen ? "true" : null,
            class: "frame",
          }),
          frame.turn > 0 && h("span", { class: "badge" }, `turn ${frame.turn}`),
        ),
      );
      if (frame.skipped > 0)
        items.push(
          h(
            "li",
            { class: "piled empty" },
            `… the same from ${count(frame.skipped, "turn")} before`,
          ),
        );
      if (frame.hidden > 0)
        items.push(h("li", { class: "empty" }, `… ${count(frame.hidden, "frame")} not listed`));
    }
    if (first > 0) items.push(h("li", { class: "empty" }, `… ${count(first, "frame")} more below`));
    return h(
      "div",
      { class: "group stack" },
      h("h3", {}, `Call stack, innermost first`),
      h("ol", { "aria-label": "Call stack" }, ...items),
    );
  }

  function update(): void {
    const { focus, address, question } = store;
    const frames = focus.frames;
    const chosen = Math.min(address.frame ?? frames.length - 1, frames.length - 1);
    const frame = frames[chosen];
    const locals = frame?.values() ?? [];
    const all = [...focus.globals, ...locals];
    filter.hidden = all.length < MANY && filter.value === "";
    hiddenLabel.hidden = !all.some((value) => value.hidden);
    const parts: (HTMLElement | false)[] = [];
    const { where } = address;
    if (where.mode === "strategy" && question?.evidence?.kind === "strategy") {
      const position = question.evidence.positions[where.path.at(-1) ?? 0];
      parts.push(plain("Values", position?.values ?? []));
    } else if (where.mode === "none" || where.mode === "words" || all.length + frames.length === 0)
      parts.push(h("p", { class: "empty" }, "There are no values to show at this place."));
    else {
      parts.push(
        focus.monitor !== null &&
          h(
            "div",
            { class: "group" },
            h("h3", {}, `Monitor ${focus.monitor.name}`),
            h(
              "p",
              { class: focus.monitor.before !== null ? "changed monitor" : "monitor" },
              focus.monitor.before !== null && `${focus.monitor.before} → `,
              h("strong", {}, focus.monitor.states),
            ),
          ),
        table("Globals", focus.globals),
        frame ? table(`Locals of ${frame.name}`, locals) : false,
        stack(frames, chosen),
      );
    }
    const top = body.scrollTop;
    fill(body, ...parts);
    body.scrollTop = top;
  }

  body.setAttribute("tabindex", "0");
  body.setAttribute("role", "group");
  body.setAttribute("aria-label", "Values");
  return { element, update };
}

function plain(title: string, values: readonly string[]): HTMLElement {
  return h(
    "div",
    { class: "group" },
    h("h3", {}, title),
    values.length === 0
      ? h("p", { class: "empty" }, "none")
      : h("ul", { class: "plain" }, ...values.map((value) => h("li", {}, value))),
  );
}
