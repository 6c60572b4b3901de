/** What there is at a position of a run. */
import type { Place, Position, Step, Value } from "./document.js";
import type { Tape } from "./tape.js";

/** A position, and which turn of a lasso it is in: 0 before the first. */
export interface Spot {
  position: Position;
  turn: number;
}

/** A tape that is open at a position, and the index in it. */
export interface Level {
  tape: Tape;
  index: number;
}

/** A frame on the stack. */
export interface Frame {
  procedure: number;
  /** The node that it is at, if it is known. */
  node: number | null;
  /** The call on which it waits; of the running one the next edge. */
  edge: number | null;
  place: Place | null;
  /** The turn in which it was entered; 0 before the first. */
  turn: number;
  /** How many frames below it are not listed. */
  hidden: number;
  /** How many turns below it are not listed. */
  skipped: number;
  locals: () => Value[];
}

/** What there is to see at a position. */
export interface Here {
  globals: Value[];
  /** Slots that the last step has changed, and their values before. */
  changedGlobals: Map<number, Value>;
  changedLocals: Map<number, Value>;
  /** The stack, outermost first; the running frame is the last. */
  frames: Frame[];
  /** The step that comes next; null at an exit and at the end. */
  next: Step | null;
  /** The step that led here; null at the start and at an entry. */
  last: Step | null;
  /** Why there is no next step. */
  stop: "exit" | "end" | null;
  monitor: string | null;
  /** The states of the monitor before the last step, if they were others. */
  monitorBefore: string | null;
  /** How many steps led here. */
  number: bigint;
}
