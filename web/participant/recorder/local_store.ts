// Segments that have not arrived, kept in IndexedDB so that a closed page loses nothing. Where there is no database, or no room, they are
// kept in memory alone.
import type { RecordingKind } from '../../shared/protocol';
import { once } from '../recording_state';

/** The stored state of one segment. Its bytes lie beside it, in chunks. */
export interface StoredSegment {
  id: string;
  token: string;
  stepId: string;
  kind: RecordingKind;
  type: string;
  /** The upload's address; null until the upload was created. */
  url: string | null;
  state: 'kept' | 'sent' | 'discarded';
  at: number; // ms since 1970, when the recording began
}

interface StoredChunk {
  tape: string; // the segment's id
  n: number;
  blob: Blob;
}

// Names in the database. They are older than the names in this file, and stay so that what a browser has stored is found.
const segmentStore = 'tapes';
const chunkStore = 'pieces';
const stores = [segmentStore, chunkStore] as const;

function database(): Promise<IDBDatabase> {
  once.database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('verbatim', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(segmentStore, { keyPath: 'id' }).createIndex('token', 'token');
      request.result.createObjectStore(chunkStore, { keyPath: ['tape', 'n'] });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no database'));
    request.onblocked = () => reject(new Error('the database is blocked'));
  });
  return once.database;
}

/** Runs a transaction and returns the result of its request, or the fallback when it fails. */
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

const chunksOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id, 0], [id, Infinity]);

export const putSegment = (segment: StoredSegment): Promise<unknown> => run<IDBValidKey>('', (store) => store(segmentStore).put({ ...segment }));

export const getSegment = (id: string): Promise<StoredSegment | undefined> =>
  run<StoredSegment | undefined>(undefined, (store) => store(segmentStore).get(id) as IDBRequest<StoredSegment | undefined>);

export const listSegments = (token: string): Promise<StoredSegment[]> =>
  run<StoredSegment[]>([], (store) => store(segmentStore).index('token').getAll(token) as IDBRequest<StoredSegment[]>);

export const putChunk = (segment: string, n: number, blob: Blob): Promise<unknown> =>
  run<IDBValidKey>('', (store) => store(chunkStore).put({ tape: segment, n, blob } satisfies StoredChunk));

/** Returns the bytes of a segment, in order. */
export async function getChunks(id: string): Promise<Blob[]> {
  return (await run<StoredChunk[]>([], (store) => store(chunkStore).getAll(chunksOf(id)) as IDBRequest<StoredChunk[]>)).map((chunk) => chunk.blob);
}

/** Deletes the bytes of a segment and keeps its state. */
export const deleteChunks = (id: string): Promise<unknown> => run<undefined>(undefined, (store) => store(chunkStore).delete(chunksOf(id)));

/** Deletes a segment with its bytes. */
export const deleteSegment = (id: string): Promise<unknown> => run<undefined>(undefined, (store) => {
  store(chunkStore).delete(chunksOf(id));
  return store(segmentStore).delete(id);
});
