export interface Shortcut {
  /** KeyboardEvent.key, lower case. */
  key: string;
  label: string;
  run: () => void;
}

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  defaultPrevented: boolean;
}

/** What has the focus: a field takes every key, a control takes those that operate it. */
export type Focused = 'field' | 'control' | 'page';

const operating = [' ', 'enter', 'arrowleft', 'arrowright', 'arrowup', 'arrowdown'];

/** Returns the shortcut that a key calls, or undefined. Letters can be switched off (WCAG 2.1.4). */
export function shortcutOf(pressed: Pressed, shortcuts: readonly Shortcut[], focused: Focused, letters: boolean): Shortcut | undefined {
  if (pressed.defaultPrevented || pressed.ctrlKey || pressed.metaKey || pressed.altKey || focused === 'field') return undefined;
  const key = pressed.key.toLowerCase();
  if (focused === 'control' && operating.includes(key)) return undefined;
  if (!letters && key.length === 1 && key !== ' ') return undefined;
  return shortcuts.find((shortcut) => shortcut.key === key);
}
