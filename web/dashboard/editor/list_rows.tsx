import type { ComponentChildren, TargetedEvent } from 'preact';
import { Icon } from '../parts/icon';
import { moveIn } from './outline';
import { pastedList } from './paste';
import { te } from './words';

interface Props<T> {
  label: string;
  /** The name of the list in the guide: options or rows. */
  field: string;
  entries: readonly T[];
  textOf: (entry: T) => string;
  /** Returns an entry with a text: the one given, or a new one. */
  withText: (text: string, entry?: T) => T;
  /** Called with the new list, and with what joins edits of one text. */
  onChange: (entries: T[], run: string) => void;
  /** Moves the focus to the text of an entry. */
  onFocus: (index: number) => void;
  least: number;
  max: number;
  /** What stands beside a text. */
  beside?: (entry: T, index: number) => ComponentChildren;
  addLabel: string;
}

/**
 * Lines of text in an order: options, columns and rows. Enter adds a line, Backspace in an empty one removes it, Alt with an arrow moves it,
 * and a pasted list makes several.
 */
export function ListRows<T>({ label, field, entries, textOf, withText, onChange, onFocus, least, max, beside, addLabel }: Props<T>) {
  const change = (next: T[], focus: number, run = '') => {
    onChange(next, run);
    onFocus(focus);
  };
  const addAfter = (index: number) => { if (entries.length < max) change([...entries.slice(0, index + 1), withText(''), ...entries.slice(index + 1)], index + 1); };
  const removeAt = (index: number) => change(entries.filter((_, i) => i !== index), Math.max(0, index - 1));
  const moveBy = (index: number, by: number) => { if (index + by >= 0 && index + by < entries.length) change(moveIn(entries, index, by), index + by); };
  const paste = (event: TargetedEvent<HTMLInputElement, ClipboardEvent>, index: number) => {
    const lines = pastedList(event.clipboardData?.getData('text/plain') ?? '');
    if (lines.length < 2) return;
    event.preventDefault();
    const entry = entries[index] as T;
    const [first = '', ...more] = textOf(entry) === '' ? lines : [textOf(entry), ...lines];
    // what is empty below takes the lines first
    let after = index + 1;
    while (after < entries.length && textOf(entries[after] as T) === '' && after - index <= more.length) after++;
    const filled = more.map((line, i) => withText(line, entries[index + 1 + i] !== undefined && index + 1 + i < after ? entries[index + 1 + i] : undefined));
    change([...entries.slice(0, index), withText(first, entry), ...filled, ...entries.slice(after)].slice(0, max), index + more.length);
  };
  const key = (event: TargetedEvent<HTMLInputElement, KeyboardEvent>, index: number) => {
    if (event.isComposing) return;
    if (event.key === 'Enter') addAfter(index);
    else if (event.key === 'Backspace' && event.currentTarget.value === '' && entries.length > least) removeAt(index);
    else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) moveBy(index, event.key === 'ArrowUp' ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <fieldset class="rows" data-field={field}>
      <legend>{label}</legend>
      <ol>
        {entries.map((entry, index) => {
          const name = textOf(entry) || String(index + 1);
          return (
            <li key={index}>
              <input type="text" dir="auto" data-field={`${field}[${index}].text`} value={textOf(entry)} maxLength={2000} aria-label={te('rowOf', { list: label, n: index + 1 })} autocomplete="off"
                onInput={(event) => onChange(entries.map((other, i) => (i === index ? withText(event.currentTarget.value, other) : other)), String(index))}
                onKeyDown={(event) => key(event, index)} onPaste={(event) => paste(event, index)} />
              {beside?.(entry, index)}
              <span class="row-tools">
                <button type="button" class="quiet square" disabled={index === 0} aria-label={te('moveUpOf', { name })} onClick={() => moveBy(index, -1)}><Icon name="up" /></button>
                <button type="button" class="quiet square" disabled={index === entries.length - 1} aria-label={te('moveDownOf', { name })} onClick={() => moveBy(index, 1)}><Icon name="down" /></button>
                <button type="button" class="quiet square" disabled={entries.length <= least} aria-label={te('removeOf', { name })} onClick={() => removeAt(index)}><Icon name="cross" /></button>
              </span>
            </li>
          );
        })}
      </ol>
      <button type="button" class="quiet add-row" disabled={entries.length >= max} onClick={() => addAfter(entries.length - 1)}><Icon name="plus" />{addLabel}</button>
      <span class="soft small">{te('pasteHint')}</span>
    </fieldset>
  );
}
