/** The buttons for stepping, and the keys. */
import { button, fill, h, select } from "../dom.js";
import { commandsOf, explore, leave, type Command } from "../commands.js";
import type { Watched } from "../search.js";
import type { Store, View } from "../store.js";

/** Steps that follow each other faster than this are one entry in the browser's history. */
const QUICK = 400;

/** The toolbar. `pick` chooses by number where there are choices; `help` opens the help. */
export function controlsView(store: Store, pick: (number: number) => void, help: () => void): View {
  const element = h("div", { class: "controls", role: "toolbar", "aria-label": "Steps" });
  const notice = h("p", { class: "notice", role: "alert" });
  const said = h("p", { class: "unseen", role: "status", "aria-live": "polite" });
  const outer = h("div", { class: "steps" }, element, notice, said);
  let shown = "";
  let last = 0;

  function run(command: Command): void {
    const now = performance.now();
    command.run(store, now - last < QUICK ? "replace" : "push");
    last = now;
  }

  function build(): void {
    const commands = commandsOf(store);
    const { mode } = store.address.where;
    const { machine } = store;
    const parts: HTMLElement[] = commands.map((command) => {
      const made = button("", () => run(command), {
        "data-command": command.name,
        "aria-label": `${command.label[1]}: ${command.title}`,
        "aria-keyshortcuts": command.keys.join(" "),
        title: `${command.title} (${command.keys.join(", ")})`,
      });
      fill(made, command.label[0], h("span", { class: "label" }, ` ${command.label[1]}`));
      return made;
    });
    if (mode === "run") parts.push(follow(store));
    if (mode === "free")
      parts.push(button("Leave", () => leave(store), { "data-command": "leave" }));
    else if (machine) {
      const from = button("Explore", () => explore(store), {
        "data-command": "explore",
        "aria-keyshortcuts": "f",
        title: "free exploration (f)",
      });
      if (mode === "run") from.append(h("span", { class: "label" }, " from here"));
      parts.push(from);
    }
    parts.push(button("?", help, { "aria-label": "Help: the keys", "aria-keyshortcuts": "?" }));
    fill(element, ...parts);
  }

  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event) || document.querySelector("dialog[open]")) return;
    if (event.key === "?") {
      help();
      event.preventDefault();
      return;
    }
    if (event.key === "f") return explore(store);
    if (event.key === "Escape" && store.address.where.mode === "free") return leave(store);
    if (/^[1-9]$/.test(event.key)) return pick(Number(event.key));
    const command = commandsOf(store).find((each) => each.keys.includes(event.key));
    if (!command || (event.key.length > 1 && scrolls())) return;
    event.preventDefault();
    run(command);
  });

  return {
    element: outer,
    update() {
      const { watched, focus, address } = store;
      const frame = focus.frames.at(-1)?.procedure ?? "";
      const now = [address.where.mode, address.question, frame, JSON.stringify(watched)].join(" ");
      if (now !== shown) build();
      shown = now;
      if (notice.textContent !== store.notice) notice.textContent = store.notice;
      notice.hidden = store.notice === "";
      if (said.textContent !== focus.say) said.textContent = focus.say;
    },
  };
}

/** The list of the variables that can be followed. */
function follow(store: Store): HTMLElement {
  const { machine } = store;
  const procedure = store.focus.frames.at(-1)?.procedure ?? machine?.main ?? 0;
  const { watched } = store;
  const key = (each: Watched) => `${each.procedure ?? "g"}:${each.slot}`;
  const choices: [string, string][] = [["", "nothing"]];
  const known = new Map<string, Watched>();
  const add = (each: Watched, name: string) => {
    known.set(key(each), each);
    choices.push([key(each), name]);
  };
  const visible = <T extends { hidden?: true }>(slot: T) => store.showHidden || !slot.hidden;
  machine?.globals.forEach(
    (slot, k) => visible(slot) && add({ procedure: null, slot: k }, slot.name),
  );
  const made = machine?.procedures[procedure];
  made?.locals.forEach(
    (slot, k) => visible(slot) && add({ procedure, slot: k }, `${made.name}: ${slot.name}`),
  );
  if (watched && !known.has(key(watched))) {
    const owner = watched.procedure === null ? null : machine?.procedures[watched.procedure];
    const slots = owner ? owner.locals : machine?.globals;
    const name = slots?.[watched.slot]?.name ?? "?";
    add(watched, owner ? `${owner.name}: ${name}` : name);
  }
  return select("follow", choices, watched ? key(watched) : "", (value) => {
    store.watched = known.get(value) ?? null;
    store.refresh();
  });
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return target !== null && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}

/** Has the keyboard gone to something that scrolls by the arrow keys? */
function scrolls(): boolean {
  const active = document.activeElement;
  return active !== null && active.matches(":focus-visible") && active.matches(".scrolls");
}
