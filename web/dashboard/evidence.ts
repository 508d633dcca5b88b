// Evidence: the participant's words that a statement of the summary rests on.
import type { components } from '../shared/dashboard_api';

type Statement = components['schemas']['Statement'];

export interface Mark {
  /** Its number on the page, from 1. */
  n: number;
  row: number;
  from: number;
  to: number;
}

export interface Numbered {
  statement: Statement;
  marks: Mark[];
}

/** The parts of the summary as the page shows them: the shortest first. */
export const parts = ['tagline', 'bullets', 'summary'] as const;

/** Numbers the marks of all statements, in the order of the page. The same words have one number wherever they are cited. */
export function numberMarks(statements: readonly Statement[]): Numbered[] {
  const numbers = new Map<string, number>();
  const shown = parts.flatMap((part) => statements.filter((statement) => statement.part === part));
  return shown.map((statement) => ({
    statement,
    marks: statement.marks.map((mark) => {
      const words = `${mark.row}:${mark.from}:${mark.to}`;
      const n = numbers.get(words) ?? numbers.size + 1;
      numbers.set(words, n);
      return { n, ...mark };
    }),
  }));
}

/** Returns every mark once, by number. */
export const allMarks = (numbered: readonly Numbered[]): Mark[] =>
  [...new Map(numbered.flatMap(({ marks }) => marks).map((mark) => [mark.n, mark])).values()].sort((a, b) => a.n - b.n);
