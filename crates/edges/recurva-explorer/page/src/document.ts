/**
 * What the page is given: one document with the texts, the machines, and for each question its
 * verdict and evidence. `crates/edges/recurva-explorer/src/document.rs` writes it; change both.
 *
 * Nothing here is computed by the page but positions in a run: a run stores what each step
 * changes, and the values at a position are those at the start with all changes up to there.
 */

export interface Document {
  format: "recurva-exploration";
  version: 1;
  /** The version of Recurva that wrote it. */
  recurva: string;
  /** The model's file as the user gave it. */
  model: string;
  /** The command that opens the same question with a server, for free exploration beyond what is stored. */
  command: string;
  /** Texts: the model's first, then those of monitors and properties. */
  sources: Source[];
  /** The programs that the questions are about: none for systems of any size, one as a rule; with a monitor that becomes part of it a program is another one. */
  machines: Machine[];
  /** Drawings of the whole: nested state machines, automata of systems of any size, invariants. */
  drawings: NamedDrawing[];
  questions: Question[];
  /** States stored for free exploration, where there is no server to ask. */
  free: FreeTable | null;
}

export interface Source {
  name: string;
  text: string;
}

/** Source (index), line, column, end line, end column: from 1, columns in UTF-16 units, the end is behind the last. */
export type Place = [number, number, number, number, number];

/** A value as it is shown: `T`, `255`, `-1`. */
export type Value = string;

/** A slot (index) and its new value. */
export type Change = [number, Value];

export interface Machine {
  /** The globals; each element of an array is a slot: `a[3]`. */
  globals: Slot[];
  procedures: Procedure[];
  /** The procedure that a run begins in. */
  main: number;
}

export interface Slot {
  name: string;
  type: string;
  /** Made up by a translation: left out unless asked for. */
  hidden?: true;
}

export interface Procedure {
  name: string;
  /** `bool A1(bool i)`. */
  signature: string;
  place: Place | null;
  /** The locals, parameters first. */
  locals: Slot[];
  /** How many of the slots are parameters. */
  parameters: number;
  entry: number;
  exit: number;
  nodes: MachineNode[];
  edges: MachineEdge[];
  /** Node `n7` is node 7, box `b3` the call on edge 3; edge `e3` is edge 3 (both halves of a call have its name). */
  drawing: Drawing | null;
  /** The same with straight stretches as one node each (`f7`: those from node 7 on), for large procedures. */
  folded: FoldedDrawing | null;
}

export interface MachineNode {
  place: Place | null;
  labels?: string[];
}

export interface MachineEdge {
  from: number;
  to: number;
  place: Place | null;
  /** The statement. */
  text: string;
  /** The procedure that it calls. */
  callee?: number;
}

