// What the page can do with recordings before the recorder is loaded. The uploader is imported only where something is or was recorded.
import type { Recording } from '../shared/draft';
import type { Answer } from '../shared/protocol';
import * as storage from './browser_storage';
import { isRecording } from './recording_state';

const uploader = () => import('./recorder/uploader');

/** Loads the uploader. This has to happen before the first recording begins: without a network it could not be loaded any more. */
export const loadUploader = async (): Promise<void> => void await uploader();

/** Continues to send what an earlier visit left. */
export function resume(token: string): void {
  if (storage.hasRecordings(token)) void uploader().then((u) => u.resume(token)).catch(() => undefined); // a reload tries again
}

/** Returns the ids of the recordings' uploads, for an answer. They are known once the server was reached. */
export const uploadIds = async (token: string, recordings: Recording[]): Promise<Answer['recordings']> => (await uploader()).uploadIds(token, recordings);

/** Deletes the browser's copies of the recordings once they have arrived. */
export function finish(token: string): void {
  if (storage.hasRecordings(token)) void uploader().then((u) => u.finish(token)).catch(() => undefined);
}

/** Deletes the browser's copies of the recordings at once. */
export function deleteAll(token: string): void {
  isRecording.value = false;
  if (storage.hasRecordings(token)) void uploader().then((u) => u.deleteAll(token)).catch(() => undefined);
}
