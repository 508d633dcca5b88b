// What was typed and is not acknowledged by the server, in this browser's IndexedDB. Each tab has a record of its own; one that was left by
// a tab that is gone is taken over.
import type { Guide } from './guide';
import type { Dispute } from './merge';
import { locksHeld, opened, tabName } from '../state/tab';
import type { Undo } from './undo';

/** What survives a reload. */
export interface Kept {
  version: number;
  /** The guide of that version. */
  base: Guide;
  mine: Guide;
  undo: Undo;
  disputes: Dispute[];
}

interface Stored extends Kept {
  key: string;
  /** Study and person. */
  owner: string;
  tab: string;
  at: number;
}

export interface Local {
  /** Whether anything can be kept. */
  works: boolean;
  /** What tabs have left, the oldest first. */
  found: Kept[];
  keep: (kept: Kept) => void;
}

const [database, copies] = ['verbatim.editor', 'copies'];
const longest = 30 * 86_400_000;
const afterPaint = 30;

const done = <T>(request: IDBRequest<T>): Promise<T> => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(copies, { keyPath: 'key' });
  return done(request);
}

const lockOf = (owner: string, tab: string) => `${database} ${owner} ${tab}`;
/** Returns the local copies of a study and a person. Where the browser stores nothing, nothing is kept. */
export async function openLocal(study: string, person: string): Promise<Local> {
  const owner = `${study} ${person}`;
  try {
    const [db, tab] = await Promise.all([open(), tabName((name) => lockOf(owner, name))]);
    const all = (await done(db.transaction(copies).objectStore(copies).getAll())) as Stored[];
    const alive = await locksHeld();
    const free = all.filter((stored) => stored.owner === owner && (stored.tab === tab || !alive?.has(lockOf(owner, stored.tab)))).sort((a, b) => a.at - b.at);
    const key = `${owner} ${tab}`;
    const newest = opened(key);
    const store = () => {
      const transaction = db.transaction(copies, 'readwrite', { durability: 'relaxed' });
      return { transaction, records: transaction.objectStore(copies) };
    };
    const cleaning = store();
    for (const { key: other, at } of all) if (other !== key && (at < Date.now() - longest || (alive && free.some((stored) => stored.key === other)))) cleaning.records.delete(other);
    let waiting: Kept | null = null;
    let timer = 0;
    const left = new AbortController();
    const write = () => {
      clearTimeout(timer);
      timer = 0;
      const kept = waiting;
      waiting = null;
      if (!newest()) { // an editor that was left may still be saving
        left.abort();
        return;
      }
      if (!kept) return;
      const { transaction, records } = store();
      records.put({ ...kept, key, owner, tab, at: Date.now() } satisfies Stored);
      transaction.commit(); // so that it is stored even if the page ends now
    };
    addEventListener('pagehide', write, { signal: left.signal });
    document.addEventListener('visibilitychange', write, { signal: left.signal });
    return {
      works: true,
      found: free,
      // Copying a long guide takes as long as painting it does, so a key is painted first.
      keep: (kept) => {
        waiting = kept;
        timer ||= window.setTimeout(write, afterPaint);
      },
    };
  } catch {
    return { works: false, found: [], keep: () => {} };
  }
}
