/** The one current position: all views show it, all move it. */
import { formatAddress, parseAddress, startOf, type Address, type Where } from "./address.js";
import type { Document, FreeState, Machine, Place, Question } from "./document.js";
import { emptyFocus, freeFocus, runFocus, strategyFocus, type Focus } from "./focus.js";
import { Walk } from "./run.js";
import type { Spot } from "./spot.js";
import type { Watched } from "./search.js";
import type { Service } from "./service.js";
import { nextWord } from "./words.js";

/** A part of the page that shows the current position. */
export interface View {
  element: HTMLElement;
  update(): void;
}

/** Why a state of free exploration is not there. */
export interface FreeProblem {
  message: string;
  /** Would the command go on from here? */
  command: boolean;
}

/** The current position and what goes with it. */
export class Store {
  address: Address = startOf(0);
  focus: Focus;
  /** Something that the user must know about: a wrong address, an end. */
  notice = "";
  /** A place that is shown in the source instead of the current one. */
  peeked: Place | null = null;
  watched: Watched | null = null;
  showHidden = false;
  /** The state of free exploration; null while it is fetched. */
  free: FreeState | null = null;
  freeProblem: FreeProblem | null = null;
  private readonly walks = new Map<number, Walk>();
  private readonly known = new Map<string, FreeState>();
  private readonly views: View[] = [];

  constructor(
    readonly document: Document,
    readonly service: Service,
  ) {
    this.focus = emptyFocus(this.machine);
  }

  /** The current question; null if there are none. */
  get question(): Question | null {
    return this.document.questions[this.address.question] ?? null;
  }

  /** The program that is looked at; null if there is none. */
  get machine(): Machine | null {
    const free = this.address.where.mode === "free" ? this.free?.machine : undefined;
    return this.document.machines[free ?? this.question?.machine ?? 0] ?? null;
  }

  /** The run that is walked through, if it is one. */
  get walk(): Walk | null {
    return this.walkOf(this.address.question);
  }

  /** The position in the run, if it is one. */
  get spot(): Spot | null {
    const { where } = this.address;
    return where.mode === "run" ? where : null;
  }

  private walkOf(question: number): Walk | null {
    const { machines, questions } = this.document;
    const asked = questions[question];
    const evidence = asked?.evidence;
    const machine = machines[asked?.machine ?? 0];
    if (!machine || evidence?.kind !== "run") return null;
    let walk = this.walks.get(question);
    if (!walk) this.walks.set(question, (walk = new Walk(machine, evidence)));
    return walk;
  }

  /** Takes a view in. */
  add(...views: View[]): void {
    this.views.push(...views);
  }

  /** Shows all views again. */
  refresh(): void {
    for (const view of this.views) view.update();
  }

  /** Begins: reads the address and follows its changes. */
  begin(): void {
    window.addEventListener("popstate", () => this.read());
    window.addEventListener("hashchange", () => {
      if (window.location.hash !== formatAddress(this.address)) this.read();
    });
    this.read();
  }

  private read(): void {
    const { hash } = window.location;
    const address = hash === "" || hash === "#" ? startOf(this.first()) : parseAddress(hash);
    if (address && this.check(address.question, address.where) !== null) {
      this.go(address, "replace");
      return;
    }
    const question = address && this.document.questions[address.question] ? address.question : 0;
    this.go(startOf(question), "replace", `There is no position ${hash} here: this is the start.`);
  }

  /** The question to begin with: the first one that is violated, if there is one. */
  private first(): number {
    return Math.max(
      0,
      this.document.questions.findIndex((each) => each.verdict === "violated"),
    );
  }

  /** The place as it is looked at, with `none` made the start of the evidence; null if it is not there. */
  private check(question: number, where: Where): Where | null {
    const { questions } = this.document;
    if (question > 0 && question >= questions.length) return null;
    const evidence = questions[question]?.evidence ?? null;
    if (where.mode === "none") {
      if (evidence?.kind === "run" && this.walkOf(question))
        return { mode: "run", position: [0], turn: 0 };
      if (evidence?.kind === "strategy") return { mode: "strategy", path: [0] };
      if (evidence?.kind === "words") return { mode: "words", step: 0, turn: 0 };
      return where;
    }
    if (where.mode === "run") {
      const found = this.walkOf(question)?.find(where.position, where.turn);
      return found ? { mode: "run", ...found } : null;
    }
    if (where.mode === "strategy")
      return evidence?.kind === "strategy" && where.path.every((at) => at in evidence.positions)
        ? where
        : null;
    if (where.mode === "words")
      return evidence?.kind === "words" && where.step < evidence.words.length
        ? { ...where, turn: wordTurn(evidence, where) }
        : null;
    return this.document.machines.length > 0 ? where : null;
  }

