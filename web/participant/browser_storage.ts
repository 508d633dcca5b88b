// The page's entries in localStorage and sessionStorage, so that nothing typed is lost before an interview ends. Where storage is refused
// or full, the page works without it.
import type { Draft } from '../shared/draft';
import type { Seen } from '../shared/media';
import type { AnsweredStep, Answer } from '../shared/protocol';

/** An answer that was submitted and is not known to have arrived. */
export interface Pending {
  stepId: string;
  answer: Answer;
}

/** A question and its answer earlier in this visit. */
export interface Turn {
  stepId?: string; // missing in what older pages stored
  asked: string;
  said: string[];
  /** The title of the concept that was asked about. */
  about?: string;
  /** BCP 47 tags of the question and of each line of the answer; missing where they are not known. */
  tags?: { asked: string; said: string[] };
}

/** What was said for a step that another page or device has answered, and the answer that stands where it is known. */
export interface Kept {
  /** The id of the step that was shown then. */
  at: string | null;
  /** What was written; empty where something was chosen or only recorded. */
  text: string;
  /** The length of what was recorded, in seconds; 0 for nothing. */
  seconds: number;
  answered: AnsweredStep | null;
}

interface Interview {
  kept?: Kept;
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
  return stored?.stepId === stepId ? stored : { at: 0, stepId, draft: {}, ...(stored?.kept ? { kept: stored.kept } : {}) };
};

/** Returns what was entered for another step than the given one, and is not known to have arrived. */
export function leftDraft(token: string, stepId: string): Draft | undefined {
  const stored = get<Interview>(local, interviews + token);
  return stored && stored.stepId !== stepId ? stored.draft : undefined;
}

/** Deletes the draft of a step, because its answer stands. */
export function deleteDraft(token: string, stepId: string): void {
  const { kept, ...stored } = get<Interview>(local, interviews + token) ?? { stepId: '' };
  if (stored.stepId === stepId) put(local, interviews + token, kept ? { at: Date.now(), stepId: '', draft: {}, kept } : null);
}

export const kept = (token: string): Kept | undefined => get<Interview>(local, interviews + token)?.kept;

export function saveKept(token: string, text: Kept | null): void {
  const { kept: _, ...rest } = get<Interview>(local, interviews + token) ?? { stepId: '', draft: {} };
  put(local, interviews + token, { ...rest, at: Date.now(), ...(text ? { kept: text } : {}) });
}

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

/** Reports whether the interview was held hands-free when the page was left. */
export const wasHandsFree = (token: string): boolean => get<boolean>(session, `verbatim.handsfree.${token}`) === true;
export const saveHandsFree = (token: string, on: boolean): void => put(session, `verbatim.handsfree.${token}`, on || null);

/** Returns the seconds of silence after which a hands-free interview goes on, where the participant chose them. */
export const pauseSeconds = (): number | null => get<number>(local, 'verbatim.pause');
export const savePauseSeconds = (seconds: number): void => put(local, 'verbatim.pause', seconds);

/** Reports whether recordings of the interview may still have to be sent. */
export const hasRecordings = (token: string): boolean => get(local, recordings + token) !== null;
/** Notes whether recordings of the interview may still have to be sent. */
export const markRecordings = (token: string, unsent: boolean): void => put(local, recordings + token, unsent ? { at: Date.now() } : null);

/** Reports whether the page of an ended interview has gone back to the panel by itself in this visit. */
export const hasLeft = (token: string): boolean => get<boolean>(session, `verbatim.left.${token}`) === true;
export const markLeft = (token: string): void => put(session, `verbatim.left.${token}`, true);

/** Reports whether questions are read aloud in this browser. */
export const readsAloud = (): boolean => get<boolean>(local, 'verbatim.aloud') === true;
export const saveReadsAloud = (wanted: boolean): void => put(local, 'verbatim.aloud', wanted || null);

/**
 * Returns the tokens of the interviews that were started here from a study's link and are not known to have ended: the one that was started
 * with the same parameters first, then the others, the latest first.
 */
export function startedInterviews(linkId: string, query: string): string[] {
  const own = `${links}${linkId}?`;
  let keys: string[] = [];
  try {
    keys = Object.keys(localStorage).filter((key) => key.startsWith(own));
  } catch {
    // nothing is stored
  }
  return keys.map((key) => ({ first: key === own + query, ...get<{ token: string; at: number }>(local, key) }))
    .sort((a, b) => Number(b.first) - Number(a.first) || (b.at ?? 0) - (a.at ?? 0))
    .flatMap(({ token }) => token ?? []);
}

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

/** Deletes all entries of an interview, what was typed included, except the mark of its recordings. */
export function deleteInterview(token: string): void {
  put(local, interviews + token, null);
  put(session, `verbatim.turns.${token}`, null);
  put(session, `verbatim.seen.${token}`, null);
  put(session, `verbatim.devices.${token}`, null);
  put(session, `verbatim.handsfree.${token}`, null);
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
