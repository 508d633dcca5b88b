// Waits for something outside of the browser.
import { setTimeout } from 'node:timers/promises';

// eventually calls ask until it returns something truthy, and returns that. The test's own timeout limits it.
export async function eventually(ask) {
  for (;;) {
    const found = await ask();
    if (found) return found;
    await setTimeout(100);
  }
}
