// The state of recordings: what the whole page reads, and what the recorder's modules, which are loaded on demand, keep from one answer to
// the next. It is a module of its own, so that they and recordings.ts, which loads them, can both import it.
import { signal } from '@preact/signals';
import type { Step } from '../shared/protocol';
import { widgetOf } from '../shared/protocol';
import type { Conversation } from './handsfree/conversation';
import type { Segment } from './recorder/segment';

/** Bytes that still have to be sent, and the total; null when everything has arrived. */
export const unsent = signal<{ left: number; of: number } | null>(null);
/** Number of recordings that will never arrive, because the server refused them. */
export const lost = signal(0);
/** Whether a recording is running. */
export const isRecording = signal(false);
/** Whether the recorder is shown and nothing is recorded yet, so that there is no answer to send. */
export const awaitingRecording = signal(false);

/** Whether the interview is held hands-free now. */
export const handsFree = signal(false);
/** Reports whether a step is answered by voice while it is. Where the author wants an answer typed, it is. */
export const speaksAnswer = (at: Step): boolean => at.capture !== null && widgetOf(at) === 'open_ended' && at.question?.preferredInput !== 'text';

/** The shared screen, null when none is. It stays shared between answers, so that the participant chooses it once. It is recorded only during an answer. */
export const sharedScreen = signal<MediaStream | null>(null);
/** The segments that are sent by this page or can be played on it, by id. */
export const segments = new Map<string, Segment>();
/** The discards under way. */
export const discards = new Set<Promise<void>>();
/**
 * What happens once on a page, when it is first needed: continuing what an earlier page left, opening the local database, and
 * the hands-free conversation, whichever step is shown.
 */
export const once: { resumed?: Promise<void>; database?: Promise<IDBDatabase>; conversation?: Conversation } = {};
