/** What the buttons and the keys do, for each kind of place. */
import { startOf } from "./address.js";
import type { Spot } from "./spot.js";
import { changesOf, search } from "./search.js";
import type { Store } from "./store.js";
import { lastWord, nextWord } from "./words.js";

/** A command. */
export interface Command {
  name: string;
  /** As `KeyboardEvent.key` names them. */
  keys: string[];
  /** A sign and a word for its button. */
  label: [sign: string, word: string];
  /** In the help. */
  title: string;
  run: (store: Store, how: "push" | "replace") => void;
}

function step(
  move: (store: Store, spot: Spot) => Spot | null,
  otherwise: string,
): (store: Store, how: "push" | "replace") => void {
  return (store, how) => {
    const { spot } = store;
    if (!spot) return;
    const next = move(store, spot);
    if (next) store.moveTo(next, how);
    else store.tell(otherwise);
  };
}

function change(forward: boolean): (store: Store, how: "push" | "replace") => void {
  return (store) => {
    const { walk, spot, watched } = store;
    if (!walk || !spot) return;
    if (!watched) {
      store.tell("Choose a variable first: by the star at its value, or in the list “follow”.");
      return;
    }
    const found = search(walk, spot, changesOf(walk, watched), forward);
    if (found) store.moveTo(found, "push");
    else store.tell(`There is no ${forward ? "later" : "earlier"} change of it.`);
  };
}

const HOME: Command = {
  name: "start",
  keys: ["Home"],
  label: ["⇤", "Start"],
  title: "to the start",
  run: (store) =>
    store.go({ ...startOf(store.address.question), view: store.address.view }, "push"),
};

/** The commands in a run. */
export const RUN: Command[] = [
  HOME,
  {
    name: "back",
    keys: ["ArrowLeft", "b"],
    label: ["←", "Back"],
    title: "one step back, into calls",
    run: step((store, spot) => store.walk?.back(spot) ?? null, "This is the start."),
  },
  {
    name: "back-over",
    keys: ["ArrowUp", "p"],
    label: ["↑", "Back over"],
    title: "one step back, over calls",
    run: step((store, spot) => store.walk?.backOver(spot) ?? null, "This is the start."),
  },
  {
    name: "over",
    keys: ["ArrowDown", "n"],
    label: ["↓", "Over"],
    title: "one step on, over calls",
    run: step((store, spot) => store.walk?.over(spot) ?? null, "This is the end of the run."),
  },
  {
    name: "in",
    keys: ["ArrowRight", "i"],
    label: ["→", "In"],
    title: "one step on, into calls",
    run: step((store, spot) => store.walk?.into(spot) ?? null, "This is the end of the run."),
  },
  {
    name: "out",
    keys: ["o"],
    label: ["↗", "Out"],
    title: "behind the return of the running call",
    run: step(
      (store, spot) => store.walk?.out(spot) ?? null,
      "The running call does not return in this run.",
    ),
  },
  {
    name: "end",
    keys: ["End"],
    label: ["⇥", "End"],
    title: "to the end; of an infinite run to its second turn",
    run: (store) => {
      if (store.walk) store.moveTo(store.walk.end(), "push");
    },
  },
  {
    name: "turn",
    keys: ["t"],
    label: ["↻", "Turn"],
    title: "to the start of the next turn of an infinite run",
    run: step((store, spot) => store.walk?.nextTurn(spot) ?? null, "This run has no turns."),
  },
  {
    name: "previous-change",
    keys: ["C"],
    label: ["◂★", "change"],
    title: "to the previous change of the variable that is followed",
    run: change(false),
  },
  {
    name: "next-change",
    keys: ["c"],
    label: ["★▸", "change"],
    title: "to the next change of the variable that is followed",
    run: change(true),
  },
];

