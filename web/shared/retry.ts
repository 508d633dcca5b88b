/** Returns the delay before attempt n is repeated, in ms: doubling up to half a minute, with jitter so that clients do not return at once. */
export const backoffDelay = (attempt: number, retryAfter: number): number => Math.max(retryAfter, Math.min(1000 * 2 ** attempt, 30_000) * (0.75 + Math.random() / 2));

/** Waits for the given time, or until the network is back or the signal aborts, whichever comes first. */
export function waitForRetry(ms: number, signal: AbortSignal): Promise<void> {
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
