/** Every position has an address: the part of the page's URL behind `#`. */
import type { Position } from "./document.js";

/** What is looked at. */
export type Where =
  | { mode: "none" }
  | { mode: "run"; position: Position; turn: number }
  /** The positions that the walk has passed, the current one last. */
  | { mode: "strategy"; path: number[] }
  | { mode: "words"; step: number; turn: number }
  | { mode: "free"; picks: string };

/** A position and how it is looked at. */
export interface Address {
  question: number;
  where: Where;
  /** The frame whose locals are shown, counted from the outermost; null: the running one. */
  frame: number | null;
  /** The panel that is shown where there is room for one only. */
  view: string | null;
  /** The drawing that is shown: a procedure's index, or `d` and the index of a drawing of the whole. */
  drawing: string | null;
}

/** The address of the start of a question. */
export function startOf(question: number): Address {
  return { question, where: { mode: "none" }, frame: null, view: null, drawing: null };
}

/** `#/0/run/12.3.0?turn=3&view=machine`. */
export function formatAddress(address: Address): string {
  const { where } = address;
  const parts = [String(address.question)];
  const options: string[] = [];
  if (where.mode === "run") {
    parts.push("run", where.position.join("."));
    if (where.turn > 2) options.push(`turn=${where.turn}`);
  } else if (where.mode === "strategy") parts.push("strategy", where.path.join("."));
  else if (where.mode === "words") {
    parts.push("words", String(where.step));
    if (where.turn > 1) options.push(`turn=${where.turn}`);
  } else if (where.mode === "free") parts.push("free", where.picks);
  if (address.frame !== null) options.push(`frame=${address.frame}`);
  if (address.view !== null) options.push(`view=${encodeURIComponent(address.view)}`);
  if (address.drawing !== null) options.push(`drawing=${encodeURIComponent(address.drawing)}`);
  return `#/${parts.join("/")}${options.length > 0 ? `?${options.join("&")}` : ""}`;
}

/** Reads an address; null if it is none. */
export function parseAddress(hash: string): Address | null {
  let text: string;
  try {
    text = decodeURIComponent(hash.replace(/^#/, ""));
  } catch {
    return null;
  }
  const [path = "", query = ""] = split(text, "?");
  const found = /^\/(\d+)(?:\/(run|strategy|words|free)\/(.+))?\/?$/.exec(path);
  if (!found) return null;
  const options = new URLSearchParams(query);
  const address = startOf(Number(found[1]));
  const [turn, frame] = [natural(options.get("turn")), natural(options.get("frame"))];
  if (turn === undefined || frame === undefined) return null;
  address.frame = frame;
  address.view = options.get("view");
  address.drawing = options.get("drawing");
  const rest = found[3] ?? "";
  if (found[2] === "run" || found[2] === "strategy") {
    const numbers = rest.split(".").map(natural);
    if (!numbers.every((number): number is number => typeof number === "number")) return null;
    address.where =
      found[2] === "run"
        ? { mode: "run", position: numbers, turn: turn ?? 0 }
        : { mode: "strategy", path: numbers };
  } else if (found[2] === "words") {
    const step = natural(rest);
    if (typeof step !== "number") return null;
    address.where = { mode: "words", step, turn: turn ?? 0 };
  } else if (found[2] === "free") address.where = { mode: "free", picks: rest };
  return address;
}

/** A number; null if nothing is given; undefined if it is none. */
function natural(text: string | null): number | null | undefined {
  if (text === null) return null;
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function split(text: string, by: string): string[] {
  const at = text.indexOf(by);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
