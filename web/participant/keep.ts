// What the browser keeps so that nothing typed is lost: by interview, until it ends. Where storage is refused or full, the
// page works without it.
import type { Draft } from '../shared/draft';
import type { Seen } from '../shared/media';
import type { Answer } from '../shared/protocol';

/** An answer that was given and is not known to have arrived. */
export interface Pending {
  stepId: string;
  answer: Answer;
}

/** What was asked and answered before, in this visit. */
export interface Turn {
  asked: string;
  said: string[];
  /** The languages of what was asked and of each line that was said, as tags; empty where that is not known. */
  tags?: { asked: string; said: string[] };
}

interface Interview {
  at: number; // ms since 1970, of the last change
  stepId: string;
  draft: Draft;
  pending?: Pending;
}

/** What the check of the devices has found, for the visit. */
export interface Devices {
  checked?: boolean;
  microphone?: string;
  camera?: string;
  withoutCamera?: boolean;
  withoutScreen?: boolean;
}

const interviews = 'verbatim.interview.';
const links = 'verbatim.link.';
const recordings = 'verbatim.tapes.';
const begins = 'verbatim.begin.';
const month = 30 * 24 * 3600 * 1000;

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
    // not kept: private browsing, or no room
  }
}

const lasting = () => localStorage;
const visit = () => sessionStorage;

const of = (token: string, stepId: string): Interview => {
  const known = get<Interview>(lasting, interviews + token);
  return known?.stepId === stepId ? known : { at: 0, stepId, draft: {} };
};

export const draft = (token: string, stepId: string): Draft => of(token, stepId).draft;

export function keepDraft(token: string, stepId: string, draft: Draft): void {
  put(lasting, interviews + token, { ...of(token, stepId), at: Date.now(), draft });
}

export const pending = (token: string, stepId: string): Pending | undefined => of(token, stepId).pending;

export function keepPending(token: string, stepId: string, answer: Answer | null): void {
  const { pending: _, ...rest } = of(token, stepId);
  put(lasting, interviews + token, { ...rest, at: Date.now(), ...(answer ? { pending: { stepId, answer } } : {}) });
}

export const turns = (token: string): Turn[] => get<Turn[]>(visit, `verbatim.turns.${token}`) ?? [];
export const keepTurns = (token: string, all: Turn[]): void => put(visit, `verbatim.turns.${token}`, all);

export const seen = (token: string): Record<string, Seen> => get<Record<string, Seen>>(visit, `verbatim.seen.${token}`) ?? {};
export const keepSeen = (token: string, all: Record<string, Seen>): void => put(visit, `verbatim.seen.${token}`, all);

export const devices = (token: string): Devices => get<Devices>(visit, `verbatim.devices.${token}`) ?? {};
export const keepDevices = (token: string, all: Devices): void => put(visit, `verbatim.devices.${token}`, all);

/** Whether recordings of the interview may wait to be sent. */
export const taped = (token: string): boolean => get(lasting, recordings + token) !== null;
export const keepTaped = (token: string, are: boolean): void => put(lasting, recordings + token, are ? { at: Date.now() } : null);

/** Whether questions are to be read aloud in this browser. */
export const wantsAloud = (): boolean => get<boolean>(lasting, 'verbatim.aloud') === true;
export const keepAloud = (wanted: boolean): void => put(lasting, 'verbatim.aloud', wanted || null);

/** The interview that was begun here from a link with these parameters and is not known to have ended. */
export const begun = (linkId: string, query: string): string | undefined =>
  get<{ token: string }>(lasting, `${links}${linkId}?${query}`)?.token;

export const keepBegun = (linkId: string, query: string, token: string): void =>
  put(lasting, `${links}${linkId}?${query}`, { token, at: Date.now() });

/** The key of a begin from this link in a language: the same until the begin is known to have gone well, so that it makes one interview however often it is sent. */
export function beginKey(linkId: string, query: string, language: string): string {
  const name = `${begins}${linkId}?${query}#${language}`;
  const known = get<{ key: string }>(lasting, name)?.key ?? unkept.get(name);
  if (known) return known;
  const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  unkept.set(name, key);
  put(lasting, name, { key, at: Date.now() });
  return key;
}

/** Lets the next begin be another interview. */
export function forgetBegin(linkId: string, query: string, language: string): void {
  const name = `${begins}${linkId}?${query}#${language}`;
  unkept.delete(name);
  put(lasting, name, null);
}

/** Keys of begins, for browsers that keep nothing. */
const unkept = new Map<string, string>();

/** Forgets all about an interview. */
export function forget(token: string): void {
  put(lasting, interviews + token, null);
  put(visit, `verbatim.turns.${token}`, null);
  put(visit, `verbatim.seen.${token}`, null);
  put(visit, `verbatim.devices.${token}`, null);
  each((key) => get<{ token?: string }>(lasting, key)?.token === token);
}

/** Forgets what was left lying for a month. */
export function tidy(): void {
  each((key) => (get<{ at?: number }>(lasting, key)?.at ?? 0) < Date.now() - month);
}

/** Removes the entries that a test finds, among our own. */
function each(remove: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if ([links, interviews, recordings, begins].some((start) => key.startsWith(start)) && remove(key)) localStorage.removeItem(key);
    }
  } catch {
    // nothing is kept, so nothing is to be forgotten
  }
}
