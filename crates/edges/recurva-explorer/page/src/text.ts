/** Steps and values in words. */
import type { Change, Document, Machine, Place, Slot, Step } from "./document.js";

/** A step as a row of the trace. */
export interface Described {
  place: Place | null;
  /** The statement. */
  text: string;
  /** What it changes, where it goes. */
  effect: string;
}

/** `x=F, y=3`; what a translation has made up is left out. */
export function changesText(
  slots: readonly Slot[],
  changes: readonly Change[] | undefined,
): string {
  return (changes ?? [])
    .filter(([slot]) => slots[slot]?.hidden !== true)
    .map(([slot, value]) => `${slots[slot]?.name ?? `#${slot}`}=${value}`)
    .join(", ");
}

/** What a step of a procedure does. */
export function describeStep(machine: Machine, procedure: number, step: Step): Described {
  const made = machine.procedures[procedure];
  if (step.gap) {
    const into = step.gap.frames.at(-1);
    const name = into ? machine.procedures[into.procedure]?.name : undefined;
    const frames = step.gap.hidden + step.gap.frames.length;
    const text = `… ${count(step.gap.steps, "step")} that are not stored`;
    return {
      place: null,
      text,
      effect: name ? `→ ${count(frames, "call")} deeper, in ${name}` : "",
    };
  }
  const edge = made?.edges[step.edge];
  const effects = [changesText(machine.globals, step.globals)];
  if (!step.enter) effects.push(changesText(made?.locals ?? [], step.locals));
  const changed = effects.filter((text) => text !== "").join(", ");
  const parts: string[] = [];
  if (step.branch !== undefined) parts.push(step.branch ? "(true)" : "(false)");
  if (step.call) {
    const results = step.call.results === "" ? "" : ` = ${step.call.results}`;
    parts.push(`→ ${step.call.invocation}${results}`);
  }
  if (step.enter) parts.push(`→ ${step.enter.invocation}`);
  if (changed !== "") parts.push(changed);
  if (step.monitor !== undefined) parts.push(`monitor: ${step.monitor}`);
  if (step.call) parts.push(`… ${count(step.call.length, "step")}`);
  return { place: edge?.place ?? null, text: edge?.text || "·", effect: parts.join("  ") };
}

/** `1 step`, `1,024 steps`. */
export function count(number: string | number | bigint, noun: string): string {
  const text = String(number);
  return `${grouped(text)} ${noun}${text === "1" ? "" : "s"}`;
}

/** `1,099,511,627,776`; a text may be grouped already. */
export function grouped(number: string | number | bigint): string {
  return String(number)
    .replaceAll(",", "")
    .replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** `1.4 MiB`. */
export function bytes(number: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let [value, unit] = [number, 0];
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** `23`, or `pal:23` in a text that is not the model's. */
export function lineText(document: Document, place: Place | null): string {
  if (!place) return "";
  const kind = place[0] > 0 ? document.sources[place[0]]?.name.split(".").at(-1) : undefined;
  return kind ? `${kind}:${place[1]}` : String(place[1]);
}

/** `line 23`, or `driver.mon, line 23` in a text that is not the model's. */
export function placeText(document: Document, place: Place | null): string {
  if (!place) return "";
  const source = place[0] > 0 ? `${document.sources[place[0]]?.name ?? "?"}, ` : "";
  return `${source}line ${place[1]}`;
}
