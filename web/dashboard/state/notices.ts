// Short messages about what was done, with a way to undo it.
import { signal } from '@preact/signals';

export interface Notice {
  id: number;
  text: string;
  undo?: () => Promise<void>;
}

export const notices = signal<Notice[]>([]);
let last = 0;

/** Shows a message. One that can be undone stays until it is dismissed or the next one comes. */
export function notify(text: string, undo?: () => Promise<void>): void {
  const id = ++last;
  notices.value = [{ id, text, ...(undo && { undo }) }];
  if (!undo) setTimeout(() => dismiss(id), 6_000);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
