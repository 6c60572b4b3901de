/** The folded call tree as a list of rows: only what has been opened is in it. */
import type { Position } from "./document.js";
import type { Walk } from "./run.js";
import type { Spot } from "./spot.js";
import type { Tape } from "./tape.js";
import { count, describeStep, type Described } from "./text.js";

/** A row. Every position that is open has one; `turn` rows are headings. */
export interface Row {
  kind: "step" | "call" | "return" | "end" | "turn";
  position: Position;
  /** The call depth. */
  depth: number;
  /** 0 before the first turn of a lasso, 1 in the first, 2 in the second. */
  turn: number;
  tape: Tape;
}

/** The rows of a run, and which calls are open. */
export class Tree {
  private readonly open = new Set<string>();
  private rowsMade: Row[] | null = null;
  private readonly indices = new Map<string, number>();

  constructor(private readonly walk: Walk) {}

  /** All rows. */
  get rows(): readonly Row[] {
    if (!this.rowsMade) {
      this.indices.clear();
      this.rowsMade = [];
      this.add(this.rowsMade, this.walk.top, [], 0);
    }
    return this.rowsMade;
  }

  /** Is the call at a position open? */
  isOpen(position: Position): boolean {
    return this.open.has(position.join("."));
  }

  /** Opens or closes the call at a position. */
  toggle(position: Position): void {
    const key = position.join(".");
    if (!this.open.delete(key)) this.open.add(key);
    this.rowsMade = null;
  }

  /** Opens the calls around a position; gives the index of its row. */
  reveal(spot: Spot): number {
    for (let length = 1; length < spot.position.length; length++) {
      const key = spot.position.slice(0, length).join(".");
      if (this.open.has(key)) continue;
      this.open.add(key);
      this.rowsMade = null;
    }
    void this.rows;
    return this.indices.get(spot.position.join(".")) ?? -1;
  }

  private add(rows: Row[], tape: Tape, path: Position, depth: number): void {
    const { run } = this.walk;
    const loop = tape === this.walk.top ? run.turn : null;
    const top = tape === this.walk.top;
    const length = top ? run.steps.length : tape.steps.length;
    for (let index = 0; index <= length; index++) {
      const position = [...path, index];
      const turn = turnAt(loop, index);
      const inner = depth + tape.frameAt(index);
      if (loop && (index === loop.start || (loop.length > 0 && index === loop.start + loop.length)))
        rows.push({ kind: "turn", position, depth: inner, turn: Math.max(1, turn), tape });
      if (index === length && loop && loop.length > 0) break;
      const call = tape.steps[index]?.call;
      const kind = index < length ? (call ? "call" : "step") : top ? "end" : "return";
      const key = position.join(".");
      this.indices.set(key, rows.length);
      rows.push({ kind, position, depth: inner, turn, tape });
      if (typeof call?.segment === "number" && this.open.has(key)) {
        const segment = this.walk.tape(call.segment);
        if (segment) this.add(rows, segment, position, inner + 1);
      }
    }
  }

  /** What a row says. */
  describe(row: Row): Described {
    const { walk } = this;
    const { run, machine } = walk;
    const index = row.position.at(-1) ?? 0;
    if (row.kind === "turn") return { place: null, text: this.turnText(row.turn), effect: "" };
    if (row.kind === "end") return { place: run.end.place, text: run.end.what, effect: "" };
    if (row.kind === "return") {
      const levels = walk.levels({ position: row.position.slice(0, -1), turn: 0 });
      const outer = levels.at(-1);
      const step = outer?.tape.steps[outer.index];
      const name = machine.procedures[row.tape.procedure]?.name ?? "?";
      const results = step?.call?.results ?? "";
      const place = outer
        ? (machine.procedures[outer.tape.procedureAt(outer.index)]?.edges[step?.edge ?? -1]
            ?.place ?? null)
        : null;
      return { place, text: `← ${name} returns ${results}`.trimEnd(), effect: "" };
    }
    const step = row.tape.steps[index];
    if (!step) return { place: null, text: "", effect: "" };
    return describeStep(machine, row.tape.procedureAt(index), step);
  }

  private turnText(turn: number): string {
    const loop = this.walk.run.turn;
    if (!loop || loop.length === 0) return "the run stays here for ever";
    if (turn > 1) return "turn 2, and so every later turn";
    const grows = loop.frames > 0 ? `, each leaves ${count(loop.frames, "frame")}` : "";
    return `turn, repeated for ever${grows}`;
  }
}

function turnAt(loop: { start: number; length: number } | null, index: number): number {
  if (!loop || loop.length === 0 || index < loop.start) return 0;
  return index < loop.start + loop.length ? 1 : 2;
}
