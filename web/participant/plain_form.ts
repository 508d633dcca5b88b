// Carries over what was done in the server's plain page before the app loaded: on a slow network the app comes late, and the form works meanwhile.
import type { Draft } from '../shared/draft';
import { mainField } from '../shared/draft';

/** Reads the values of the step's form. Empty fields are left out. */
export function readForm(form: HTMLFormElement | null): Draft {
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

/** Saves focus and selection of the text area that the participant is typing in. The returned function restores them in the app's field. */
export function saveFocus(): () => void {
  const active = document.activeElement;
  if (!(active instanceof HTMLTextAreaElement)) return () => undefined;
  const { selectionStart, selectionEnd } = active;
  return () => {
    const field = document.getElementById(mainField);
    if (!(field instanceof HTMLTextAreaElement)) return;
    field.focus({ preventScroll: true });
    field.setSelectionRange(selectionStart, selectionEnd);
  };
}
