/** What the source, the values and the machine show: made alike from runs, strategies and free exploration. */
import type {
  Document,
  FreeState,
  Machine,
  Place,
  Question,
  Slot,
  Strategy,
  StrategyPosition,
  Value,
} from "./document.js";
import type { Walk } from "./run.js";
import type { Frame, Spot } from "./spot.js";
import type { Watched } from "./search.js";
import { visitedEdges, type Visited } from "./visited.js";
import { changesText, describeStep, placeText } from "./text.js";

/** A variable with its value. */
export interface Shown {
  name: string;
  type: string;
  value: Value;
  /** The value before the last step, if it was another. */
  before: Value | null;
  hidden: boolean;
  /** Does it go on changing from turn to turn? */
  varies: boolean;
  watched: Watched;
}

/** A frame of the stack. */
export interface ShownFrame {
  name: string;
  procedure: number;
  node: number | null;
  edge: number | null;
  place: Place | null;
  turn: number;
  hidden: number;
  skipped: number;
  values: () => Shown[];
}

/** What is in the middle of everything. */
export interface Focus {
  place: Place | null;
  /** Outermost first. */
  frames: ShownFrame[];
  globals: Shown[];
  monitor: { name: string; states: string; before: string | null } | null;
  /** What has been taken of a procedure. */
  visited: (procedure: number) => Visited;
  /** For screen readers. */
  say: string;
}

/** Nothing in particular: the model as it is. */
export function emptyFocus(machine: Machine | null): Focus {
  const main = machine?.procedures[machine.main];
  const frames: ShownFrame[] = [];
  if (machine && main)
    frames.push({
      name: main.name,
      procedure: machine.main,
      node: main.entry,
      edge: null,
      place: main.place,
      turn: 0,
      hidden: 0,
      skipped: 0,
      values: () => [],
    });
  return {
    place: null,
    frames,
    globals: [],
    monitor: null,
    visited: () => ({ taken: new Set(), entered: new Set() }),
    say: "",
  };
}

/** A position of a run. */
export function runFocus(document: Document, walk: Walk, spot: Spot): Focus {
  const { machine, run } = walk;
  const here = walk.at(spot);
  const varies = new Set(run.turn?.varies ?? []);
  const running = here.frames.length - 1;
  const frames = here.frames.map((frame: Frame, k): ShownFrame => {
    const procedure = machine.procedures[frame.procedure];
    return {
      ...frame,
      name: procedure?.name ?? "?",
      values: () =>
        shown(
          procedure?.locals ?? [],
          frame.locals(),
          k === running ? here.changedLocals : new Map(),
          frame.procedure,
          varies,
          `${procedure?.name ?? ""}.`,
        ),
    };
  });
  const current = here.frames[running];
  const place = current?.place ?? null;
  const procedure = current?.procedure ?? machine.main;
  const what = here.next
    ? describeStep(machine, procedure, here.next).text
    : here.stop === "exit"
      ? `${machine.procedures[procedure]?.name ?? "?"} returns`
      : run.end.what;
  const changed = [
    changesText(machine.globals, here.last?.globals),
    here.last?.enter
      ? ""
      : changesText(machine.procedures[procedure]?.locals ?? [], here.last?.locals),
  ]
    .filter((text) => text !== "")
    .join(", ");
  const turn = spot.turn > 0 ? `turn ${spot.turn}` : "";
  return {
    place,
    frames,
    globals: shown(machine.globals, here.globals, here.changedGlobals, null, varies, ""),
    monitor:
      run.monitor && here.monitor !== null
        ? { name: run.monitor.name, states: here.monitor, before: here.monitorBefore }
        : null,
    visited: (each) => visitedEdges(walk, spot, each),
    say: [turn, placeText(document, place), what, changed].filter((text) => text !== "").join(", "),
  };
}

