/** The machine: one drawing for each procedure, or those of the whole. */
import type { Drawing, Procedure } from "../document.js";
import { button, fill, h, panel, select } from "../dom.js";
import { nodePlace } from "../focus.js";
import type { Marks } from "../machine/paint.js";
import type { Scene } from "../machine/scene.js";
import { sceneOf, Viewer } from "../machine/viewer.js";
import { search, visitsOf } from "../search.js";
import type { Store, View } from "../store.js";
import { count } from "../text.js";

/** Procedures with more nodes than this are shown folded first. */
const LARGE = 150;

/** The panel of the machine. */
export function machineView(store: Store): View {
  const { element, tools, body } = panel("machine", "Machine");
  const { drawings } = store.document;
  let machine = store.machine;
  const viewer = new Viewer("Drawing. Arrow keys move it, plus and minus zoom, 0 shows all of it.");
  const unfolded = new Set<number>();
  let following = true;
  let shown: { procedure: number | null; drawing: Drawing; folded: boolean } | null = null;
  let hits: number[] = [];
  let hit = -1;

  const box = h("input", {
    type: "search",
    placeholder: "search",
    "aria-label": "Search nodes, statements and lines",
    oninput: () => find(),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === "Enter") cycle(event.shiftKey ? -1 : 1);
    },
  });
  const found = h("span", { class: "found", role: "status" });
  const follow = h("input", {
    type: "checkbox",
    checked: true,
    onchange: () => {
      following = follow.checked;
      if (following) update();
    },
  });
  const fold = h("input", {
    type: "checkbox",
    onchange: () => {
      if (shown?.procedure === null || !shown) return;
      if (fold.checked) unfolded.delete(shown.procedure);
      else unfolded.add(shown.procedure);
      update();
    },
  });
  const foldLabel = h("label", { class: "check" }, fold, "folded");
  const picker = h("span", {});
  tools.append(
    picker,
    box,
    found,
    h("label", { class: "check" }, follow, "follow"),
    foldLabel,
    button("−", () => viewer.zoom(0.8), { "aria-label": "Zoom out" }),
    button("+", () => viewer.zoom(1.25), { "aria-label": "Zoom in" }),
    button("Fit", () => viewer.fit(false), { "aria-label": "Fit: show all of the drawing" }),
  );
  const about = h("p", { class: "about" });
  const here = h("details", { class: "here" });
  const empty = h("p", { class: "empty" }, "There is no drawing of this.");
  fill(body, about, viewer.element, empty, here);
  viewer.onChoose = choose;

  /** What is to be drawn: what was chosen, or the procedure of the frame. */
  function wanted(): {
    key: string;
    procedure: number | null;
    drawing: Drawing | null;
    about: string;
  } {
    const { address, focus } = store;
    const chosen = address.drawing;
    const own = store.question?.drawing ?? null;
    const whole =
      !machine || own !== null || (address.where.mode === "strategy" && drawings.length > 0);
    if (chosen?.startsWith("d") || (chosen === null && whole)) {
      const index = Number((chosen ?? `d${own ?? 0}`).slice(1));
      const drawing = drawings[index];
      return {
        key: `d${index}`,
        procedure: null,
        drawing: drawing?.drawing ?? null,
        about: drawing?.about ?? "",
      };
    }
    const frame = focus.frames[address.frame ?? focus.frames.length - 1];
    const procedure = chosen === null ? (frame?.procedure ?? machine?.main ?? 0) : Number(chosen);
    const made = machine?.procedures[procedure];
    const folded =
      made?.folded && !unfolded.has(procedure) && (made.nodes.length > LARGE || !made.drawing);
    return {
      key: String(procedure),
      procedure,
      drawing: (folded ? made?.folded : (made?.drawing ?? made?.folded)) ?? null,
      about: made?.signature ?? "",
    };
  }

  function nodeIndex(procedure: Procedure, drawing: Drawing, node: number): number | undefined {
    const scene = sceneOf(drawing);
    return drawing === procedure.folded ? procedure.folded.shows[node] : scene.node(`n${node}`);
  }

  function marksOf(
    procedure: number,
    drawing: Drawing,
  ): { marks: Marks; current: number | undefined } {
    const marks: Marks = { nodes: new Map(), edges: new Map() };
    const made = machine?.procedures[procedure];
    if (!made) return { marks, current: undefined };
    const scene = sceneOf(drawing);
    const { focus, address } = store;
    const put = (map: Map<number, string>, index: number | undefined, mark: string) => {
      if (index !== undefined) map.set(index, `${map.get(index) ?? ""} ${mark}`.trim());
    };
    const { taken, entered } = focus.visited(procedure);
    for (const edge of [...taken, ...entered]) {
      const into = !taken.has(edge);
      for (const index of wires(scene, edge, into)) put(marks.edges, index, "visited");
      const ends = made.edges[edge];
      for (const node of into ? [ends?.from] : [ends?.from, ends?.to]) {
        const index = node === undefined ? undefined : nodeIndex(made, drawing, node);
        if (index !== undefined) marks.nodes.set(index, "visited");
      }
      const box = scene.node(`b${edge}`);
      if (box !== undefined) marks.nodes.set(box, "visited");
    }
    const { failing } = store;
    if (failing?.procedure === procedure && failing.node !== null)
      put(marks.nodes, nodeIndex(made, drawing, failing.node), "failing");
    const at = address.frame ?? focus.frames.length - 1;
    let current: number | undefined;
    const frame =
      focus.frames[at]?.procedure === procedure
        ? focus.frames[at]
        : focus.frames.findLast((each) => each.procedure === procedure);
    if (frame && address.where.mode !== "none") {
      const running = frame === focus.frames.at(-1);
      const call = !running && frame.edge !== null ? scene.node(`b${frame.edge}`) : undefined;
      current = call ?? (frame.node === null ? undefined : nodeIndex(made, drawing, frame.node));
      put(marks.nodes, current, "current");
      if (running && frame.edge !== null)
        for (const index of wires(scene, frame.edge, true)) put(marks.edges, index, "current");
    }
    return { marks, current };
  }

  /** In a drawing of the whole: the state of a strategy. */
  function stateMarks(drawing: Drawing): { marks: Marks; current: number | undefined } {
    const { where } = store.address;
    const evidence = store.question?.evidence;
    const marks: Marks = { nodes: new Map(), edges: new Map() };
    if (where.mode !== "strategy" || evidence?.kind !== "strategy")
      return { marks, current: undefined };
    const state = evidence.positions[where.path.at(-1) ?? 0]?.state ?? "";
    const current = drawing.nodes.findIndex((node) => node.lines.includes(state));
    if (current < 0) return { marks, current: undefined };
    marks.nodes.set(current, "current");
    return { marks, current };
  }

  function withHits(marks: Marks): Marks {
    hits.forEach((index, k) => {
      const mark = k === hit ? "hit chosen" : "hit";
      marks.nodes.set(index, `${marks.nodes.get(index) ?? ""} ${mark}`.trim());
    });
    return marks;
  }

  function find(): void {
    hits = [];
    hit = -1;
    const text = box.value.trim().toLowerCase();
    if (shown && text !== "") {
      const { drawing, procedure } = shown;
      const set = new Set<number>();
      const line = /^(?:line\s*)?(\d+)$/.exec(text)?.[1];
      drawing.nodes.forEach((node, index) => {
        if (node.lines.some((each) => each.toLowerCase().includes(text))) set.add(index);
      });
      drawing.edges.forEach((edge) => {
        if (edge.label?.text.toLowerCase().includes(text)) set.add(edge.from);
      });
      const made = procedure === null ? undefined : machine?.procedures[procedure];
      made?.edges.forEach((edge) => {
        if (!edge.text.toLowerCase().includes(text) && String(edge.place?.[1] ?? "") !== line)
          return;
        const index = nodeIndex(made, drawing, edge.from);
        if (index !== undefined) set.add(index);
      });
      made?.nodes.forEach((node, k) => {
        if (!node.labels?.some((label) => label.toLowerCase().includes(text))) return;
        const index = nodeIndex(made, drawing, k);
        if (index !== undefined) set.add(index);
      });
      hits = [...set].sort((a, b) => a - b);
      if (hits.length > 0) hit = 0;
    }
    showHits();
  }

  function cycle(by: number): void {
    if (hits.length === 0) return;
    hit = (hit + by + hits.length) % hits.length;
    showHits();
  }

  function showHits(): void {
    found.textContent =
      box.value.trim() === ""
        ? ""
        : hits.length === 0
          ? "not found"
          : `${hit + 1} of ${hits.length}`;
    const index = hits[hit];
    if (index !== undefined) viewer.reveal(index);
    if (shown) mark(false);
  }

  function choose(index: number): void {
    if (!shown || shown.procedure === null || !machine) return;
    const made = machine.procedures[shown.procedure];
    const id = shown.drawing.nodes[index]?.id ?? "";
    const number = Number(id.slice(1));
    const node = id.startsWith("b") ? made?.edges[number]?.from : number;
    if (node === undefined || !made?.nodes[node]) return;
    goTo(shown.procedure, node);
  }

  /** Shows a node's source, and goes to the next position of the run there. */
  function goTo(procedure: number, node: number): void {
    const { walk, spot } = store;
    if (walk && spot && machine) {
      const hit = visitsOf(walk, procedure, node);
      const next =
        search(walk, spot, hit, true) ??
        (walk.find([0]) && hit(walk.top, 0) ? walk.start() : search(walk, walk.start(), hit, true));
      if (next) {
        store.moveTo(next, "push");
        return;
      }
    }
    if (machine)
      store.peek(nodePlace(machine, procedure, node), spot ? "The run does not come here." : "");
  }

  function describe(procedure: number, node: number): void {
    const made = machine?.procedures[procedure];
    const leaving = made?.edges.filter((edge) => edge.from === node) ?? [];
    const entering = made?.edges.filter((edge) => edge.to === node) ?? [];
    const line = (edge: (typeof leaving)[number], to: number, sign: string) =>
      h(
        "li",
        {},
        button(`${sign} ${edge.place ? `line ${edge.place[1]}: ` : ""}${edge.text}`, () =>
          goTo(procedure, to),
        ),
      );
    fill(
      here,
      h(
        "summary",
        {},
        `Node ${node} of ${made?.name ?? "?"}: ${count(leaving.length, "way")} on, ${count(entering.length, "way")} in`,
      ),
      h("ul", {}, ...leaving.slice(0, 50).map((edge) => line(edge, edge.to, "→"))),
      h("ul", {}, ...entering.slice(0, 50).map((edge) => line(edge, edge.from, "←"))),
    );
  }

  function mark(move: boolean): void {
    if (!shown) return;
    if (shown.procedure === null) {
      const { marks, current } = stateMarks(shown.drawing);
      viewer.mark(withHits(marks));
      if (move && following && current !== undefined) viewer.reveal(current);
      return;
    }
    const { marks, current } = marksOf(shown.procedure, shown.drawing);
    viewer.mark(withHits(marks));
    if (move && following && current !== undefined) viewer.reveal(current);
  }

  let pickerKey = "";
  function update(): void {
    if (machine !== store.machine) {
      machine = store.machine;
      unfolded.clear();
      pickerKey = "";
    }
    const { key, procedure, drawing, about: text } = wanted();
    if (key !== pickerKey) {
      const choices = [
        ...(machine?.procedures ?? []).map((each, k): [string, string] => [String(k), each.name]),
        ...drawings.map((each, k): [string, string] => [`d${k}`, each.name]),
      ];
      fill(
        picker,
        choices.length > 1 &&
          select("of", choices, key, (value) => store.choose({ drawing: value })),
      );
      pickerKey = key;
    }
    const made = procedure === null ? undefined : machine?.procedures[procedure];
    foldLabel.hidden = !made?.folded || !made.drawing;
    const folded = made !== undefined && drawing === made.folded;
    fold.checked = folded;
    about.textContent = text;
    viewer.element.hidden = drawing === null;
    empty.hidden = drawing !== null;
    here.hidden = true;
    if (!drawing) {
      shown = null;
      return;
    }
    const changed = shown?.drawing !== drawing;
    shown = { procedure, drawing, folded };
    if (changed) {
      viewer.show(sceneOf(drawing));
      if (box.value !== "") find();
    }
    mark(true);
    const frame = store.focus.frames[store.address.frame ?? store.focus.frames.length - 1];
    if (procedure !== null && frame?.procedure === procedure && frame.node !== null) {
      here.hidden = false;
      describe(procedure, frame.node);
    }
  }

  return { element, update };
}

/** The lines of an edge; of a call only the one that leads into its box, if so asked. */
function wires(scene: Scene, edge: number, into: boolean): number[] {
  const box = scene.node(`b${edge}`);
  const all = [...scene.edges(`e${edge}`)];
  if (!into || box === undefined) return all;
  return all.filter((index) => scene.drawing.edges[index]?.to === box);
}
