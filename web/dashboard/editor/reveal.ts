// Moving the focus to a field of a card.
import type { Goal } from './editing';

const focusable = 'input, textarea, select, summary, button';

/** Returns a place without its last step: options[2].text, options[2], options, "". */
export const outer = (place: string): string => place.replace(/(?:\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, '');

/** Moves the focus to a field, or to the nearest one around it, and opens what hides it. */
export function reveal({ id, field }: Goal): void {
  const card = document.getElementById(id.startsWith('outline ') ? id : `card-${id}`);
  if (!card) return;
  if (id.startsWith('outline ')) {
    card.focus();
    return;
  }
  const fields = [...card.querySelectorAll<HTMLElement>('[data-field]')];
  let found: HTMLElement | undefined;
  for (let place = field; !found; place = outer(place)) {
    found = fields.find((each) => each.dataset.field === place);
    if (place === '') break;
  }
  const target = found?.matches(focusable) ? found : (found ?? card).querySelector<HTMLElement>(focusable);
  for (let details = target?.closest('details'); details; details = details.parentElement?.closest('details')) if (target !== details.querySelector('summary')) details.open = true;
  card.scrollIntoView({ block: card.offsetHeight > innerHeight / 2 ? 'start' : 'nearest' });
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: 'nearest' });
}
