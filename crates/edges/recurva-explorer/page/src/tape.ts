/**
 * A list of steps with lookups: the frames that are entered on the way, the value of a slot at
 * an index, the edges seen up to an index. Tables are made when they are first asked for.
 */
import type { Change, Machine, Step, Value } from "./document.js";

/** A frame that is entered on a tape and stays on the stack until the tape's end. */
export interface TapeFrame {
  /** The first index at which it is the running frame. */
  at: number;
  /** The index from which changes of locals are its own. */
  from: number;
  procedure: number;
  /** Its locals when it is entered. */
  locals: Value[];
  /** The edge on which it waits once another frame has been entered; null if it is not known. */
  waits: number | null;
  /** How many frames below it are not listed. */
  hidden: number;
}

/** The changes of one slot, in order. */
interface History {
  at: number[];
  values: Value[];
}

/** The index of the last element that is smaller than `limit`; -1 if there is none. */
export function lastBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A list of steps in one frame, and in those that are entered and never left. */
export class Tape {
  private framesMade: TapeFrame[] | null = null;
  private globalsMade: Map<number, History> | null = null;
  private localsMade: Map<number, History> | null = null;
  private monitorMade: History | null = null;
  private lengthsMade: bigint[] | null = null;
  private seenMade = new Map<number, Map<number, number>>();

  constructor(
    private readonly machine: Machine,
    readonly steps: readonly Step[],
    readonly procedure: number,
    readonly locals: readonly Value[],
    /** The states of the monitor at its start, if they are its own. */
    readonly monitor: string | undefined,
  ) {}

  /** The frames, the tape's own first. */
  get frames(): readonly TapeFrame[] {
    return (this.framesMade ??= this.makeFrames());
  }

  /** The index of the frame that runs at an index of the tape. */
  frameAt(index: number): number {
    const frames = this.frames;
    let low = 0;
    let high = frames.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((frames[middle] as TapeFrame).at <= index) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** The procedure that runs at an index. */
  procedureAt(index: number): number {
    return this.frames[this.frameAt(index)]?.procedure ?? this.procedure;
  }

  /** The locals of a frame at an index. */
  localsAt(frame: number, index: number): Value[] {
    const at = this.frames[frame];
    if (!at) return [];
    const end = this.frames[frame + 1]?.from ?? Infinity;
    const values = at.locals.slice();
    this.localsMade ??= historiesOf(this.steps, (step) => step.locals);
    for (const [slot, history] of this.localsMade) {
      const found = lastBelow(history.at, Math.min(index, end));
      if (found >= 0 && (history.at[found] as number) >= at.from)
        values[slot] = history.values[found] as Value;
    }
    return values;
  }

  /** Fills in the globals that have changed before an index and are still open. */
  globalsAt(index: number, values: (Value | undefined)[]): void {
    this.globalsMade ??= historiesOf(this.steps, (step) => step.globals);
    for (const [slot, history] of this.globalsMade) {
      if (values[slot] !== undefined) continue;
      const found = lastBelow(history.at, index);
      if (found >= 0) values[slot] = history.values[found];
    }
  }

  /** The last value that a global is given before an index; undefined if it is left alone. */
  lastGlobal(slot: number, index: number): Value | undefined {
    this.globalsMade ??= historiesOf(this.steps, (step) => step.globals);
    const history = this.globalsMade.get(slot);
    return history?.values[lastBelow(history.at, index)];
  }

  /** The states of the monitor at an index; undefined if the tape does not say. */
  monitorAt(index: number): string | undefined {
    if (!this.monitorMade) {
      const made: History = { at: [], values: [] };
      this.steps.forEach((step, at) => {
        const monitor = step.enter?.monitor ?? step.monitor;
        if (monitor !== undefined) {
          made.at.push(at);
          made.values.push(monitor);
        }
      });
      this.monitorMade = made;
    }
    const found = lastBelow(this.monitorMade.at, index);
    return found >= 0 ? this.monitorMade.values[found] : this.monitor;
  }

  /** How many steps there are before an index, with all calls spelled out. */
  lengthAt(index: number): bigint {
    if (!this.lengthsMade) {
      let sum = 0n;
      this.lengthsMade = [0n];
      for (const step of this.steps) this.lengthsMade.push((sum += lengthOf(step)));
    }
    return this.lengthsMade[index] ?? 0n;
  }

  /**
   * The edges of a procedure that are taken on the tape, and the first index of each; calls that
   * do not return are not among them. `inside` tells those of a segment.
   */
  seen(
    procedure: number,
    inside: (segment: number, procedure: number) => Iterable<number>,
  ): Map<number, number> {
    const known = this.seenMade.get(procedure);
    if (known) return known;
    const made = new Map<number, number>();
    this.seenMade.set(procedure, made);
    const add = (edge: number, at: number) => {
      if (!made.has(edge)) made.set(edge, at);
    };
    this.steps.forEach((step, at) => {
      if (step.edge >= 0 && !step.enter && this.procedureAt(at) === procedure) add(step.edge, at);
      const segment = step.call?.segment;
      if (segment !== null && segment !== undefined)
        for (const edge of inside(segment, procedure)) add(edge, at);
    });
    return made;
  }

  private makeFrames(): TapeFrame[] {
    const procedures = this.machine.procedures;
    const frames: TapeFrame[] = [
      {
        at: 0,
        from: 0,
        procedure: this.procedure,
        locals: this.locals.slice(),
        waits: null,
        hidden: 0,
      },
    ];
    this.steps.forEach((step, index) => {
      const last = frames.at(-1) as TapeFrame;
      if (step.enter) {
        last.waits = step.edge;
        const procedure = procedures[last.procedure]?.edges[step.edge]?.callee ?? 0;
        frames.push({
          at: index + 1,
          from: index + 1,
          procedure,
          locals: step.enter.locals,
          waits: null,
          hidden: 0,
        });
      } else if (step.gap) {
        step.gap.frames.forEach((frame, k) => {
          const hidden = k === 0 ? (step.gap?.hidden ?? 0) : 0;
          const caller = frames.at(-1) as TapeFrame;
          if (hidden === 0) caller.waits = frame.edge;
          frames.push({
            at: index + 1,
            from: index + 1,
            procedure: frame.procedure,
            locals: frame.locals,
            waits: null,
            hidden,
          });
        });
      }
    });
    return frames;
  }
}

/** How many steps a step stands for: a call is itself, the steps inside, and the return. */
function lengthOf(step: Step): bigint {
  if (step.gap) return numberOf(step.gap.steps);
  if (step.call) return numberOf(step.call.length) + 2n;
  return 1n;
}

/** A number as it is written, `1,024`. */
function numberOf(text: string): bigint {
  return BigInt(text.replace(/\D/g, "") || "0");
}

function historiesOf(
  steps: readonly Step[],
  changes: (step: Step) => Change[] | undefined,
): Map<number, History> {
  const made = new Map<number, History>();
  steps.forEach((step, at) => {
    for (const [slot, value] of changes(step) ?? []) {
      let history = made.get(slot);
      if (!history) made.set(slot, (history = { at: [], values: [] }));
      history.at.push(at);
      history.values.push(value);
    }
  });
  return made;
}
