/**
 * Positions in a run: stepping, values, frames. Nothing is spelled out: a position is a path
 * through shared segments, so that runs of 2^40 steps cost what is looked at.
 */
import type { Machine, Place, Position, Run, Step, Value } from "./document.js";
import type { Frame, Here, Level, Spot } from "./spot.js";
import { Tape } from "./tape.js";

/** The turn that stands for all later ones. */
const LAST = 4;

/** A run and the ways to move in it. */
export class Walk {
  /**
   * The stem and the turns; of an infinite run the second turn is there three times. The last
   * one stands for the fourth turn and all behind it: what is before it repeats too.
   */
  readonly top: Tape;
  private readonly tapes: (Tape | undefined)[] = [];
  private orderMade: number[] | null = null;
  private callersMade: Map<Tape, Level> | null = null;

  constructor(
    readonly machine: Machine,
    readonly run: Run,
  ) {
    const { turn } = run;
    const again = turn && turn.length > 0 ? run.steps.slice(turn.start + turn.length) : [];
    this.top = new Tape(
      machine,
      run.steps.concat(again, again),
      machine.main,
      run.locals,
      run.monitor?.start,
    );
  }

  /** The length of a turn; 0 if the run is finite or stays at its end. */
  get turnLength(): number {
    return this.run.turn?.length ?? 0;
  }

  /** Where the second turn starts. */
  private get second(): number {
    return (this.run.turn?.start ?? 0) + this.turnLength;
  }

  /** The tape of a segment. */
  tape(segment: number): Tape | null {
    const known = this.tapes[segment];
    if (known) return known;
    const given = this.run.segments[segment];
    if (!given) return null;
    const { steps, procedure, locals, monitor } = given;
    return (this.tapes[segment] = new Tape(this.machine, steps, procedure, locals, monitor));
  }

  /** The segments, each behind those that it calls. */
  get order(): readonly number[] {
    if (this.orderMade) return this.orderMade;
    const order: number[] = [];
    const state = new Uint8Array(this.run.segments.length);
    for (let root = 0; root < state.length; root++) {
      const open = state[root] ? [] : [root];
      while (open.length > 0) {
        const segment = open.at(-1) as number;
        if (state[segment] !== 0) {
          open.pop();
          if (state[segment] === 1) order.push(segment);
          state[segment] = 2;
          continue;
        }
        state[segment] = 1;
        for (const step of this.run.segments[segment]?.steps ?? []) {
          const inner = step.call?.segment;
          if (typeof inner === "number" && state[inner] === 0) open.push(inner);
        }
      }
    }
    return (this.orderMade = order);
  }

  /** The value of a global before a step of a tape; calls that share a tape agree about it. */
  globalBefore(tape: Tape, index: number, slot: number): Value {
    let at: Level | undefined = { tape, index };
    while (at) {
      const found = at.tape.lastGlobal(slot, at.index);
      if (found !== undefined) return found;
      at = this.callers.get(at.tape);
    }
    return this.run.globals[slot] ?? "";
  }

  /** For each tape of a segment one of the calls that open it. */
  private get callers(): Map<Tape, Level> {
    if (this.callersMade) return this.callersMade;
    const made = new Map<Tape, Level>();
    for (const segment of [-1, ...this.order].reverse()) {
      const tape = segment < 0 ? this.top : this.tape(segment);
      tape?.steps.forEach((step, index) => {
        const inner = typeof step.call?.segment === "number" ? this.tape(step.call.segment) : null;
        if (inner) made.set(inner, { tape, index });
      });
    }
    return (this.callersMade = made);
  }

  /** The first position. */
  start(): Spot {
    return this.spot([0], 0);
  }

  /** The last position; of an infinite run where the second turn starts. */
  end(): Spot {
    return this.turnLength > 0
      ? this.spot([this.second], 2)
      : this.spot([this.run.steps.length], 0);
  }

  /** A position as it was written; null if the run has none there. */
  find(position: Position, turn = 0): Spot | null {
    const limit = this.run.steps.length - (this.turnLength > 0 ? 1 : 0);
    const [first] = position;
    if (first === undefined || !(first >= 0) || first > limit) return null;
    let tape: Tape = this.top;
    for (const [k, index] of position.entries()) {
      if (!Number.isInteger(index) || index < 0 || index > tape.steps.length) return null;
      if (k + 1 === position.length) break;
      const segment = tape.steps[index]?.call?.segment;
      const inner = typeof segment === "number" ? this.tape(segment) : null;
      if (!inner) return null;
      tape = inner;
    }
    return this.spot(position, turn);
  }

