// The name of this tab, which a reload keeps and which no other tab has, as far as the browser has locks.

const storedAs = 'verbatim.tab';
/** How long to wait for the locks of a page that ends, in milliseconds. After a reload they are this tab's own, and come free on any machine. */
const lockTimeout = () => (performance.getEntriesByType('navigation').some((entry) => (entry as PerformanceNavigationTiming).type === 'reload') ? 10_000 : 500);

const held = new Set<string>();
const openings = new Map<string, number>();

const random = () => [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(36)).join('');

// hold keeps a lock for as long as the page lives, and reports whether it got it.
function hold(name: string): Promise<boolean> {
  if (!navigator.locks || held.has(name)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const forever = () => {
      held.add(name);
      resolve(true);
      return new Promise<void>(() => {});
    };
    navigator.locks.request(name, { signal: AbortSignal.timeout(lockTimeout()) }, forever).catch(() => resolve(false));
  });
}

/** Returns the name of the tab. lockOf returns the lock that shows others that it lives. A copied tab has the name of the first one, and gets another. */
export async function tabName(lockOf: (tab: string) => string): Promise<string> {
  let tab = sessionStorage.getItem(storedAs) ?? random();
  if (!(await hold(lockOf(tab)))) {
    tab = random();
    await hold(lockOf(tab));
  }
  sessionStorage.setItem(storedAs, tab);
  return tab;
}

/** Returns the locks that tabs hold, or null where the browser has none. */
export const locksHeld = async (): Promise<Set<string | undefined> | null> => (navigator.locks ? new Set(((await navigator.locks.query()).held ?? []).map(({ name }) => name)) : null);

/** Returns a function that reports whether nothing was opened under a key in this page since. */
export function opened(key: string): () => boolean {
  const mine = (openings.get(key) ?? 0) + 1;
  openings.set(key, mine);
  return () => openings.get(key) === mine;
}
