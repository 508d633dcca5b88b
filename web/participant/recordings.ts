// What the page knows of recordings without the recorder, which is loaded when something is or was recorded.
import { signal } from '@preact/signals';
import type { Take } from '../shared/draft';
import type { Answer } from '../shared/protocol';
import * as keep from './keep';

/** Bytes that still have to be sent, of how many; null when everything has arrived. */
export const unsent = signal<{ left: number; of: number } | null>(null);
/** How many recordings will never arrive. */
export const lost = signal(0);
/** Whether the recorder runs. */
export const running = signal(false);
/** Whether the recorder waits for an answer, so that there is none to send. */
export const awaited = signal(false);

const courier = () => import('./recorder/courier');

/** Loads what keeps and sends recordings. It has to be here before the first one begins: without a network it could not come any more. */
export const ready = async (): Promise<void> => void await courier();

/** Goes on sending what an earlier visit has left. */
export function recall(token: string): void {
  if (keep.taped(token)) void courier().then((c) => c.resume(token)).catch(() => undefined); // a reload tries again
}

/** The ids of uploads for an answer. They are known once the server was reached. */
export const handOver = async (token: string, takes: Take[]): Promise<Answer['recordings']> => (await courier()).handOver(token, takes);

/** Forgets what was recorded, after it has arrived. */
export function finish(token: string): void {
  if (keep.taped(token)) void courier().then((c) => c.finish(token)).catch(() => undefined);
}

/** Forgets what was recorded, at once. */
export function drop(token: string): void {
  running.value = false;
  if (keep.taped(token)) void courier().then((c) => c.drop(token)).catch(() => undefined);
}