/** A drawing that has been laid out. */
export interface Drawing {
  width: number;
  height: number;
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

export interface FoldedDrawing extends Drawing {
  /** For each node of the procedure, the index of the drawn node that shows it. */
  shows: number[];
}

export interface DrawnNode {
  id: string;
  /** The middle. */
  x: number;
  y: number;
  width: number;
  height: number;
  shape: "circle" | "double" | "ellipse" | "box" | "rounded" | "point";
  /** Its text, line by line. */
  lines: string[];
  /** `entry`, `exit`, `call`, `error`, `label`, `accepting`, `initial`, … */
  classes: string[];
  /** The ports of a call: entries and exits. */
  ports?: { x: number; y: number; label: string; kind: "entry" | "exit" }[];
}

export interface DrawnEdge {
  id: string;
  /** Indices of nodes. */
  from: number;
  to: number;
  /** Where it starts, then three points for each cubic Bézier curve, two for control and its end; the arrow's tip is the last point. */
  points: [number, number][];
  label?: { text: string; x: number; y: number };
  classes: string[];
}

export interface NamedDrawing {
  name: string;
  /** What it is, in words or as an expression. */
  about: string;
  drawing: Drawing;
}

export interface Question {
  /** The property in words. */
  property: string;
  verdict: "holds" | "violated" | "unknown";
  /** One line: what was found. */
  summary: string;
  /** One or two sentences: what is wrong, which limit was hit, how it was proved. */
  message: string;
  /** What else should be known. */
  notes: Note[];
  engine: string;
  /** Names and values, in the order to be shown: `["states", "1,665"]`. */
  stats: [string, string][];
  /** The program that it is about. */
  machine: number | null;
  /** Among the drawings of the whole the one that shows the verdict: an invariant. */
  drawing: number | null;
  evidence: Run | Strategy | Words | null;
}

/** Something that should be known besides the verdict, such as that a proof is empty. */
export interface Note {
  text: string;
  /** What can be done about it. */
  help: string | null;
  place: Place | null;
}

/** A run of a program that has been replayed. */
export interface Run {
  kind: "run";
  /** Values at the start. */
  globals: Value[];
  /** Locals of the main procedure at the start. */
  locals: Value[];
  monitor: { name: string; start: string } | null;
  /** The stem; of an infinite run then the first and the second turn. */
  steps: Step[];
  /** Calls that return: many may share one. */
  segments: Segment[];
  turn: Turn | null;
  /** The number of steps of the stem, with all calls spelled out. */
  length: string;
  end: { what: string; place: Place | null };
  table: FormulaTable | null;
}

export interface Turn {
  /** The index in `steps` where the first turn starts; the second starts `length` later. */
  start: number;
  /** 0 if the run has returned from the main procedure and stays there. */
  length: number;
  /** How many frames each turn leaves on the stack. 0: the stack stays finite. */
  frames: number;
  /** Variables whose values go on changing from turn to turn; all others repeat. */
  varies: string[];
}

/**
 * One step of a run. Exactly one of these: an internal step (none of the three), a call that
 * returns (`call`), a call that does not (`enter`), or steps that are not stored (`gap`).
 */
export interface Step {
  /** The edge in the running procedure; -1 for a gap. */
  edge: number;
  /** What is different after it: of a call that returns, after its return. */
  globals?: Change[];
  locals?: Change[];
  /** The states of the monitor after it, if they have changed. */
  monitor?: string;
  /** Which way a condition went. */
  branch?: boolean;
  call?: Call;
  enter?: Enter;
  gap?: Gap;
}

export interface Call {
  /** Index into `segments`; null if the steps inside are not stored. */
  segment: number | null;
  /** `A1(i=T)`. */
  invocation: string;
  /** `T, 4`, or empty. */
  results: string;
  /** How many steps there are inside. */
  length: string;
}

export interface Enter {
  invocation: string;
  /** The locals of the callee. */
  locals: Value[];
  monitor?: string;
}

export interface Gap {
  /** How many steps are left out. */
  steps: string;
  /** Frames that were entered on the way and are not listed. */
  hidden: number;
  /** The innermost frames that were entered, the running one last, with the call that entered each and their locals then; the changes are of the frame that ran before. */
  frames: { procedure: number; edge: number; locals: Value[] }[];
}

/** A call's steps from entry to exit; the return follows. */
export interface Segment {
  procedure: number;
  /** Locals at the entry. */
  locals: Value[];
  /** The states of the monitor at the entry, if they have changed. */
  monitor?: string;
  steps: Step[];
}

/** Which subformulas hold where. */
export interface FormulaTable {
  formulas: string[];
  rows: { at: Position; holds: boolean[] }[];
  /** What the rows leave out, in words. */
  note: string;
}

/**
 * A position in a run, before a step: the index in `steps`, then for each call that is open the
 * index in its segment's steps (`length` of the steps: at the exit). `12.3.0`.
 */
export type Position = number[];

/** Why a formula about branching fails. */
export interface Strategy {
  kind: "strategy";
  /** The formula as a tree; the first node is the root. */
  formula: { text: string; operator: string; children: number[] }[];
  /** The first is the initial one. */
  positions: StrategyPosition[];
}

export interface StrategyPosition {
  state: string;
  stateKind: "local" | "call" | "return";
  procedure?: string;
  /** Into the machine, if the model is a program: procedure and node. */
  point?: [number, number];
  place?: Place;
  values: string[];
  /** The formula that fails here, as text, and its node in the tree. */
  fails: string;
  formula: number | null;
  facts: string[];
  moves: StrategyMove[];
}

/** With `all` the formula asks for some move and these are all there are; else it asks for all and this one fails. */
export type StrategyMove =
  | { move: "step"; all: boolean; to: number[] }
  | {
      move: "call";
      all: boolean;
      callees: { callee: number; returns: { marker: number; to: number }[] }[];
    }
  | { move: "return"; all: boolean; marker: number; states: string[] };

/** A run of a system of any size, for one size: words below each other. */
export interface Words {
  kind: "words";
  words: string[][];
  /** The action that leads from each word to the next; empty names are unnamed ones. */
  actions: string[];
  /** The index of the first word of the turn; null if the run is finite. */
  turn: number | null;
  /** The process that the violated property is about, from 0. */
  process: number | null;
}

/** A state in free exploration. */
export interface FreeState {
  /** How to get there: the address. */
  picks: string;
  /** The program that it is a state of. */
  machine: number;
  globals: Value[];
  /** The innermost frames, the running one last. */
  stack: { procedure: number; node: number; edge: number | null; locals: Value[] }[];
  /** Frames further out that are not listed. */
  hidden: number;
  choices: Choice[];
  /** What is left out of the choices, in words: values that can be typed, searches that were cut. */
  note: string;
  /** Edges with more values than are listed: picks for them can be made up from values. */
  open: { edge: number; over: boolean; types: string[]; names: string[] }[];
}

export interface Choice {
  /** To be appended to `picks`. */
  pick: string;
  kind: "step" | "into" | "over" | "return";
  edge: number | null;
  /** `x := y + 1`, `A1(i=T)`. */
  text: string;
  /** What it changes: `x=4`. */
  note: string;
  /** Procedure and node it leads to. */
  to: [number, number];
}

/** States for free exploration by their picks; a string is the picks under which the same state is stored. */
export type FreeTable = { [picks: string]: FreeState | string };

/** How far a check is: `GET status`. */
export interface Status {
  state: "running" | "done" | "stopped";
  /** Which question of how many, from 0. */
  question: number;
  questions: number;
  property: string;
  seconds: number;
  explicit: {
    states: number;
    pathEdges: number;
    waiting: number;
    rate: number;
    bytes: number;
  } | null;
  symbolic: { nodes: number; steps: number; bytes: number } | null;
  /** Work that is neither of the two searches: `round` is 0 and `unit` empty where there is none. */
  work: { what: string; round: number; number: number; unit: string; bytes: number } | null;
}
