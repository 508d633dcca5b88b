// The state of recordings that the whole page reads. It is a module of its own, so that the recorder's modules, which are loaded on
// demand, and recordings.ts, which loads them, can both import it.
import { signal } from '@preact/signals';

/** Bytes that still have to be sent, and the total; null when everything has arrived. */
export const unsent = signal<{ left: number; of: number } | null>(null);
/** Number of recordings that will never arrive, because the server refused them. */
export const lost = signal(0);
/** Whether a recording is running. */
export const recording = signal(false);
/** Whether the recorder is shown and nothing is recorded yet, so that there is no answer to send. */
export const awaitingRecording = signal(false);
