// A report as the server sends it, and where its charts find their cells. Nothing is counted here.
import { language } from '../words';

export type Cell = string | number | null;

export interface Table {
  key: string;
  title: string;
  source: { provider: string; model?: string; version: string };
  columns: { key: string; head: string }[];
  rows: Record<string, Cell>[];
  /** The rows are too many for the report. */
  csvOnly?: boolean;
}

export interface Sentence {
  text: string;
}

export interface Section {
  key: string;
  number?: number;
  heading: string;
  kind: string;
  sentences: Sentence[];
  warnings: Sentence[];
  tables: Table[];
}

export interface Report {
  studyId: string;
  linkId: string;
  title: string;
  by: string;
  only?: string;
  madeAt: string;
  sections: Section[];
}

/** A part of a question: all of it, or what was said about one concept. */
export interface Part {
  /** What follows the keys of its tables. */
  suffix: string;
  label: string;
  asked: number;
  answered: number;
  small: boolean;
}

export const tableOf = (section: Section, key: string): Table | undefined => section.tables.find((table) => table.key === key);

export const text = (cell: Cell | undefined): string => (cell === null || cell === undefined ? '' : String(cell));

export const numeric = (cell: Cell | undefined): number | null => (typeof cell === 'number' ? cell : null);

/** Returns the digits after the point of each column: JSON leaves out zeros at the end, and the report prints them. */
export function digitsOf(table: Table): Map<string, number> {
  const digits = new Map(table.columns.map(({ key, head }) => [
    key, Math.max(/%$/.test(head) ? 1 : 0, ...table.rows.map((row) => (typeof row[key] === 'number' ? (String(row[key]).split('.')[1] ?? '').length : 0))),
  ]));
  const groups = [...digits.keys()].filter((key) => /^g\d+$/.test(key)); // the columns of groups have the same digits
  const max = Math.max(0, ...groups.map((key) => digits.get(key) ?? 0));
  for (const key of groups) digits.set(key, max);
  return digits;
}

/** Returns a number with so many digits after the point, in the language of the page. */
export const printed = (value: number, digits: number): string =>
  new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** Returns a share as the report has it: with one digit after the point. */
export const share = (cell: Cell | undefined): string => (typeof cell === 'number' ? printed(cell, 1) : '–');

/** Returns the parts of a question, all together first. */
export function partsOf(section: Section): Part[] {
  return (tableOf(section, 'base')?.rows ?? []).map((row, i) => ({
    suffix: i === 0 ? '' : `-c${i}`, label: text(row.about), asked: numeric(row.asked) ?? 0, answered: numeric(row.answered) ?? 0, small: row.base !== null,
  }));
}

export interface Group {
  key: string;
  name: string;
  people: number;
  small: boolean;
  /** Its letter in the table of letters, if there is one. */
  letter: string;
}

export interface Comparison {
  /** What is compared, where a question has several: the row of a matrix. */
  label: string;
  shares: Table;
  groups: Group[];
  /** Differences that the test of the table bears out: by label and key of the group. */
  marks: ReadonlyMap<string, { sign: '' | '▲' | '▼'; lower: string }>;
}

/** Beyond this an adjusted residual differs from what equal shares would give. */
const residualBound = 1.96;

/** Returns the comparisons of groups in a part of a question. */
export function comparisonsOf(section: Section, part: Part): Comparison[] {
  const shape = new RegExp(`^(.*-)?by${part.suffix}-shares$`);
  const found = section.tables.filter((table) => shape.test(table.key)).map((shares) => comparison(section, shares, shares.key.replace(/-shares$/, '')));
  const preference = section.kind === 'max_diff' ? tableOf(section, `by-shares${part.suffix}`) : undefined;
  return preference && !found.some(({ shares }) => shares === preference) ? [...found, comparison(section, preference, `by-bases${part.suffix}`)] : found;
}

function comparison(section: Section, shares: Table, stem: string): Comparison {
  const bases = tableOf(section, section.kind === 'max_diff' ? stem.replace(/^by(?=-c|$)/, 'by-bases') : `${stem}-bases`)?.rows ?? [];
  const letters = tableOf(section, `${stem}-letters`);
  const residuals = tableOf(section, `${stem}-residuals-furthest`) ? tableOf(section, `${stem}-residuals`) : undefined;
  const letterOf = new Map((letters?.columns ?? []).map(({ head }) => [head.replace(/ \([^()]*\)$/, ''), /\(([^()]*)\)$/.exec(head)?.[1] ?? '']));
  const groups = shares.columns.filter(({ key }) => key !== 'label').map(({ key, head }, i): Group => {
    const name = text(bases[i]?.group) || head.replace(/ %$/, '');
    return { key, name, people: numeric(bases[i]?.people) ?? 0, small: (bases[i]?.base ?? null) !== null, letter: letterOf.get(name) ?? '' };
  });
  const marks = new Map<string, { sign: '' | '▲' | '▼'; lower: string }>();
  for (const row of shares.rows) {
    for (const group of groups) {
      const label = text(row.label);
      const beside = residuals?.rows.find((other) => other.label === row.label)?.[residuals.columns.find(({ head }) => head === group.name)?.key ?? ''];
      const column = letters?.columns.find(({ head }) => head.replace(/ \([^()]*\)$/, '') === group.name)?.key ?? '';
      const lower = text(letters?.rows.find((other) => other.label === row.label)?.[column]);
      const residual = numeric(beside) ?? 0;
      const sign = residual > residualBound ? '▲' : residual < -residualBound ? '▼' : '';
      if (sign || lower) marks.set(`${label}\n${group.key}`, { sign, lower });
    }
  }
  const rows = tableOf(section, 'cells')?.rows ?? [];
  const label = [...new Set(rows.map((row) => text(row.row)))].find((name) => shares.title.startsWith(`${name} by `) || shares.title.startsWith(`${name}:`) || shares.title.startsWith(name)) ?? '';
  return { label: section.kind === 'matrix' ? label : '', shares, groups, marks };
}

/** Breaks a text into lines of about so many characters; what does not fit in so many lines ends with an ellipsis. */
export function wrap(words: string, width: number, max: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words.split(/\s+/).flatMap((each) => each.match(new RegExp(`.{1,${Math.max(1, width)}}`, 'gu')) ?? [])) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  if (line !== '') lines.push(line);
  return lines.length <= max ? lines : [...lines.slice(0, max - 1), `${lines[max - 1]?.slice(0, Math.max(1, width - 1))}…`];
}
