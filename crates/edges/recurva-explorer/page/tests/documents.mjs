// Small documents made by hand: what the page is tested with where no binary is needed.
import { readFileSync } from "node:fs";

const vera = readFileSync(
  new URL("../../../../../examples/vera_fig1.bp", import.meta.url),
  "utf8",
).replace(/\r\n/g, "\n");

const at = (line, column = 1, length = 8) => [0, line, column, line, column + length];

/** A drawing of a procedure: its nodes below each other. */
export function drawingOf(procedure) {
  const nodes = [];
  const edges = [];
  const wide = 160;
  const row = (k) => 40 + 90 * k;
  procedure.nodes.forEach((node, k) => {
    const classes = [];
    if (k === procedure.entry) classes.push("entry");
    if (k === procedure.exit) classes.push("exit");
    if (node.labels) classes.push("label");
    nodes.push({
      id: `n${k}`,
      x: wide,
      y: row(k),
      width: 26,
      height: 26,
      shape: k === procedure.exit ? "double" : "circle",
      lines: node.labels ?? [String(node.place?.[1] ?? k)],
      classes,
    });
  });
  const wire = (id, from, to, points, text) =>
    edges.push({
      id,
      from,
      to,
      points,
      classes: [],
      ...(text
        ? {
            label: {
              text,
              x: (points[0][0] + points.at(-1)[0]) / 2,
              y: (points[0][1] + points.at(-1)[1]) / 2,
            },
          }
        : {}),
    });
  procedure.edges.forEach((edge, k) => {
    const [from, to] = [nodes[edge.from], nodes[edge.to]];
    if (edge.callee !== undefined) {
      const y = (from.y + to.y) / 2;
      const x = wide + 110;
      const box = nodes.length;
      nodes.push({
        id: `b${k}`,
        x,
        y,
        width: 90,
        height: 40,
        shape: "box",
        lines: [edge.text.replace(/^.*:= /, "")],
        classes: ["call"],
        ports: [
          { x, y: y - 20, label: "", kind: "entry" },
          { x, y: y + 20, label: "", kind: "exit" },
        ],
      });
      wire(`e${k}`, edge.from, box, [
        [from.x + 13, from.y],
        [x, from.y],
        [x, y - 20],
      ]);
      wire(`e${k}`, box, edge.to, [
        [x, y + 20],
        [x, to.y],
        [to.x + 13, to.y],
      ]);
      return;
    }
    if (edge.to === edge.from + 1)
      wire(
        `e${k}`,
        edge.from,
        edge.to,
        [
          [from.x, from.y + 13],
          [to.x, to.y - 13],
        ],
        edge.text,
      );
    else {
      const x = wide - 60 - 15 * Math.abs(edge.to - edge.from);
      wire(
        `e${k}`,
        edge.from,
        edge.to,
        [
          [from.x - 13, from.y],
          [x, from.y],
          [x, to.y],
          [to.x - 13, to.y],
        ],
        edge.text,
      );
    }
  });
  return { width: 360, height: row(procedure.nodes.length), nodes, edges };
}

function procedure(name, signature, place, locals, parameters, lines, exit, edges, labels = {}) {
  const made = {
    name,
    signature,
    place,
    locals: locals.map((each) => ({ name: each, type: "bool" })),
    parameters,
    entry: 0,
    exit,
    nodes: lines.map((line, k) => ({
      place: line ? at(line) : null,
      ...(labels[k] ? { labels: [labels[k]] } : {}),
    })),
    edges: edges.map(([from, to, line, column, text, callee]) => ({
      from,
      to,
      place: at(line, column, text.length),
      text,
      ...(callee === undefined ? {} : { callee }),
    })),
    drawing: null,
    folded: null,
  };
  made.drawing = drawingOf(made);
  return made;
}

