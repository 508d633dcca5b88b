/** How long to wait before attempt n is repeated, in ms: doubling to half a minute, spread so that not all come at once. */
export const backOff = (attempt: number, after: number): number => Math.max(after, Math.min(1000 * 2 ** attempt, 30_000) * (0.75 + Math.random() / 2));

/** Waits, and no longer than until the network is back or the signal comes. */
export function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const done = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done, { signal: over.signal });
    signal.addEventListener('abort', done, { signal: over.signal });
  });
}
