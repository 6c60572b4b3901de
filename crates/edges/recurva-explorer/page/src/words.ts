/** Stepping through the words of a system of any size. */

/** What is needed of `Words`. */
export interface Row {
  words: string[][];
  actions: string[];
  turn: number | null;
}

/** The step behind a step: round the turn at the end; null at the end of a finite run. */
export function nextWord(row: Row, step: number): { step: number; around: boolean } | null {
  if (step + 1 < row.words.length) return { step: step + 1, around: false };
  if (row.turn === null) return null;
  return { step: firstOfTurn(row), around: true };
}

/** The step before a step; `turn` is the turn that it is in. Null at the start. */
export function lastWord(
  row: Row,
  step: number,
  turn: number,
): { step: number; around: boolean } | null {
  if (turn > 1 && row.turn !== null && step === firstOfTurn(row))
    return { step: row.words.length - 1, around: true };
  return step > 0 ? { step: step - 1, around: false } : null;
}

/** Where a turn goes on behind its last word: its first, or the one behind if the last one is the first again. */
export function firstOfTurn(row: Row): number {
  const turn = row.turn ?? 0;
  const last = row.words.length - 1;
  const closed =
    turn < last &&
    row.actions.length < row.words.length &&
    row.words[last]?.join("\0") === row.words[turn]?.join("\0");
  return closed ? turn + 1 : turn;
}

/** The cells in which two words differ. */
export function differing(
  before: readonly string[] | undefined,
  now: readonly string[],
): boolean[] {
  return now.map((cell, k) => before !== undefined && before[k] !== cell);
}