function base(model, text) {
  return {
    format: "recurva-exploration",
    version: 1,
    recurva: "0.1.0",
    model,
    command: `recurva explore ${model}`,
    sources: [{ name: model, text }],
    machines: [],
    drawings: [],
    questions: [],
    free: null,
  };
}

const question = (property, verdict, message, evidence) => ({
  property,
  verdict,
  summary: `${property}: ${verdict}`,
  message,
  notes: [],
  engine: "explicit",
  stats: [
    ["states", "17"],
    ["path edges", "17"],
    ["time", "0.00 s"],
  ],
  machine: evidence?.kind === "words" ? null : 0,
  drawing: null,
  evidence,
});

/** The machine of examples/vera_fig1.bp. */
export function veraMachine() {
  const a1 = procedure(
    "A1",
    "bool A1(bool i)",
    at(17),
    ["i", "x"],
    1,
    [19, 20, 21, 22, 23, 25, 25],
    6,
    [
      [0, 1, 19, 3, "x := T"],
      [1, 2, 20, 3, "if (i & !a)"],
      [1, 5, 20, 3, "if (i & !a)"],
      [2, 3, 21, 5, "a := T"],
      [3, 4, 22, 5, "x := A1(!i)", 0],
      [4, 5, 23, 5, "x := !x"],
      [5, 6, 25, 3, "return x"],
    ],
  );
  const a2 = procedure(
    "A2",
    "bool A2()",
    at(28),
    ["y"],
    0,
    [30, 31, 32, 33, 35, 36, 38, 38],
    7,
    [
      [0, 1, 30, 3, "y := T"],
      [1, 2, 31, 3, "y := A1(y)", 0],
      [2, 3, 32, 3, "if (!y & a)"],
      [2, 4, 32, 3, "if (!y & a)"],
      [3, 4, 33, 5, "HIT: skip"],
      [4, 5, 35, 3, "if (!y & !a)"],
      [4, 6, 35, 3, "if (!y & !a)"],
      [5, 6, 36, 5, "MISS: skip"],
      [6, 7, 38, 3, "return y"],
    ],
    { 3: "HIT", 5: "MISS" },
  );
  const main = procedure("main", "void main()", at(40), [], 0, [42, 43, 44], 2, [
    [0, 1, 42, 3, "a := F"],
    [1, 2, 43, 3, "_ := A2()", 1],
  ]);
  return { globals: [{ name: "a", type: "bool" }], procedures: [a1, a2, main], main: 2 };
}

/** The run of the README: a call that does not return, and two that do. */
export function veraRun() {
  return {
    kind: "run",
    globals: ["F"],
    locals: [],
    monitor: null,
    steps: [
      { edge: 0 },
      { edge: 1, enter: { invocation: "A2()", locals: ["F"] } },
      { edge: 0, locals: [[0, "T"]] },
      {
        edge: 1,
        globals: [[0, "T"]],
        locals: [[0, "F"]],
        call: { segment: 1, invocation: "A1(i=T)", results: "F", length: "10" },
      },
      { edge: 2, branch: true },
    ],
    segments: [
      {
        procedure: 0,
        locals: ["F", "F"],
        steps: [{ edge: 0, locals: [[1, "T"]] }, { edge: 2, branch: false }, { edge: 6 }],
      },
      {
        procedure: 0,
        locals: ["T", "F"],
        steps: [
          { edge: 0, locals: [[1, "T"]] },
          { edge: 1, branch: true },
          { edge: 3, globals: [[0, "T"]] },
          { edge: 4, call: { segment: 0, invocation: "A1(i=F)", results: "T", length: "3" } },
          { edge: 5, locals: [[1, "F"]] },
          { edge: 6 },
        ],
      },
    ],
    turn: null,
    length: "16",
    end: { what: "label `HIT` is reached", place: at(33, 5, 9) },
    table: {
      formulas: ["F @HIT", "@HIT", "a"],
      rows: [
        { at: [0], holds: [true, false, false] },
        { at: [2], holds: [true, false, false] },
        { at: [3, 3], holds: [true, false, true] },
        { at: [5], holds: [true, true, true] },
      ],
      note: "Only steps at which something changes are listed.",
    },
  };
}

