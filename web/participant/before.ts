// What was done on the server's page before the app came: it comes slowly over a slow network, and the form works meanwhile.
import type { Draft } from '../shared/draft';
import { mainField } from '../shared/draft';

/** Reads the form of the step, as far as something is in it. */
export function given(form: HTMLFormElement | null): Draft {
  if (!form) return {};
  const data = new FormData(form);
  const text = (name: string): string | undefined => (data.get(name) as string | null) || undefined;
  const custom = form.querySelector<HTMLInputElement>('#custom')?.value;
  const selected = data.getAll('selected') as string[];
  const cells = [...data].flatMap(([name, id]) => (name.startsWith('cell.') ? [[name.slice('cell.'.length), id as string] as const] : []));
  return {
    ...part('text', text('text')),
    ...part('selected', selected.filter((id) => id !== custom)),
    ...(custom && selected.includes(custom) ? { customOn: true } : {}),
    ...part('custom', text('customText')),
    ...(cells.length > 0 ? { cells: Object.fromEntries(cells) } : {}),
    ...part('best', text('best')),
    ...part('worst', text('worst')),
  };
}

const part = <V extends string | string[]>(name: keyof Draft, value: V | undefined): Draft => (value?.length ? { [name]: value } : {});

/** Remembers where somebody writes; the function that comes back puts them there again, in the app's field. */
export function writing(): () => void {
  const at = document.activeElement;
  if (!(at instanceof HTMLTextAreaElement)) return () => undefined;
  const { selectionStart, selectionEnd } = at;
  return () => {
    const field = document.getElementById(mainField);
    if (!(field instanceof HTMLTextAreaElement)) return;
    field.focus({ preventScroll: true });
    field.setSelectionRange(selectionStart, selectionEnd);
  };
}