function word(forward: boolean): (store: Store, how: "push" | "replace") => void {
  return (store, how) => {
    const { where } = store.address;
    const row = store.question?.evidence;
    if (where.mode !== "words" || row?.kind !== "words") return;
    const next = forward ? nextWord(row, where.step) : lastWord(row, where.step, where.turn);
    if (!next) {
      store.tell(forward ? "This is the end of the run." : "This is the start.");
      return;
    }
    const turn = where.turn + (next.around ? (forward ? 1 : -1) : 0);
    store.move({ mode: "words", step: next.step, turn }, how);
  };
}

/** The commands in a run of a system of any size. */
export const WORDS: Command[] = [
  HOME,
  {
    name: "back",
    keys: ["ArrowLeft", "ArrowUp", "b", "p"],
    label: ["←", "Back"],
    title: "one step back",
    run: word(false),
  },
  {
    name: "in",
    keys: ["ArrowRight", "ArrowDown", "i", "n"],
    label: ["→", "Next"],
    title: "one step on; round the turn at its end",
    run: word(true),
  },
  {
    name: "end",
    keys: ["End"],
    label: ["⇥", "End"],
    title: "to the last word",
    run: (store) => {
      const row = store.question?.evidence;
      if (row?.kind === "words")
        store.move({ mode: "words", step: Math.max(0, row.words.length - 1), turn: 0 }, "push");
    },
  },
  {
    name: "turn",
    keys: ["t"],
    label: ["↻", "Turn"],
    title: "to the start of the turn",
    run: (store) => {
      const row = store.question?.evidence;
      const { where } = store.address;
      if (row?.kind !== "words" || where.mode !== "words") return;
      if (row.turn === null) store.tell("This run has no turn.");
      else store.move({ mode: "words", step: row.turn, turn: where.turn + 1 }, "push");
    },
  },
];

/** The commands in a walk through a strategy. */
export const STRATEGY: Command[] = [
  HOME,
  {
    name: "back",
    keys: ["ArrowLeft", "b"],
    label: ["←", "Back"],
    title: "undo the last move",
    run: (store, how) => {
      const { where } = store.address;
      if (where.mode !== "strategy") return;
      if (where.path.length > 1)
        store.move({ mode: "strategy", path: where.path.slice(0, -1) }, how);
      else store.tell("This is the start.");
    },
  },
];

/** The commands in free exploration. */
export const FREE: Command[] = [
  {
    name: "back",
    keys: ["ArrowLeft", "b"],
    label: ["←", "Undo"],
    title: "undo the last choice",
    run: (store, how) => {
      const { where } = store.address;
      if (where.mode !== "free") return;
      const picks = where.picks.split("/");
      if (picks.length > 1) store.move({ mode: "free", picks: picks.slice(0, -1).join("/") }, how);
      else store.tell("This is where the exploration began.");
    },
  },
];

/** The commands where the current position is. */
export function commandsOf(store: Store): Command[] {
  const { mode } = store.address.where;
  if (mode === "run")
    return store.walk?.run.turn ? RUN : RUN.filter((command) => command.name !== "turn");
  if (mode === "words") {
    const row = store.question?.evidence;
    return row?.kind === "words" && row.turn !== null
      ? WORDS
      : WORDS.filter((command) => command.name !== "turn");
  }
  if (mode === "strategy") return STRATEGY;
  return mode === "free" ? FREE : [];
}

/** Goes to free exploration from the current position, or from the start. */
export function explore(store: Store): void {
  const { where, question } = store.address;
  if (!store.machine || where.mode === "free") return;
  const start = `i${store.question?.machine || ""}`;
  const picks = where.mode === "run" ? `@${question}:${where.position.join(".")}` : start;
  store.move({ mode: "free", picks }, "push");
}

/** Goes from free exploration back to where it began. */
export function leave(store: Store): void {
  const { where } = store.address;
  if (where.mode !== "free") return;
  const from = /^@(\d+):([\d.]+)/.exec(where.picks);
  const question = from ? Number(from[1]) : store.address.question;
  const address = { ...startOf(question), view: store.address.view };
  if (from && store.document.questions[question]?.evidence?.kind === "run")
    address.where = { mode: "run", position: (from[2] ?? "0").split(".").map(Number), turn: 0 };
  store.go(address, "push");
}