/** A program with a counterexample, one that holds, and some states to explore. */
export function veraDocument() {
  const made = base("examples/vera_fig1.bp", vera);
  made.machines = [veraMachine()];
  made.questions = [
    question(
      "label HIT is unreachable",
      "violated",
      "examples/vera_fig1.bp:33: label `HIT` is reached",
      veraRun(),
    ),
    question("label MISS is unreachable", "holds", "All states have been searched.", null),
    question(
      "label HIT is unreachable within a second",
      "unknown",
      "The limit of 1 s was hit first.",
      null,
    ),
  ];
  const state = (picks, globals, stack, choices, open = []) => ({
    picks,
    machine: 0,
    globals,
    stack,
    hidden: 0,
    choices,
    note: open.length > 0 ? "More values can be typed." : "",
    open,
  });
  const main = (node, edge = null) => ({ procedure: 2, node, edge, locals: [] });
  const call = [
    { pick: "e1", kind: "into", edge: 1, text: "A2()", note: "", to: [1, 0] },
    { pick: "o1", kind: "over", edge: 1, text: "A2()", note: "a=T, returns F", to: [2, 2] },
  ];
  made.free = {
    i: state(
      "i",
      ["T"],
      [main(0)],
      [{ pick: "e0", kind: "step", edge: 0, text: "a := F", note: "a=F", to: [2, 1] }],
    ),
    "i/e0": state("i/e0", ["F"], [main(1)], call),
    "i/e0/e1": state(
      "i/e0/e1",
      ["F"],
      [main(1, 1), { procedure: 1, node: 0, edge: null, locals: ["F"] }],
      [{ pick: "e0", kind: "step", edge: 0, text: "y := T", note: "y=T", to: [1, 1] }],
      [{ edge: 0, over: false, types: ["bool"], names: ["y"] }],
    ),
    "i/e0/o1": state(
      "i/e0/o1",
      ["T"],
      [main(2)],
      [{ pick: "r", kind: "return", edge: null, text: "return", note: "", to: [2, 2] }],
    ),
    "@0:1": state("@0:1", ["F"], [main(1)], call),
  };
  return made;
}

const flip = `decl g;

void flip() begin
  if (*) then
    flip();
    flip();
  fi
  g := !g;
end

void main() begin
  g := F;
  while (T) do
    flip();
    flip();
    reach: skip;
  od
end
`;

/** The machine of a program like examples/flip.bp. */
export function flipMachine() {
  const body = procedure("flip", "void flip()", at(3), [], 0, [4, 5, 6, 8, 9], 4, [
    [0, 1, 4, 3, "if (*)"],
    [0, 3, 4, 3, "if (*)"],
    [1, 2, 5, 5, "flip()", 0],
    [2, 3, 6, 5, "flip()", 0],
    [3, 4, 8, 3, "g := !g"],
  ]);
  const main = procedure("main", "void main()", at(11), ["n"], 0, [12, 14, 15, 16, 18], 4, [
    [0, 1, 12, 3, "g := F"],
    [1, 2, 14, 5, "flip()", 0],
    [2, 3, 15, 5, "flip()", 0],
    [3, 1, 16, 5, "reach: skip"],
  ]);
  main.locals[0].type = "uint(8)";
  return {
    globals: [
      { name: "g", type: "bool" },
      { name: "tmp#1", type: "bool", hidden: true },
    ],
    procedures: [body, main],
    main: 1,
  };
}

