// The keys of the page that is shown.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Focused, type Shortcut, shortcutOf } from '../shortcut';
import { letters } from './preferences';

/** The shortcuts of the parts of the page, the last drawn first. */
export const shortcuts = signal<readonly (readonly Shortcut[])[]>([]);

function focused(): Focused {
  const at = document.activeElement;
  if (at instanceof HTMLInputElement && ['checkbox', 'radio', 'range'].includes(at.type)) return 'control';
  if (at?.matches('input, select, textarea, [contenteditable]')) return 'field';
  return at?.matches('button, a, summary, video, audio') ? 'control' : 'page';
}

/** Calls the shortcuts. */
export function listen(): void {
  addEventListener('keydown', (event) => {
    if (document.querySelector('dialog[open]')) return;
    const found = shortcutOf(event, shortcuts.value.flat(), focused(), letters.value);
    if (!found) return;
    event.preventDefault();
    found.run();
  });
}

/** Makes keys work, and lists them under `?`, while the component is shown. */
export function useShortcuts(list: readonly Shortcut[]): void {
  const latest = useRef(list);
  latest.current = list;
  const shape = list.map(({ key, label }) => `${key} ${label}`).join('\n');
  useEffect(() => {
    const own = latest.current.map(({ key, label }) => ({ key, label, run: () => latest.current.find((s) => s.key === key)?.run() }));
    shortcuts.value = [own, ...shortcuts.peek()];
    return () => { shortcuts.value = shortcuts.peek().filter((other) => other !== own); };
  }, [shape]);
}
