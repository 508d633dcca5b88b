// The page's entries in localStorage and sessionStorage, so that nothing typed is lost before an interview ends. Where storage is refused
// or full, the page works without it.
import type { Draft } from '../shared/draft';
import type { Seen } from '../shared/media';
import type { Answer } from '../shared/protocol';

/** An answer that was submitted and is not known to have arrived. */
export interface Pending {
  stepId: string;
  answer: Answer;
}

/** A question and its answer earlier in this visit. */
export interface Turn {
  asked: string;
  said: string[];
  /** The title of the concept that was asked about. */
  about?: string;
  /** BCP 47 tags of the question and of each line of the answer; missing where they are not known. */
  tags?: { asked: string; said: string[] };
}

interface Interview {
  at: number; // ms since 1970, of the last change
  stepId: string;
  draft: Draft;
  pending?: Pending;
}

/** The result of the device check, for the visit. */
export interface Devices {
  checked?: boolean;
  microphone?: string;
  camera?: string;
  withoutCamera?: boolean;
  withoutScreen?: boolean;
}

const interviews = 'verbatim.interview.';
const links = 'verbatim.link.';
const recordings = 'verbatim.tapes.'; // an older name, which stored entries have
const startKeys = 'verbatim.begin.';
const maxAge = 30 * 24 * 3600 * 1000; // ms

function get<T>(storage: () => Storage, key: string): T | null {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

function put(storage: () => Storage, key: string, value: unknown): void {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(value));
  } catch {
    // not stored: private browsing, or no room
  }
}

const local = () => localStorage;
const session = () => sessionStorage;

const interviewOf = (token: string, stepId: string): Interview => {
  const stored = get<Interview>(local, interviews + token);
  return stored?.stepId === stepId ? stored : { at: 0, stepId, draft: {} };
};

export const draft = (token: string, stepId: string): Draft => interviewOf(token, stepId).draft;

export function saveDraft(token: string, stepId: string, draft: Draft): void {
  put(local, interviews + token, { ...interviewOf(token, stepId), at: Date.now(), draft });
}

export const pending = (token: string, stepId: string): Pending | undefined => interviewOf(token, stepId).pending;

export function savePending(token: string, stepId: string, answer: Answer | null): void {
  const { pending: _, ...rest } = interviewOf(token, stepId);
  put(local, interviews + token, { ...rest, at: Date.now(), ...(answer ? { pending: { stepId, answer } } : {}) });
}

export const turns = (token: string): Turn[] => get<Turn[]>(session, `verbatim.turns.${token}`) ?? [];
export const saveTurns = (token: string, all: Turn[]): void => put(session, `verbatim.turns.${token}`, all);

export const seen = (token: string): Record<string, Seen> => get<Record<string, Seen>>(session, `verbatim.seen.${token}`) ?? {};
export const saveSeen = (token: string, all: Record<string, Seen>): void => put(session, `verbatim.seen.${token}`, all);

export const devices = (token: string): Devices => get<Devices>(session, `verbatim.devices.${token}`) ?? {};
export const saveDevices = (token: string, all: Devices): void => put(session, `verbatim.devices.${token}`, all);

/** Reports whether recordings of the interview may still have to be sent. */
export const hasRecordings = (token: string): boolean => get(local, recordings + token) !== null;
/** Notes whether recordings of the interview may still have to be sent. */
export const markRecordings = (token: string, unsent: boolean): void => put(local, recordings + token, unsent ? { at: Date.now() } : null);

/** Reports whether questions are read aloud in this browser. */
export const readsAloud = (): boolean => get<boolean>(local, 'verbatim.aloud') === true;
export const saveReadsAloud = (wanted: boolean): void => put(local, 'verbatim.aloud', wanted || null);

/** Returns the token of the interview that was started here from a link with these parameters and is not known to have ended. */
export const startedInterview = (linkId: string, query: string): string | undefined =>
  get<{ token: string }>(local, `${links}${linkId}?${query}`)?.token;

export const saveStartedInterview = (linkId: string, query: string, token: string): void =>
  put(local, `${links}${linkId}?${query}`, { token, at: Date.now() });

/** Returns the Idempotency-Key for starting an interview from this link in a language; undefined where none is stored. */
export const startKey = (linkId: string, query: string, language: string): string | undefined =>
  get<{ key: string }>(local, `${startKeys}${linkId}?${query}#${language}`)?.key;

export const saveStartKey = (linkId: string, query: string, language: string, key: string): void =>
  put(local, `${startKeys}${linkId}?${query}#${language}`, { key, at: Date.now() });

/** Deletes the key, so that the next start is another interview. */
export const deleteStartKey = (linkId: string, query: string, language: string): void =>
  put(local, `${startKeys}${linkId}?${query}#${language}`, null);

/** Deletes all entries of an interview, except the mark of its recordings. */
export function deleteInterview(token: string): void {
  put(local, interviews + token, null);
  put(session, `verbatim.turns.${token}`, null);
  put(session, `verbatim.seen.${token}`, null);
  put(session, `verbatim.devices.${token}`, null);
  deleteMatching((key) => get<{ token?: string }>(local, key)?.token === token);
}

/** Deletes entries that were not changed for maxAge. */
export function deleteExpired(): void {
  deleteMatching((key) => (get<{ at?: number }>(local, key)?.at ?? 0) < Date.now() - maxAge);
}

/** Deletes this page's localStorage entries that match. */
function deleteMatching(matches: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if ([links, interviews, recordings, startKeys].some((prefix) => key.startsWith(prefix)) && matches(key)) localStorage.removeItem(key);
    }
  } catch {
    // nothing is stored, so there is nothing to delete
  }
}