/** A lasso whose stack stays finite, and one whose stack diverges. */
export function flipDocument() {
  const made = base("flip.bp", flip);
  made.machines = [flipMachine()];
  const call = (edge, from, to, n) => ({
    edge,
    globals: [[0, to]],
    ...(n === undefined ? {} : { locals: [[0, n]] }),
    call: { segment: from === "F" ? 0 : 1, invocation: "flip()", results: "", length: "2" },
  });
  const turn = (n) => [
    call(1, "F", "T"),
    call(2, "T", "F"),
    { edge: 3, locals: [[0, n]], monitor: n === "1" ? "q1" : "q2" },
  ];
  const lasso = {
    kind: "run",
    globals: ["T", "F"],
    locals: ["0"],
    monitor: { name: "watch", start: "q0" },
    steps: [{ edge: 0, globals: [[0, "F"]] }, ...turn("1"), ...turn("2")],
    segments: ["T", "F"].map((to) => ({
      procedure: 0,
      locals: [],
      steps: [
        { edge: 1, branch: false },
        { edge: 4, globals: [[0, to]] },
      ],
    })),
    turn: { start: 1, length: 3, frames: 0, varies: ["n"] },
    length: "1",
    end: { what: "the run goes on for ever", place: at(14, 5, 6) },
    table: null,
  };
  const enter = { edge: 2, enter: { invocation: "flip()", locals: [] } };
  const diverging = {
    kind: "run",
    globals: ["T", "F"],
    locals: ["0"],
    monitor: null,
    steps: [
      { edge: 0, globals: [[0, "F"]] },
      { edge: 1, enter: { invocation: "flip()", locals: [] } },
      { edge: 0, branch: true },
      enter,
      { edge: 0, branch: true },
      enter,
    ],
    segments: [],
    turn: { start: 2, length: 2, frames: 1, varies: [] },
    length: "2",
    end: { what: "flip calls itself for ever", place: at(5, 5, 6) },
    table: null,
  };
  made.questions = [
    question("G F @reach (stack finite)", "violated", "A turn is repeated for ever.", lasso),
    question("G F @reach", "violated", "Only runs whose stack diverges violate it.", diverging),
    question("it stays at the end", "violated", "main has returned.", {
      ...lasso,
      steps: lasso.steps.slice(0, 1),
      turn: { start: 1, length: 0, frames: 0, varies: [] },
    }),
  ];
  made.sources.push({ name: "watch.mon", text: "monitor watch\nstate q0\n" });
  return made;
}

/** A run of more than 2^40 steps: each segment calls the next one twice. */
export function deepRun(levels = 40) {
  const segments = [];
  let length = 1n;
  for (let k = 0; k < levels; k++) {
    const inner = { segment: k - 1, invocation: "flip()", results: "", length: String(length) };
    const globals = [[0, k === 0 ? "T" : "F"]];
    segments.push({
      procedure: 0,
      locals: [],
      steps:
        k === 0
          ? [{ edge: 4, globals: [[0, "T"]] }]
          : [
              { edge: 2, call: inner, globals: [[0, "T"]] },
              { edge: 3, call: inner },
              { edge: 4, globals },
            ],
    });
    if (k > 0) length = 2n * (length + 2n) + 1n;
  }
  const call = { segment: levels - 1, invocation: "flip()", results: "", length: String(length) };
  return {
    kind: "run",
    globals: ["F", "F"],
    locals: ["0"],
    monitor: null,
    steps: [{ edge: 0 }, { edge: 1, call, globals: [] }],
    segments,
    turn: null,
    length: String(length + 3n),
    end: { what: "the end of a long run", place: at(15) },
    table: null,
  };
}

