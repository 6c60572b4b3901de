// What needs no editor: which lens and which file is meant.

import * as path from "node:path";

/** The languages that the server knows. */
export const languages = [
  "recurva-bp",
  "recurva-remopla",
  "recurva-rmc",
  "recurva-pal",
  "recurva-formulas",
  "recurva-monitor",
  "recurva-machine",
];

const models = [".bp", ".rem", ".rmc", ".rsm", ".pds", ".nsm"];

/** The file itself if it is a model. */
export function modelOf(file: string): string | undefined {
  return models.includes(path.extname(file)) ? file : undefined;
}

interface Placed {
  range: { start: { line: number } };
}

/** The last of those that begin in a line or above it; the first one if all are below. */
export function nearest<T extends Placed>(list: readonly T[], line: number): T | undefined {
  const sorted = [...list].sort((a, b) => a.range.start.line - b.range.start.line);
  return sorted.filter((it) => it.range.start.line <= line).at(-1) ?? sorted[0];
}