  /** The same position with its turn put right; an index behind the second turn goes round. */
  private spot(position: Position, turn: number): Spot {
    const { turn: loop } = this.run;
    const [first = 0, ...rest] = position;
    if (!loop || loop.length === 0 || first < loop.start) return { position, turn: 0 };
    if (first < this.second) return { position, turn: 1 };
    const round = Math.max(2, Math.floor(turn));
    if (first < this.second + loop.length) return { position, turn: round };
    return { position: [first - loop.length, ...rest], turn: round + 1 };
  }

  /** The tapes that are open, the stem first. In later turns its index is in the last copy. */
  levels(spot: Spot): Level[] {
    const levels: Level[] = [];
    let tape: Tape | null = this.top;
    for (const [k, index] of spot.position.entries()) {
      if (!tape) break;
      const copy = k === 0 ? Math.min(Math.max(spot.turn, 2), LAST) - 2 : 0;
      const at: number = index + copy * this.turnLength;
      levels.push({ tape, index: at });
      const segment: number | null | undefined = tape.steps[at]?.call?.segment;
      tape = typeof segment === "number" ? this.tape(segment) : null;
    }
    return levels;
  }

  /** The way back from levels; indices in the last copy belong to turn `turn` (or the fourth). */
  fromLevels(path: Position, turn: number): Spot {
    const [first = 0, ...rest] = path;
    const length = this.turnLength;
    if (length === 0 || first < this.second) return this.spot(path, 0);
    const copy = Math.min(LAST - 2, Math.floor((first - this.second) / length));
    const round = copy + 2 < LAST ? copy + 2 : Math.max(LAST, turn);
    return this.spot([first - copy * length, ...rest], round);
  }

  /** The next step at a position, and whether its tape ends there. */
  private ahead(spot: Spot): { step: Step | null; stop: "exit" | "end" | null } {
    const level = this.levels(spot).at(-1) as Level;
    const step = level.tape.steps[level.index] ?? null;
    if (step) return { step, stop: null };
    return { step, stop: spot.position.length > 1 ? "exit" : "end" };
  }

  private moved(spot: Spot, position: Position): Spot {
    return this.spot(position, spot.turn);
  }

  /** One step on, into calls. Null at the end. */
  into(spot: Spot): Spot | null {
    const { step } = this.ahead(spot);
    if (step && typeof step.call?.segment === "number" && this.tape(step.call.segment))
      return { position: [...spot.position, 0], turn: spot.turn };
    return this.over(spot);
  }

  /** One step on, over calls that return. Null at the end. */
  over(spot: Spot): Spot | null {
    const { stop } = this.ahead(spot);
    if (stop === "end") return null;
    return stop === "exit" ? this.out(spot) : this.moved(spot, shifted(spot.position, 1));
  }

  /** Behind the return of the running call. Null if it does not return. */
  out(spot: Spot): Spot | null {
    if (spot.position.length < 2) return null;
    return this.moved(spot, shifted(spot.position.slice(0, -1), 1));
  }

  /** One step back: the position from which `into` leads here. Null at the start. */
  back(spot: Spot): Spot | null {
    const before = this.backOver(spot);
    if (!before || before.position.length < spot.position.length) return before;
    const call = this.ahead(before).step?.call;
    const inner = typeof call?.segment === "number" ? this.tape(call.segment) : null;
    return inner
      ? { position: [...before.position, inner.steps.length], turn: before.turn }
      : before;
  }

  /** One step back, over calls that have returned; from an entry to the call. */
  backOver(spot: Spot): Spot | null {
    const { position, turn } = spot;
    const last = position.at(-1) as number;
    if (position.length > 1 && last === 0) return { position: position.slice(0, -1), turn };
    if (position.length > 1) return { position: shifted(position, -1), turn };
    if (last === 0) return null;
    if (turn > 2 && last === this.second)
      return { position: [last + this.turnLength - 1], turn: turn - 1 };
    return this.spot([last - 1], turn === 0 ? 0 : turn);
  }

  /** The start of the next turn; null if the run has none. */
  nextTurn(spot: Spot): Spot | null {
    const { turn } = this.run;
    if (!turn || turn.length === 0) return null;
    if (spot.turn === 0) return this.spot([turn.start], 1);
    return this.spot([this.second], spot.turn + 1);
  }