  /** Moves to an address. Steps replace it, jumps push a new one. */
  go(address: Address, how: "push" | "replace", notice = ""): void {
    const where = this.check(address.question, address.where);
    if (!where) return;
    this.address = { ...address, where };
    this.notice = notice;
    const text = formatAddress(this.address);
    if (window.location.hash !== text) {
      if (how === "push") window.history.pushState(null, "", text);
      else window.history.replaceState(null, "", text);
    }
    this.peeked = null;
    this.look();
    this.refresh();
  }

  /** Moves to a place in the current question; what was chosen for the last place is forgotten. */
  move(where: Where, how: "push" | "replace"): void {
    this.go({ ...this.address, where, frame: null, drawing: null }, how);
  }

  /** Moves to a position in the run. */
  moveTo(spot: Spot, how: "push" | "replace"): void {
    this.move({ mode: "run", ...spot }, how);
  }

  /** Shows another panel, frame or drawing of the same place. */
  choose(part: Partial<Pick<Address, "view" | "frame" | "drawing">>): void {
    this.go({ ...this.address, ...part }, "replace");
  }

  /** Says something to the user. */
  tell(notice: string): void {
    this.notice = notice;
    this.refresh();
  }

  /** Shows a place in the source without going there. */
  peek(place: Place | null, notice: string): void {
    this.peeked = place;
    this.tell(notice);
  }

  /** Where a finite run ends; null if there is no such run. */
  get failing(): { procedure: number; node: number | null } | null {
    const { walk } = this;
    if (!walk || walk.run.turn) return null;
    const frame = walk.at(walk.end()).frames.at(-1);
    return frame ? { procedure: frame.procedure, node: frame.node } : null;
  }

  private look(): void {
    const { where } = this.address;
    const { document, walk } = this;
    this.free = null;
    this.freeProblem = null;
    const evidence = this.question?.evidence;
    if (where.mode === "run" && walk) this.focus = runFocus(document, walk, where);
    else if (where.mode === "strategy" && evidence?.kind === "strategy")
      this.focus = strategyFocus(this.machine, evidence, where.path.at(-1) ?? 0);
    else if (where.mode === "free") this.lookFree(where.picks);
    else if (where.mode === "words" && evidence?.kind === "words")
      this.focus = { ...emptyFocus(this.machine), say: wordsSay(evidence, where.step) };
    else this.focus = emptyFocus(this.machine);
  }

  private lookFree(picks: string): void {
    const known = this.known.get(picks);
    if (known) {
      this.free = known;
      const before = this.known.get(picks.split("/").slice(0, -1).join("/")) ?? null;
      this.focus = freeFocus(this.document, known, before);
      return;
    }
    this.focus = emptyFocus(this.machine);
    const isCurrent = () =>
      this.address.where.mode === "free" && this.address.where.picks === picks;
    this.service.free(this.document, picks).then(
      (state) => {
        this.known.set(picks, state);
        if (!isCurrent()) return;
        this.look();
        this.refresh();
      },
      (problem: unknown) => {
        if (!isCurrent()) return;
        const message = problem instanceof Error ? problem.message : String(problem);
        this.freeProblem = { message, command: !this.service.live };
        this.refresh();
      },
    );
  }
}

function wordTurn(words: { turn: number | null }, where: { step: number; turn: number }): number {
  return words.turn !== null && where.step >= words.turn ? Math.max(1, where.turn) : 0;
}

function wordsSay(
  words: { words: string[][]; actions: string[]; turn: number | null },
  step: number,
): string {
  const action = step > 0 ? words.actions[step - 1] : "";
  const next = nextWord(words, step);
  const end = next === null ? ", the end" : "";
  return `step ${step}${action ? `, ${action}` : ""}: ${(words.words[step] ?? []).join(" ")}${end}`;
}
