/** How a matrix is laid out as a grid, in rem: the width of the rows' own column, of every other column, and of the whole. */
export interface MatrixLayout {
  row: number;
  column: number;
  needed: number;
}

const letter = 0.52; // rem of an average letter in the size of the headings
const cell = 3; // rem that a button needs
const lines = 3; // of a heading
const widest = 72; // rem; beyond it rows are lists on every screen

/** Letters of scripts that are written without spaces, which may be broken anywhere and are twice as wide. */
const dense = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uff60]/g;

const lengthOf = (text: string): number => [...text].length + (text.match(dense)?.length ?? 0);

/** Returns the letters of a text's longest part that must not be broken. */
const longestWord = (text: string): number => Math.max(...text.replace(dense, ' 中中 ').split(/[\s/-]+/).map(lengthOf), 1);

/** Returns the letters of a line in which a text has no more than the given number of lines, without a broken word. */
const lineOf = (text: string, max: number): number => Math.max(longestWord(text), Math.ceil((lengthOf(text) / max) * 1.15));

/** Returns the layout in which no word of a matrix is broken; null where that is wider than any screen. */
export function matrixLayout(columns: string[], rows: string[]): MatrixLayout | null {
  const column = Math.max(cell, Math.max(...columns.map((text) => lineOf(text, lines))) * letter + 0.7);
  const row = Math.min(Math.max(9, ...rows.map((text) => lineOf(text, lines) * letter * 1.15)), 20);
  const unbroken = Math.max(...rows.map(longestWord)) * letter * 1.15 <= 20;
  const needed = row + columns.length * (column + 0.25);
  return unbroken && needed <= widest ? { row: round(row), column: round(column), needed: round(needed) } : null;
}

const round = (rem: number): number => Math.round(rem * 100) / 100;

/** Returns the index of the next row without an answer after a row, from the start again at the end; the number of rows when there is none. */
export function nextOpenRow(rows: { id: string }[], cells: Record<string, string> | undefined, after: number): number {
  for (let step = 1; step <= rows.length; step++) {
    const i = (after + step) % rows.length;
    if (!cells?.[rows[i]?.id ?? '']) return i;
  }
  return rows.length;
}
