/** The edges of a machine that a run has taken. */
import type { Walk } from "./run.js";
import type { Spot } from "./spot.js";

/** For each procedure what each segment takes of it. */
type Inside = Map<number, Map<number, Set<number>>>;

const known = new WeakMap<Walk, Inside>();

/** The edges of a procedure that are taken before a position. */
export function visitedEdges(walk: Walk, spot: Spot, procedure: number): Set<number> {
  const visited = new Set<number>();
  const levels = walk.levels(spot);
  const inside = (segment: number) => insideOf(walk, segment, procedure);
  for (const { tape, index } of levels)
    for (const [edge, at] of tape.seen(procedure, inside)) if (at < index) visited.add(edge);
  // A call that is open has been taken on its way in.
  for (const { tape, index } of levels.slice(0, -1)) {
    const edge = tape.steps[index]?.edge;
    if (edge !== undefined && tape.procedureAt(index) === procedure) visited.add(edge);
  }
  return visited;
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
