/** Searches in a run: the next change of a variable, the next visit of a node. */
import type { Position, Step, Value } from "./document.js";
import type { Tape } from "./tape.js";
import type { Walk } from "./run.js";
import type { Level, Spot } from "./spot.js";

/** Is the position at an index of a tape what is looked for? */
export type Hit = (tape: Tape, index: number) => boolean;

/** A variable: a global, or a local of a procedure in any of its frames. */
export interface Watched {
  procedure: number | null;
  slot: number;
}

/** Hits: positions right behind a change of a variable. */
export function changesOf(walk: Walk, watched: Watched): Hit {
  const { procedure, slot } = watched;
  return (tape, index) => {
    const step = tape.steps[index - 1];
    if (!step) return false;
    if (procedure !== null)
      return tape.procedureAt(index) === procedure && has(step.locals, slot) !== undefined;
    const value = has(step.globals, slot);
    const segment = step.call?.segment;
    const inner = typeof segment === "number" ? walk.tape(segment) : null;
    if (!inner) return value !== undefined;
    // What a call has changed inside is not changed again by its return.
    const left = inner.lastGlobal(slot, Infinity);
    if (left === undefined) return value !== undefined;
    return left !== (value ?? walk.globalBefore(tape, index - 1, slot));
  };
}

/** Hits: positions at a node. */
export function visitsOf(walk: Walk, procedure: number, node: number): Hit {
  const made = walk.machine.procedures[procedure];
  return (tape, index) => {
    if (tape.procedureAt(index) !== procedure) return false;
    const step = tape.steps[index];
    if (step) return made?.edges[step.edge]?.from === node;
    const last: Step | undefined = tape.steps[index - 1];
    if (tape !== walk.top) return made?.exit === node;
    return last ? !last.gap && made?.edges[last.edge]?.to === node : made?.entry === node;
  };
}

function has(changes: readonly [number, Value][] | undefined, slot: number): Value | undefined {
  return changes?.find(([changed]) => changed === slot)?.[1];
}

/** The nearest hit behind a position, or before it; null if there is none. */
export function search(walk: Walk, spot: Spot, hit: Hit, forward: boolean): Spot | null {
  const inside = new Map<number, boolean>();
  for (const segment of walk.order) {
    const tape = walk.tape(segment);
    inside.set(segment, tape !== null && anyHit(tape, hit, inside));
  }
  const levels = walk.levels(spot);
  const length = walk.turnLength;
  const limit = walk.top.steps.length - (length > 0 ? 1 : 0);
  const finder = new Finder(walk, hit, inside, limit);
  if (forward) {
    const found = finder.after(levels);
    if (found) return walk.fromLevels(found, spot.turn);
    if (length === 0) return null;
    // Once more round, into the next turn: its copy is the last one.
    const again = finder.down(walk.top, limit + 1 - length, []);
    return again ? walk.fromLevels(again, spot.turn + 1) : null;
  }
  const found = finder.before(levels, spot.turn > 4 ? limit + 1 - length : 0);
  if (found) return walk.fromLevels(found, spot.turn);
  if (spot.turn <= 4) return null;
  const again = finder.up(walk.top, limit, limit + 1 - length, []);
  if (again) return walk.fromLevels(again, spot.turn - 1);
  const rest = finder.up(walk.top, limit - length, 0, []);
  return rest ? walk.fromLevels(rest, 0) : null;
}

function anyHit(tape: Tape, hit: Hit, inside: Map<number, boolean>): boolean {
  for (let index = 0; index <= tape.steps.length; index++) {
    if (hit(tape, index)) return true;
    const segment = tape.steps[index]?.call?.segment;
    if (typeof segment === "number" && inside.get(segment)) return true;
  }
  return false;
}

class Finder {
  constructor(
    private readonly walk: Walk,
    private readonly hit: Hit,
    private readonly inside: Map<number, boolean>,
    private readonly limit: number,
  ) {}

  private last(tape: Tape): number {
    return tape === this.walk.top ? this.limit : tape.steps.length;
  }

  private inner(tape: Tape, index: number): Tape | null {
    const segment = tape.steps[index]?.call?.segment;
    return typeof segment === "number" && this.inside.get(segment) ? this.walk.tape(segment) : null;
  }

  /** The first hit at or behind an index of a tape. */
  down(tape: Tape, from: number, path: Position): Position | null {
    let [at, start, way] = [tape, from, path];
    search: for (;;) {
      for (let index = start; index <= this.last(at); index++) {
        if (this.hit(at, index)) return [...way, index];
        const inner = this.inner(at, index);
        if (inner) {
          [at, start, way] = [inner, 0, [...way, index]];
          continue search;
        }
      }
      return null;
    }
  }

  /** The last hit at or before an index of a tape (and inside of the calls there). */
  up(tape: Tape, from: number, to: number, path: Position): Position | null {
    let [at, start, end, way] = [tape, from, to, path];
    search: for (;;) {
      for (let index = start; index >= end; index--) {
        const inner = this.inner(at, index);
        if (inner) {
          [at, start, end, way] = [inner, inner.steps.length, 0, [...way, index]];
          continue search;
        }
        if (this.hit(at, index)) return [...way, index];
      }
      return null;
    }
  }

  /** The first hit behind a position. */
  after(levels: readonly Level[]): Position | null {
    const path = levels.map((level) => level.index);
    for (let depth = levels.length - 1; depth >= 0; depth--) {
      const { tape, index } = levels[depth] as Level;
      const way = path.slice(0, depth);
      const inner = depth === levels.length - 1 ? this.inner(tape, index) : null;
      const found = inner ? this.down(inner, 0, [...way, index]) : this.down(tape, index + 1, way);
      if (found) return found;
    }
    return null;
  }

  /** The last hit before a position; `floor` is the first index of the stem to look at. */
  before(levels: readonly Level[], floor: number): Position | null {
    const path = levels.map((level) => level.index);
    for (let depth = levels.length - 1; depth >= 0; depth--) {
      const { tape, index } = levels[depth] as Level;
      const way = path.slice(0, depth);
      const to = depth === 0 ? floor : 0;
      if (depth < levels.length - 1 && index >= to && this.hit(tape, index)) return [...way, index];
      const found = this.up(tape, index - 1, to, way);
      if (found) return found;
    }
    return null;
  }
}
