// Moving between the rows of a table by keyboard: the focus is on the link of a row, so Enter opens it.
import { useRef } from 'preact/hooks';

/** Returns a ref for the table, and functions that move the focus or return the number of the focused row. */
export function useRows() {
  const table = useRef<HTMLTableElement>(null);
  const links = () => [...(table.current?.querySelectorAll<HTMLElement>('tbody [data-row]') ?? [])];
  const at = () => links().findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const move = (by: number) => {
    const all = links();
    const next = all[Math.max(0, Math.min(all.length - 1, at() < 0 ? 0 : at() + by))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  return { table, down: () => move(1), up: () => move(-1), current: () => links()[at()]?.dataset.row };
}