/** Gaps, calls that are not stored, and a long run. */
export function deepDocument() {
  const made = base("deep.bp", flip);
  made.machines = [flipMachine()];
  const gap = {
    kind: "run",
    globals: ["F", "F"],
    locals: ["0"],
    monitor: null,
    steps: [
      { edge: 0 },
      {
        edge: 1,
        call: { segment: null, invocation: "flip()", results: "", length: "1000000" },
        globals: [[0, "T"]],
      },
      {
        edge: -1,
        globals: [[0, "F"]],
        gap: {
          steps: "5000",
          hidden: 97,
          frames: [
            { procedure: 0, edge: 2, locals: [] },
            { procedure: 0, edge: 3, locals: [] },
          ],
        },
      },
      { edge: 4, globals: [[0, "T"]] },
    ],
    segments: [],
    turn: null,
    length: "1005004",
    end: { what: "too deep", place: at(9) },
    table: null,
  };
  made.questions = [
    question("the end of a long run is unreachable", "violated", "It is reached.", deepRun()),
    question("no deep stack", "violated", "It is too deep.", gap),
  ];
  return made;
}

/** A strategy that refutes a formula about branching. */
export function strategyDocument() {
  const made = base("thesis.nsm", "local v1 : wr\ncall v2 : en\nreturn w2 : ex\nlocal v3 : tk\n");
  const position = (state, stateKind, line, fails, formula, facts, moves) => ({
    state,
    stateKind,
    place: at(line, 1, 5),
    values: [`at ${state}`],
    fails,
    formula,
    facts,
    moves,
  });
  made.questions = [
    question("all_calls_return", "violated", "The formula fails at v1.", {
      kind: "strategy",
      formula: [
        { text: "νX. (en → ⟨ret⟩ ex) ∧ [ ]X", operator: "ν", children: [1, 2] },
        { text: "en → ⟨ret⟩ ex", operator: "→", children: [3] },
        { text: "[ ]X", operator: "[ ]", children: [] },
        { text: "⟨ret⟩ ex", operator: "⟨ret⟩", children: [] },
      ],
      positions: [
        position("v1", "local", 1, "νX. …", 0, ["wr"], [{ move: "step", all: false, to: [1] }]),
        position(
          "v2",
          "call",
          2,
          "⟨ret⟩ ex",
          3,
          ["en"],
          [{ move: "call", all: true, callees: [{ callee: 2, returns: [{ marker: 1, to: 3 }] }] }],
        ),
        position("v3", "local", 4, "[ ]X", 2, ["tk"], [{ move: "step", all: true, to: [] }]),
        position(
          "w2",
          "return",
          3,
          "⟨ret⟩ ex",
          3,
          ["ex"],
          [{ move: "return", all: true, marker: 1, states: ["w2"] }],
        ),
      ],
    }),
  ];
  made.drawings = [
    {
      name: "thesis.nsm",
      about: "the nested state machine",
      drawing: drawingOf(flipMachine().procedures[0]),
    },
  ];
  return made;
}

/** A run of a system of any size, with a turn, and automata. */
export function wordsDocument() {
  const made = base("token.rmc", "processes: t n\ninit: t n*\nstep pass: t n -> n t\n");
  const words = [0, 1, 2, 3, 0].map((k) => [0, 1, 2, 3].map((each) => (each === k ? "t" : "n")));
  const drawing = drawingOf(flipMachine().procedures[1]);
  made.drawings = [
    { name: "init", about: "t n*", drawing },
    { name: "pass", about: "what a step may do", drawing: drawingOf(flipMachine().procedures[0]) },
  ];
  made.questions = [
    question("a process is served again and again", "violated", "Process 2 starves.", {
      kind: "words",
      words,
      actions: ["pass", "pass", "", "around"],
      turn: 0,
      process: 2,
    }),
    question("there is one token", "violated", "There are two.", {
      kind: "words",
      words: words.slice(0, 3),
      actions: ["pass", "pass"],
      turn: null,
      process: null,
    }),
  ];
  return made;
}

/** Questions about two programs: the second has a monitor in it. */
export function twoProgramsDocument() {
  const [first, second] = [veraDocument(), flipDocument()];
  return {
    ...first,
    sources: [...first.sources, { name: "flip.pal", text: flip }],
    machines: [...first.machines, ...second.machines],
    questions: [
      first.questions[0],
      { ...second.questions[1], machine: 1 },
      { ...first.questions[1], machine: 1 },
    ],
    free: null,
  };
}