/** A state of free exploration; `before` is the one that it was reached from. */
export function freeFocus(document: Document, state: FreeState, before: FreeState | null): Focus {
  const machine = document.machines[state.machine] as Machine;
  const depth = state.stack.length - 1;
  const same = before !== null && before.stack.length === state.stack.length;
  const frames = state.stack.map((frame, k): ShownFrame => {
    const procedure = machine.procedures[frame.procedure];
    const edge = frame.edge === null ? undefined : procedure?.edges[frame.edge];
    const earlier = same && k === depth ? before.stack[k]?.locals : undefined;
    return {
      name: procedure?.name ?? "?",
      procedure: frame.procedure,
      node: frame.node,
      edge: frame.edge,
      place: edge?.place ?? nodePlace(machine, frame.procedure, frame.node),
      turn: 0,
      hidden: k === 0 ? state.hidden : 0,
      skipped: 0,
      values: () =>
        shown(
          procedure?.locals ?? [],
          frame.locals,
          differences(frame.locals, earlier),
          frame.procedure,
          new Set(),
          "",
        ),
    };
  });
  const place = frames[depth]?.place ?? null;
  return {
    place,
    frames,
    globals: shown(
      machine.globals,
      state.globals,
      differences(state.globals, before?.globals),
      null,
      new Set(),
      "",
    ),
    monitor: null,
    visited: () => ({ taken: new Set(), entered: new Set() }),
    say: `${placeText(document, place)}, ${state.choices.length} choices`,
  };
}

/** A position of a strategy. */
export function strategyFocus(machine: Machine | null, strategy: Strategy, at: number): Focus {
  const focus = emptyFocus(machine);
  const position = strategy.positions[at];
  if (!position) return focus;
  const point = position.point ?? (machine ? pointOf(machine, position) : null);
  focus.place = position.place ?? (point && machine ? nodePlace(machine, ...point) : null);
  focus.frames = [];
  if (point)
    focus.frames.push({
      name: machine?.procedures[point[0]]?.name ?? "?",
      procedure: point[0],
      node: point[1],
      edge: null,
      place: focus.place,
      turn: 0,
      hidden: 0,
      skipped: 0,
      values: () => [],
    });
  focus.say = `${position.state}, ${position.fails} fails`;
  return focus;
}

/** The node of a strategy's position: one from which the statement at its place leads. */
function pointOf(machine: Machine, position: StrategyPosition): [number, number] | null {
  const { procedure: name, place } = position;
  const procedure = machine.procedures.findIndex((each) => each.name === name);
  const edges = machine.procedures[procedure]?.edges ?? [];
  const edge = edges.find((each) => place && each.place?.join() === place.join());
  return edge ? [procedure, edge.from] : null;
}

/** The place of a node: its own, or that of an edge from it. */
export function nodePlace(machine: Machine, procedure: number, node: number): Place | null {
  const made = machine.procedures[procedure];
  if (!made) return null;
  return (
    made.nodes[node]?.place ??
    made.edges.find((edge) => edge.from === node && edge.place)?.place ??
    null
  );
}

/** The word, the symbol and the class of a verdict. */
export function verdictOf(question: Question): { word: string; symbol: string } {
  if (question.verdict === "holds") return { word: "holds", symbol: "✓" };
  if (question.verdict === "violated") return { word: "violated", symbol: "✗" };
  return { word: "unknown", symbol: "?" };
}

function shown(
  slots: readonly Slot[],
  values: readonly Value[],
  changed: ReadonlyMap<number, Value>,
  procedure: number | null,
  varies: ReadonlySet<string>,
  prefix: string,
): Shown[] {
  return slots.map((slot, k) => ({
    name: slot.name,
    type: slot.type,
    value: values[k] ?? "",
    before: changed.get(k) ?? null,
    hidden: slot.hidden === true,
    varies: varies.has(slot.name) || varies.has(prefix + slot.name),
    watched: { procedure, slot: k },
  }));
}

function differences(
  now: readonly Value[],
  before: readonly Value[] | undefined,
): Map<number, Value> {
  const found = new Map<number, Value>();
  now.forEach((value, slot) => {
    const old = before?.[slot];
    if (old !== undefined && old !== value) found.set(slot, old);
  });
  return found;
}
