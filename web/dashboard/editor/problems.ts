// From the place of a problem in the JSON to the card and field that it is about.
import type { Schemas } from '../api';

export type Problem = Schemas['Problem'];

const lists = ['studyGuide', 'items', 'concepts'];

/** Returns the part of a JSON pointer that is below its card, in the form of fields: options[2].text. */
export function fieldOf(pointer: string): string {
  const steps = pointer.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const cards = steps.map((step, i) => (lists.includes(step) && /^\d+$/.test(steps[i + 1] ?? '') ? i + 2 : 0));
  return steps.slice(Math.max(0, ...cards)).reduce((field, step) => (/^\d+$/.test(step) ? `${field}[${step}]` : field ? `${field}.${step}` : step), '');
}

/** Returns the id of the card that a problem is about; "" for the settings of the study. */
export const cardOf = ({ conceptId, itemId, blockId }: Problem): string => conceptId ?? itemId ?? blockId ?? '';

/** Returns the problems of each card, by its id. */
export function byCard(problems: readonly Problem[]): Map<string, Problem[]> {
  const cards = new Map<string, Problem[]>();
  for (const problem of problems) cards.set(cardOf(problem), [...(cards.get(cardOf(problem)) ?? []), problem]);
  return cards;
}

/** Returns the problem after (1) or before (-1) one, round and round. */
export function nextProblem(problems: readonly Problem[], current: Problem | null, by: 1 | -1): Problem | null {
  const at = current ? problems.findIndex((problem) => problem.pointer === current.pointer && problem.message === current.message) : -1;
  return problems.at(at < 0 ? (by > 0 ? 0 : -1) : (at + by) % problems.length) ?? null;
}
