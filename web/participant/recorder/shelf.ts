// What was recorded and has not arrived, kept in the browser's database so that a closed page loses nothing. Where there is
// no database, or no room, recordings are kept in memory alone.
import type { TapeKind } from '../../shared/draft';

/** One session of one recorder. Its bytes lie beside it, in pieces. */
export interface Row {
  id: string;
  token: string;
  stepId: string;
  kind: TapeKind;
  type: string;
  /** Of the upload; null until it was begun. */
  url: string | null;
  state: 'kept' | 'sent' | 'discarded';
  at: number; // ms since 1970, when it was begun
}

interface Piece {
  tape: string;
  n: number;
  blob: Blob;
}

let opened: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('verbatim', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('tapes', { keyPath: 'id' }).createIndex('token', 'token');
      request.result.createObjectStore('pieces', { keyPath: ['tape', 'n'] });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no database'));
    request.onblocked = () => reject(new Error('the database is blocked'));
  });
  return opened;
}

const stores = ['tapes', 'pieces'] as const;

/** Runs a transaction to its end. What fails is answered with the fallback. */
async function run<T>(fallback: T, work: (store: (name: (typeof stores)[number]) => IDBObjectStore) => IDBRequest<T> | undefined): Promise<T> {
  try {
    const db = await database();
    return await new Promise<T>((resolve, reject) => {
      const tx = db.transaction(stores, 'readwrite');
      const request = work((name) => tx.objectStore(name));
      tx.oncomplete = () => resolve(request ? request.result : fallback);
      tx.onerror = tx.onabort = () => reject(tx.error ?? new Error('the transaction was aborted'));
    });
  } catch {
    return fallback;
  }
}

const all = (id: string): IDBKeyRange => IDBKeyRange.bound([id, 0], [id, Infinity]);

export const put = (row: Row): Promise<unknown> => run<IDBValidKey>('', (store) => store('tapes').put({ ...row }));

export const row = (id: string): Promise<Row | undefined> => run<Row | undefined>(undefined, (store) => store('tapes').get(id) as IDBRequest<Row | undefined>);

export const rows = (token: string): Promise<Row[]> => run<Row[]>([], (store) => store('tapes').index('token').getAll(token) as IDBRequest<Row[]>);

export const putPiece = (tape: string, n: number, blob: Blob): Promise<unknown> =>
  run<IDBValidKey>('', (store) => store('pieces').put({ tape, n, blob } satisfies Piece));

/** The bytes of a tape, in order. */
export async function pieces(id: string): Promise<Blob[]> {
  return (await run<Piece[]>([], (store) => store('pieces').getAll(all(id)) as IDBRequest<Piece[]>)).map((piece) => piece.blob);
}

/** Forgets the bytes of a tape. */
export const empty = (id: string): Promise<unknown> => run<undefined>(undefined, (store) => store('pieces').delete(all(id)));

/** Forgets a tape. */
export const remove = (id: string): Promise<unknown> => run<undefined>(undefined, (store) => {
  store('pieces').delete(all(id));
  return store('tapes').delete(id);
});
