// Whether the session has ended. It stands alone because requests report it, and the pages that send them react to it.
import { signal } from '@preact/signals';

export const ended = signal(false);

export function endSession(): void {
  ended.value = true;
}
