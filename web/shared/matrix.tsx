import { mainField } from './draft';
import type { WidgetProps } from './widget';
import { fill } from './words';

/** Reports whether headings fit above their columns, in three lines and without breaking a word. The page is about 85 letters wide. */
function fits(headings: string[]): boolean {
  const room = Math.floor(85 / (headings.length + 1.6)); // the rows' own column is wider
  return headings.length <= 7 && headings.every((text) => text.length <= 3 * room && text.split(/\s+/).every((word) => word.length <= room));
}

/** One group of radio buttons for each row: a grid under shared headings where they fit, and lists where they do not. */
export function Matrix({ question, draft, change, words, lang, wrong }: WidgetProps) {
  const columns = question.columns ?? [];
  const wide = fits(columns.map((column) => column.text));
  return (
    <div class={wide ? 'grid wide' : 'grid'} lang={lang.content} style={`--columns: ${columns.length}`}>
      {wide && (
        <div class="heads" aria-hidden="true">
          <span />
          {columns.map((column) => <span key={column.id} dir="auto">{column.text}</span>)}
        </div>
      )}
      {question.rows?.map((row, i) => {
        const open = wrong && !draft.cells?.[row.id];
        return (
          <div class={open ? 'row open' : 'row'} role="radiogroup" aria-labelledby={`row-${i}`} aria-invalid={open || undefined} key={row.id}>
            <p id={`row-${i}`} dir="auto">
              {row.text}
              {open && <span class="unseen" lang={lang.page}> {fill(words, 'errOne')}</span>}
            </p>
            {columns.map((column, j) => (
              <label key={column.id}>
                <input
                  id={i === 0 && j === 0 ? mainField : `row-${i}-${j}`}
                  type="radio"
                  name={`cell.${row.id}`}
                  checked={draft.cells?.[row.id] === column.id}
                  onChange={() => change({ cells: { ...draft.cells, [row.id]: column.id } })}
                />
                <span dir="auto">{column.text}</span>
              </label>
            ))}
          </div>
        );
      })}
    </div>
  );
}
