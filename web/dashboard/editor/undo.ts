// One's own edits, to be undone and done again. What others changed since stays.
import { apply, type Change, diff } from './changes';
import { fieldChanges, isField, joined, reversed } from './field_changes';
import type { Guide } from './guide';
import { guideOf, tableOf } from './table';

export interface Edit {
  back: Change[];
  forth: Change[];
  /** Joins the edits of one field while it is typed in; "" for others. */
  run: string;
  at: number;
}

export interface Undo {
  done: readonly Edit[];
  undone: readonly Edit[];
}

export const nothing: Undo = { done: [], undone: [] };

const kept = 100;
/** Typing in one field is one edit until it rests this long, in milliseconds. */
const rest = 1_500;

/** Returns the edits with another one, and forgets those that were undone. */
export function remember({ done }: Undo, before: Guide, after: Guide, run: string, at: number): Undo {
  const last = done.at(-1);
  const goesOn = run !== '' && last?.run === run && at - last.at < rest;
  const typed = fieldChanges(before, after);
  if (typed && (!goesOn || last.forth.every(isField))) {
    const forth = goesOn ? joined(last.forth.filter(isField), typed) : typed;
    return { done: [...(goesOn ? done.slice(0, -1) : done), { back: reversed(forth), forth, run, at }].slice(-kept), undone: [] };
  }
  const [from, to] = [tableOf(before), tableOf(after)];
  if (goesOn) {
    const start = apply(from, last.back).table;
    return { done: [...done.slice(0, -1), { back: diff(to, start), forth: diff(start, to), run, at }], undone: [] };
  }
  return { done: [...done, { back: diff(to, from), forth: diff(from, to), run, at }].slice(-kept), undone: [] };
}

interface Step {
  guide: Guide;
  undo: Undo;
  /** How many changes stayed because somebody else has changed the same since. */
  left: number;
}

function step(guide: Guide, changes: readonly Change[], undo: Undo): Step {
  const { table, conflicts } = apply(tableOf(guide), changes);
  return { guide: guideOf(table), undo, left: conflicts.length };
}

/** Returns the guide without the last edit, or null if there is none. */
export function undoLast(guide: Guide, { done, undone }: Undo): Step | null {
  const last = done.at(-1);
  return last ? step(guide, last.back, { done: done.slice(0, -1), undone: [...undone, last] }) : null;
}

/** Returns the guide with the edit that was undone last, or null if there is none. */
export function redoLast(guide: Guide, { done, undone }: Undo): Step | null {
  const last = undone.at(-1);
  return last ? step(guide, last.forth, { done: [...done, last], undone: undone.slice(0, -1) }) : null;
}
