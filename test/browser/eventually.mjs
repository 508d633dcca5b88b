// Waits for what happens outside of a browser.
import { setTimeout } from 'node:timers/promises';

// eventually asks until it is given something, and gives that. The test's own limit of time ends it.
export async function eventually(ask) {
  for (;;) {
    const found = await ask();
    if (found) return found;
    await setTimeout(100);
  }
}
