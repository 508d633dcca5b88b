import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { mainField } from './draft';
import { matrixLayout, nextOpenRow } from './matrix_layout';
import { useMedia } from './use_media';
import type { WidgetProps } from './widget';
import { fill } from './words';

const phone = '(max-width: 39.99rem)';
const pageEdges = 9; // rem beside a grid: of the page and of the sheet
const advanceDelay = 180; // ms, in which the choice is seen before the next row comes

/**
 * One group of radio buttons for each row. Where there is room it is a grid under shared headings, and on phones one row at a time, which
 * goes on by itself; after the last one an overview shows all. Elsewhere it is a list of groups.
 */
export function Matrix({ question, draft, change, words, lang, wrong }: WidgetProps) {
  const columns = question.columns ?? [];
  const rows = question.rows ?? [];
  const cells = draft.cells;
  const layout = matrixLayout(columns.map((column) => column.text), rows.map((row) => row.text));
  const roomy = useMedia(`(min-width: ${(layout?.needed ?? 999) + pageEdges}rem)`);
  const stepping = useMedia(phone) && rows.length > 1;
  const wide = layout !== null && roomy && !stepping;
  const [at, setAt] = useState(() => nextOpenRow(rows, cells, -1)); // rows.length: the overview
  const moved = useRef(false);
  const byPointer = useRef(false);
  const timer = useRef(0);

  const goTo = (row: number) => {
    clearTimeout(timer.current);
    moved.current = true;
    setAt(row);
  };
  useLayoutEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    const heading = document.getElementById(at < rows.length ? `row-${at}` : 'rows');
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: 'nearest' });
  }, [at, rows.length]);
  useEffect(() => () => clearTimeout(timer.current), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it leads to the first row without an answer when that is refused, and at no other time
  useEffect(() => {
    if (wrong) setAt(nextOpenRow(rows, cells, -1));
  }, [wrong]);

  const choose = (i: number, row: string, column: string) => {
    const next = { ...cells, [row]: column };
    change({ cells: next });
    if (!stepping || !byPointer.current) return; // the arrow keys pass over the other answers
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => goTo(nextOpenRow(rows, next, i)), advanceDelay);
  };
  const overview = stepping && at >= rows.length;
  return (
    <div
      class={['grid', wide && 'wide', stepping && !overview && 'stepping'].filter(Boolean).join(' ')}
      lang={lang.content}
      style={wide ? `--columns: ${columns.length}; --row: ${layout.row}fr; --column: ${layout.column}fr; --needed: ${layout.needed}rem` : undefined}
    >
      {wide && (
        <div class="heads" aria-hidden="true">
          <span />
          {columns.map((column) => <span key={column.id} dir="auto">{column.text}</span>)}
        </div>
      )}
      {rows.map((row, i) => {
        const open = wrong && !cells?.[row.id];
        return (
          <div
            class={open ? 'row open' : 'row'}
            role="radiogroup"
            aria-labelledby={`row-${i}`}
            aria-invalid={open || undefined}
            hidden={stepping && i !== at}
            onPointerDown={() => { byPointer.current = true; }}
            onKeyDown={() => { byPointer.current = false; }}
            key={row.id}
          >
            {stepping && <p class="note" lang={lang.page}>{fill(words, 'rowOf', { n: i + 1, total: rows.length })}</p>}
            <p id={`row-${i}`} dir="auto" tabIndex={-1}>
              {row.text}
              {open && <span class="unseen" lang={lang.page}> {fill(words, 'errOne')}</span>}
            </p>
            {columns.map((column, j) => (
              <label key={column.id}>
                <input
                  id={i === 0 && j === 0 ? mainField : `row-${i}-${j}`}
                  type="radio"
                  name={`cell.${row.id}`}
                  checked={cells?.[row.id] === column.id}
                  onChange={() => choose(i, row.id, column.id)}
                />
                <span dir="auto">{column.text}</span>
              </label>
            ))}
          </div>
        );
      })}
      {stepping && !overview && (
        <div class="paging" lang={lang.page}>
          <button type="button" class="link" hidden={at === 0} onClick={() => goTo(at - 1)}>{words.rowBack}</button>
          <button type="button" class="link" onClick={() => goTo(at + 1)}>{at + 1 < rows.length ? words.rowNext : words.rowsCheck}</button>
        </div>
      )}
      {overview && (
        <div class="overview">
          <h2 id="rows" tabIndex={-1} lang={lang.page}>{words.rowsCheck}</h2>
          <ul>
            {rows.map((row, i) => (
              <li key={row.id}>
                <button type="button" onClick={() => goTo(i)}>
                  <span dir="auto">{row.text}</span>
                  <strong dir="auto">{columns.find((column) => column.id === cells?.[row.id])?.text ?? '–'}</strong>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
