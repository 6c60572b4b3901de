/** The edges of a machine that a run has taken. */
import type { Walk } from "./run.js";
import type { Spot } from "./spot.js";

/** For each procedure what each segment takes of it. */
type Inside = Map<number, Map<number, Set<number>>>;

const known = new WeakMap<Walk, Inside>();

/** Edges of a procedure that a run has taken, and calls from which it has not returned. */
export interface Visited {
  taken: Set<number>;
  entered: Set<number>;
}

/** What a run has taken of a procedure before a position. */
export function visitedEdges(walk: Walk, spot: Spot, procedure: number): Visited {
  const taken = new Set<number>();
  const entered = new Set<number>();
  const levels = walk.levels(spot);
  const inside = (segment: number) => insideOf(walk, segment, procedure);
  levels.forEach(({ tape, index }, depth) => {
    for (const [edge, at] of tape.seen(procedure, inside)) if (at < index) taken.add(edge);
    const running = tape.frameAt(index);
    for (const frame of tape.frames.slice(0, running))
      if (frame.procedure === procedure && frame.waits !== null) entered.add(frame.waits);
    const call = depth < levels.length - 1 ? tape.steps[index]?.edge : undefined;
    if (call !== undefined && tape.frames[running]?.procedure === procedure) entered.add(call);
  });
  return { taken, entered };
}

/** The edges of a procedure that are taken in a segment. */
function insideOf(walk: Walk, segment: number, procedure: number): Set<number> {
  let tables = known.get(walk);
  if (!tables) known.set(walk, (tables = new Map()));
  let table = tables.get(procedure);
  if (!table) {
    const made = new Map<number, Set<number>>();
    tables.set(procedure, (table = made));
    const inside = (inner: number) => made.get(inner) ?? new Set<number>();
    for (const each of walk.order)
      made.set(each, new Set(walk.tape(each)?.seen(procedure, inside).keys()));
  }
  return table.get(segment) ?? new Set();
}