  /** What there is to see at a position. */
  at(spot: Spot): Here {
    const levels = this.levels(spot);
    const { tape, index } = levels.at(-1) as Level;
    const { step, stop } = this.ahead(spot);
    const last = index > 0 ? (tape.steps[index - 1] ?? null) : null;
    const frames = this.frames(levels, spot.turn);
    const running = tape.frameAt(index);
    const changedGlobals = new Map<number, Value>();
    const changedLocals = new Map<number, Value>();
    let monitorBefore: string | null = null;
    const monitor = this.monitor(levels);
    if (last) {
      const levelsBefore = [...levels.slice(0, -1), { tape, index: index - 1 }];
      const before = this.globals(levelsBefore);
      for (const [slot] of last.globals ?? []) changedGlobals.set(slot, before[slot] ?? "");
      if (tape.frameAt(index - 1) === running) {
        const locals = tape.localsAt(running, index - 1);
        for (const [slot] of last.locals ?? []) changedLocals.set(slot, locals[slot] ?? "");
      }
      const was = this.monitor(levelsBefore);
      if (was !== monitor) monitorBefore = was;
    }
    return {
      globals: this.globals(levels),
      changedGlobals,
      changedLocals,
      frames,
      next: step,
      last,
      stop,
      monitor,
      monitorBefore,
      number: this.number(levels, spot.turn),
    };
  }

  private globals(levels: readonly Level[]): Value[] {
    const values: (Value | undefined)[] = new Array(this.run.globals.length).fill(undefined);
    for (let k = levels.length - 1; k >= 0; k--)
      levels[k]?.tape.globalsAt(levels[k]?.index ?? 0, values);
    return values.map((value, slot) => value ?? this.run.globals[slot] ?? "");
  }

  private monitor(levels: readonly Level[]): string | null {
    for (let k = levels.length - 1; k >= 0; k--) {
      const found = levels[k]?.tape.monitorAt(levels[k]?.index ?? 0);
      if (found !== undefined) return found;
    }
    return this.run.monitor?.start ?? null;
  }

  private number(levels: readonly Level[], turn: number): bigint {
    let sum = 0n;
    levels.forEach(({ tape, index }, k) => (sum += tape.lengthAt(index) + (k > 0 ? 1n : 0n)));
    if (turn > LAST) {
      const { second, turnLength } = this;
      const once = this.top.lengthAt(second + turnLength) - this.top.lengthAt(second);
      sum += once * BigInt(turn - LAST);
    }
    return sum;
  }

  private frames(levels: readonly Level[], turn: number): Frame[] {
    const frames: Frame[] = [];
    levels.forEach(({ tape, index }, depth) => {
      const running = tape.frameAt(index);
      const innermost = depth === levels.length - 1;
      for (let k = 0; k <= running; k++) {
        const frame = tape.frames[k];
        if (!frame) continue;
        const edge = k < running ? frame.waits : (tape.steps[index]?.edge ?? null);
        const found = this.point(tape, index, k === running && innermost, frame.procedure, edge);
        frames.push({
          ...found,
          procedure: frame.procedure,
          turn: depth === 0 ? this.turnOf(frame.at, turn) : 0,
          hidden: frame.hidden,
          skipped: 0,
          locals: () => tape.localsAt(k, index),
        });
      }
    });
    const leaves = this.run.turn?.frames ?? 0;
    if (turn > LAST && leaves > 0) {
      const first = frames.find((frame) => frame.turn === turn - 1);
      if (first) first.skipped = turn - LAST;
    }
    return frames;
  }

  /** The turn in which a frame was entered; in late turns the two last copies stand for the latest. */
  private turnOf(at: number, turn: number): number {
    const { turn: loop } = this.run;
    if (!loop || loop.length === 0 || at <= loop.start) return 0;
    if (at <= this.second) return 1;
    const entered = 1 + Math.ceil((at - this.second) / loop.length);
    return entered === 2 || turn <= LAST ? entered : turn - LAST + entered;
  }

  /** Where a frame is: on its way to an edge, at its exit, or at the end of all. */
  private point(
    tape: Tape,
    index: number,
    running: boolean,
    procedure: number,
    edge: number | null,
  ): { node: number | null; edge: number | null; place: Place | null } {
    const made = this.machine.procedures[procedure];
    const next = edge === null || edge < 0 ? undefined : made?.edges[edge];
    if (next) return { node: next.from, edge, place: next.place };
    if (!running || !made) return { node: null, edge: null, place: null };
    if (index < tape.steps.length) return { node: null, edge: null, place: made.place };
    const last = tape.steps[index - 1];
    const taken = last && !last.enter && !last.gap ? made.edges[last.edge] : undefined;
    if (tape !== this.top) {
      const place = made.nodes[made.exit]?.place ?? taken?.place ?? made.place;
      return { node: made.exit, edge: null, place };
    }
    const node = taken?.to ?? (last?.gap ? null : made.entry);
    return { node, edge: null, place: this.run.end.place };
  }
}

function shifted(position: Position, by: number): Position {
  return [...position.slice(0, -1), (position.at(-1) ?? 0) + by];
}