/** A system that was proved: its invariant is drawn, and there are remarks. */
export function provedDocument() {
  const made = wordsDocument();
  const drawing = drawingOf(flipMachine().procedures[0]);
  made.drawings.push({ name: "invariant for mutex", about: "t n* + n*", drawing });
  const notes = [
    { text: "the step pass is never taken", help: "begin with a token", place: at(3, 1, 9) },
    { text: "searched below size 4", help: null, place: null },
  ];
  const proved = question("mutex", "holds", "The invariant has 2 states.", null);
  made.questions = [{ ...proved, machine: null, drawing: 2, notes }];
  return made;
}

/** A procedure of `size` nodes, drawn in `columns`, with a folded drawing too. */
export function largeDocument(size = 10_000, columns = 10) {
  const lines = Array.from({ length: size }, (_, k) => `  x := ${k};`);
  const made = base("large.bp", lines.join("\n"));
  const nodes = lines.map((_, k) => ({ place: at(k + 1, 3, 6) }));
  const edges = [];
  for (let k = 0; k + 1 < size; k++)
    edges.push({ from: k, to: k + 1, place: at(k + 1, 3, 6), text: `x := ${k}` });
  const spot = (k) => {
    const row = Math.floor(k / columns);
    const column = row % 2 === 0 ? k % columns : columns - 1 - (k % columns);
    return [60 + 120 * column, 40 + 80 * row];
  };
  const drawn = (id, k) => ({
    id,
    x: spot(k)[0],
    y: spot(k)[1],
    width: 40,
    height: 26,
    shape: "circle",
    lines: [String(k + 1)],
    classes: [],
  });
  const drawing = {
    width: 120 * columns,
    height: 80 * Math.ceil(size / columns) + 40,
    nodes: nodes.map((_, k) => drawn(`n${k}`, k)),
    edges: edges.map((edge, k) => ({
      id: `e${k}`,
      from: edge.from,
      to: edge.to,
      points: [spot(edge.from), spot(edge.to)],
      label: {
        text: edge.text,
        x: (spot(edge.from)[0] + spot(edge.to)[0]) / 2,
        y: spot(edge.from)[1] - 6,
      },
      classes: [],
    })),
  };
  const few = Math.ceil(size / 100);
  const folded = {
    width: 400,
    height: 80 * few,
    nodes: Array.from({ length: few }, (_, k) => ({
      ...drawn(`f${k * 100}`, k),
      x: 200,
      y: 40 + 80 * k,
      width: 140,
      shape: "rounded",
      lines: [`${100 * k + 1} … ${100 * (k + 1)}`],
    })),
    edges: Array.from({ length: few - 1 }, (_, k) => ({
      id: `e${100 * k + 99}`,
      from: k,
      to: k + 1,
      points: [
        [200, 53 + 80 * k],
        [200, 107 + 80 * k],
      ],
      classes: [],
    })),
    shows: nodes.map((_, k) => Math.floor(k / 100)),
  };
  const machine = {
    globals: [{ name: "x", type: "uint(32)" }],
    procedures: [
      {
        name: "main",
        signature: "void main()",
        place: at(1),
        locals: [],
        parameters: 0,
        entry: 0,
        exit: size - 1,
        nodes,
        edges,
        drawing,
        folded,
      },
    ],
    main: 0,
  };
  made.machines = [machine];
  made.questions = [
    question("x stays small", "violated", "It does not.", {
      kind: "run",
      globals: ["0"],
      locals: [],
      monitor: null,
      steps: edges.map((_, k) => ({ edge: k, globals: [[0, String(k)]] })),
      segments: [],
      turn: null,
      length: String(size - 1),
      end: { what: "x is large", place: at(size) },
      table: null,
    }),
  ];
  return made;
}
