// Sends recordings to the server: while they are recorded, during the questions that follow, and after a reload.
import { type Recording, segmentIds } from '../../shared/draft';
import type { Answer, RecordingKind } from '../../shared/protocol';
import { backoffDelay, waitForRetry } from '../../shared/retry';
import { limits } from '../../shared/rules';
import { idOf, sendUpload, terminateUpload, UploadRefused } from '../../shared/tus';
import { markRecordings } from '../browser_storage';
import { discards, isRecording, lost, once, segments, unsent } from '../recording_state';
import * as localStore from './local_store';
import { Segment, updateProgress } from './segment';
import { SegmentBuffer } from './segment_buffer';

const uploads = (token: string): string => `/i/${token}/uploads`;
const maxAge = limits.uploadHours * 3600 * 1000; // ms; unfinished uploads expire by then

/** Returns a segment by the id that a draft has of it. */
export const segmentById = (id: string | undefined): Segment | undefined => (id ? segments.get(id) : undefined);

/** Creates a segment and starts to send the bytes that will be added to it. */
export function beginSegment(token: string, stepId: string, kind: RecordingKind, type: string): Segment {
  const stored: localStore.StoredSegment = { id: crypto.randomUUID(), token, stepId, kind, type, url: null, state: 'kept', at: Date.now() };
  markRecordings(token, true);
  void localStore.putSegment(stored);
  const segment = new Segment(stored, new SegmentBuffer(type));
  segments.set(stored.id, segment);
  void sendSegment(segment);
  return segment;
}

/** Continues what an earlier page left: sends the segments it was sending, and discards those it was discarding. */
export function resume(token: string): Promise<void> {
  once.resumed ??= (async () => {
    for (const stored of await localStore.listSegments(token)) {
      if (segments.has(stored.id)) continue;
      if (stored.at < Date.now() - maxAge) {
        void localStore.deleteSegment(stored.id);
        continue;
      }
      const chunks = await localStore.getChunks(stored.id);
      const segment = new Segment(stored, new SegmentBuffer(stored.type, chunks));
      segment.buffer.end();
      if (stored.state === 'sent') segment.state.value = 'sent';
      if (stored.url) segment.setUploadId(idOf(stored.url));
      segments.set(stored.id, segment);
      if (stored.state === 'discarded' || chunks.length === 0 && stored.state === 'kept') discardSegment(segment);
      else if (stored.state === 'kept') void sendSegment(segment);
    }
    updateProgress();
  })();
  return once.resumed;
}

/** Runs work under a lock, so that only one of several open pages sends a segment. When that page is closed another takes over. */
async function withLock(id: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work();
  await navigator.locks.request(`verbatim.tape.${id}`, { signal }, work); // the name is shared with pages of earlier versions
}

async function sendSegment(segment: Segment): Promise<void> {
  const { stored, buffer, abort } = segment;
  segment.started = true;
  try {
    await withLock(stored.id, abort.signal, async () => {
      const now = await localStore.getSegment(stored.id);
      if (now?.state === 'sent') { // by another page
        segment.setUploadId(idOf(now.url ?? ''));
        return;
      }
      stored.url = now?.url ?? stored.url;
      await sendUpload(buffer, {
        address: uploads(stored.token), url: stored.url, maxAttempts: Infinity, signal: abort.signal,
        metadata: { kind: stored.kind, stepId: stored.stepId, filetype: stored.type },
        onUrl: (url) => {
          segment.setUploadId(idOf(url));
          if (stored.url === url) return;
          stored.url = url;
          void localStore.putSegment(stored);
        },
        onProgress: (bytes) => {
          segment.bytesSent = bytes;
          updateProgress();
        },
      });
      stored.state = 'sent';
      await localStore.putSegment(stored);
      await localStore.deleteChunks(stored.id);
    });
    segment.bytesSent = buffer.size;
    segment.state.value = 'sent';
    segment.freeIfSent();
  } catch (e) {
    if (abort.signal.aborted) return;
    segment.refusalCode = e instanceof UploadRefused ? e.code : '';
    segment.state.value = 'refused';
    segment.setUploadId('');
    lost.value++;
    void localStore.deleteSegment(stored.id);
  }
  updateProgress();
}

/** Discards recordings. Their uploads are terminated before any answer is sent, because an answer claims all uploads of its step and kind. */
export function discard(recordings: Recording[]): void {
  for (const id of segmentIds(recordings)) {
    const segment = segments.get(id);
    if (segment) discardSegment(segment);
  }
  updateProgress();
}

function discardSegment(segment: Segment): void {
  segments.delete(segment.stored.id);
  segment.stored.state = 'discarded';
  const work = (async () => {
    await localStore.putSegment(segment.stored);
    segment.buffer.end();
    if (segment.started) await segment.uploadId; // an upload that is just being created could not be terminated otherwise
    if (segment.state.value === 'refused') lost.value--;
    segment.abort.abort();
    const never = new AbortController().signal;
    for (let attempt = 0; segment.stored.url && !(await terminateUpload(segment.stored.url)); attempt++) {
      await waitForRetry(backoffDelay(attempt, 0), never);
    }
    await localStore.deleteSegment(segment.stored.id);
  })();
  discards.add(work);
  void work.finally(() => discards.delete(work));
}

/** Returns the ids of the recordings' uploads, one a kind, once all uploads were created and all discarded ones are terminated. */
export async function uploadIds(token: string, recordings: Recording[]): Promise<Answer['recordings']> {
  await resume(token);
  await Promise.all(discards);
  const ids: NonNullable<Answer['recordings']> = {};
  for (const recording of recordings) {
    for (const [kind, id] of Object.entries(recording.tapes) as [RecordingKind, string][]) {
      const upload = await segments.get(id)?.uploadId;
      if (upload) ids[kind] = upload;
    }
  }
  return ids;
}

/** Deletes an interview's segments once they have arrived. */
export async function finish(token: string): Promise<void> {
  await resume(token);
  const arrived = (segment: Segment) => new Promise<void>((resolve) => {
    const unsubscribe = segment.state.subscribe((state) => { if (state !== 'sending') queueMicrotask(() => { unsubscribe(); resolve(); }); });
  });
  const all = [...segments.values()].filter((segment) => segment.stored.token === token);
  await Promise.all([...all.map(arrived), ...discards]);
  for (const segment of all) await localStore.deleteSegment(segment.stored.id);
  markRecordings(token, false);
}

/** Deletes an interview's segments at once. The server has erased its copies. */
export async function deleteAll(token: string): Promise<void> {
  for (const segment of segments.values()) segment.abort.abort();
  segments.clear();
  for (const stored of await localStore.listSegments(token)) await localStore.deleteSegment(stored.id);
  markRecordings(token, false);
  updateProgress();
}

// The browser asks before it closes the page while something is recorded or not sent.
addEventListener('beforeunload', (e) => {
  if (isRecording.value || unsent.value && unsent.value.left > 0) e.preventDefault();
});
