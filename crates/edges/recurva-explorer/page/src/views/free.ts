/** Free exploration: the choices at a state, and the way there. */
import type { Choice, FreeState } from "../document.js";
import { button, fill, h, panel } from "../dom.js";
import type { Store, View } from "../store.js";
import { count, placeText } from "../text.js";

/** With more variables than this their values at the start are not asked for. */
const MOST_INITIAL = 40;

const KINDS: { [kind in Choice["kind"]]: string } = {
  step: "step",
  into: "into",
  over: "over",
  return: "return",
};

/** The panel of free exploration; `pick` takes the choice with a number. */
export function freeView(store: Store): View & { pick: (k: number) => void } {
  const { element, body } = panel("trace", "Free exploration");
  body.setAttribute("tabindex", "0");
  body.setAttribute("role", "group");
  body.setAttribute("aria-label", "Choices");

  function picks(): string {
    const { where } = store.address;
    return where.mode === "free" ? where.picks : "";
  }

  function go(pick: string): void {
    store.move({ mode: "free", picks: `${picks()}/${pick}` }, "push");
  }

  function choices(state: FreeState): HTMLElement {
    if (state.choices.length === 0 && state.open.length === 0)
      return h("p", { class: "empty" }, "Nothing can happen here.");
    return h(
      "ol",
      { class: "choices", "aria-label": "Choices" },
      ...state.choices.map((choice, k) => {
        const procedure = state.stack.at(-1)?.procedure ?? 0;
        const edge =
          choice.edge === null
            ? undefined
            : store.machine?.procedures[procedure]?.edges[choice.edge];
        const item = button("", () => go(choice.pick), { "data-kind": choice.kind });
        fill(
          item,
          h("span", { class: "key" }, k < 9 ? String(k + 1) : ""),
          h("span", { class: `kind ${choice.kind}` }, KINDS[choice.kind]),
          h("span", { class: "number" }, edge?.place ? placeText(store.document, edge.place) : ""),
          h("code", {}, choice.text),
          h("span", { class: "effect" }, choice.note),
        );
        return h("li", {}, item);
      }),
    );
  }

  /** A form for values that are too many to be listed. */
  function typed(state: FreeState): HTMLElement[] {
    const procedure = state.stack.at(-1)?.procedure ?? 0;
    return state.open.map((open) => {
      const edge = store.machine?.procedures[procedure]?.edges[open.edge];
      const problem = h("p", { class: "problem", role: "alert" });
      const inputs = open.types.map((type, k) =>
        h("input", {
          type: "text",
          inputmode: "numeric",
          size: 8,
          name: `value-${k}`,
          placeholder: type,
        }),
      );
      const form = h(
        "form",
        {
          class: "typed",
          onsubmit: (event: SubmitEvent) => {
            event.preventDefault();
            const values = inputs.map((input, k) => bitsOf(input.value, open.types[k] ?? ""));
            const wrong = values.findIndex((value) => value === null);
            if (wrong >= 0) {
              problem.textContent = `${open.names[wrong] ?? "The value"} must be a number, T or F.`;
              inputs[wrong]?.focus();
              return;
            }
            go(`${open.over ? "o" : "e"}${open.edge}:${values.join(",")}`);
          },
        },
        h("p", {}, `${open.over ? "Over" : "Take"} ${edge?.text ?? `edge ${open.edge}`} with`),
        ...inputs.map((input, k) =>
          h("label", {}, `${open.names[k] ?? `value ${k + 1}`}: `, input),
        ),
        h("button", { type: "submit" }, "Go"),
        problem,
      );
      return form;
    });
  }

  /** A form for the values at the start. */
  function initial(state: FreeState): HTMLElement | null {
    const { machine } = store;
    const main = machine?.procedures[machine.main];
    if (!machine || !main || !/^i\d*(:|$)/.test(picks()) || picks().includes("/")) return null;
    const start = `i${state.machine || ""}`;
    const slots = [...machine.globals, ...main.locals];
    if (slots.length === 0 || slots.length > MOST_INITIAL) return null;
    const now = [...state.globals, ...(state.stack[0]?.locals ?? [])];
    const problem = h("p", { class: "problem", role: "alert" });
    const inputs = slots.map((slot, k) =>
      h("input", { type: "text", size: 6, value: now[k] ?? "", placeholder: slot.type }),
    );
    return h(
      "details",
      { class: "group" },
      h("summary", {}, "Other values at the start"),
      h(
        "form",
        {
          class: "typed",
          onsubmit: (event: SubmitEvent) => {
            event.preventDefault();
            const values = inputs.map((input, k) => bitsOf(input.value, slots[k]?.type ?? ""));
            const wrong = values.findIndex((value) => value === null);
            if (wrong < 0)
              store.move({ mode: "free", picks: `${start}:${values.join(",")}` }, "push");
            else problem.textContent = `${slots[wrong]?.name ?? ""} must be a number, T or F.`;
          },
        },
        ...inputs.map((input, k) => h("label", {}, `${slots[k]?.name ?? ""}: `, input)),
        h("button", { type: "submit" }, "Start"),
        problem,
      ),
    );
  }

  function history(): HTMLElement {
    const steps = picks().split("/");
    return h(
      "details",
      { class: "group" },
      h("summary", {}, `${count(steps.length - 1, "choice")} so far`),
      h(
        "ol",
        { class: "history" },
        ...steps.map((step, k) =>
          h(
            "li",
            {},
            button(pickText(step), () =>
              store.move({ mode: "free", picks: steps.slice(0, k + 1).join("/") }, "push"),
            ),
          ),
        ),
      ),
    );
  }

  function update(): void {
    const { free, freeProblem } = store;
    if (freeProblem)
      fill(
        body,
        h("p", { class: "problem" }, freeProblem.message),
        freeProblem.command && h("pre", { class: "command" }, store.document.command),
        history(),
      );
    else if (!free) fill(body, h("p", { class: "empty" }, "…"), history());
    else
      fill(
        body,
        h("p", { class: "summary" }, "What happens next?"),
        choices(free),
        ...typed(free),
        free.note !== "" && h("p", { class: "note" }, free.note),
        initial(free),
        history(),
      );
  }

  return {
    element,
    update,
    pick(number) {
      const choice = store.free?.choices[number - 1];
      if (choice) go(choice.pick);
    },
  };
}

/** A value that was typed, as the decimal number of its bits; null if it is none. */
export function bitsOf(text: string, type: string): string | null {
  const given = text.trim().toLowerCase();
  if (given === "t" || given === "true") return "1";
  if (given === "f" || given === "false") return "0";
  if (!/^-?\d{1,20}$/.test(given)) return null;
  const value = BigInt(given);
  const width = BigInt(/\d+/.exec(type)?.[0] ?? "64");
  return String(value < 0n ? BigInt.asUintN(Number(width), value) : value);
}

function pickText(pick: string): string {
  const from = /^@(\d+):(.+)$/.exec(pick);
  if (from) return `position ${from[2]} of the run`;
  const start = /^i\d*:?(.*)$/.exec(pick);
  if (start) return `start ${start[1]}`.trim();
  if (pick === "r") return "return";
  return pick.startsWith("o") ? `over ${pick.slice(1)}` : `edge ${pick.slice(1)}`;
}
