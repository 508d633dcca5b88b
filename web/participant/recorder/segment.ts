import { signal } from '@preact/signals';
import { segments, unsent } from '../recording_state';
import * as localStore from './local_store';
import type { SegmentBuffer } from './segment_buffer';

/** What one run of the recorder recorded of one kind, on its way into one upload. */
export class Segment {
  readonly state = signal<'sending' | 'sent' | 'refused'>('sending');
  /** The server's error code where it refused the upload. */
  refusalCode = '';
  bytesSent = 0;
  /** Whether sending was started, so that uploadId will be settled. */
  started = false;
  readonly abort = new AbortController();
  /** The upload's id, as soon as it is known; empty when there will be none. */
  readonly uploadId: Promise<string>;
  setUploadId: (id: string) => void = () => undefined;
  #chunks = 0;
  #released = false;

  constructor(readonly stored: localStore.StoredSegment, readonly buffer: SegmentBuffer) {
    this.uploadId = new Promise((resolve) => { this.setUploadId = resolve; });
  }

  add(blob: Blob): void {
    if (blob.size === 0) return;
    this.buffer.add(blob);
    void localStore.putChunk(this.stored.id, this.#chunks++, blob);
    updateProgress();
  }

  end(): void {
    this.buffer.end();
    updateProgress();
  }

  /** Marks the segment as no longer played on this page, so that a long interview does not fill the memory. */
  release(): void {
    this.#released = true;
    this.freeIfSent();
  }

  freeIfSent(): void {
    if (this.#released && this.state.value === 'sent') this.buffer.clear();
  }
}

/** Updates what the page shows as still to be sent. */
export function updateProgress(): void {
  const open = [...segments.values()].filter((segment) => segment.state.value === 'sending');
  const of = open.reduce((sum, segment) => sum + segment.buffer.size, 0);
  const left = open.reduce((sum, segment) => sum + Math.max(segment.buffer.size - segment.bytesSent, 0), 0);
  unsent.value = open.length > 0 ? { left, of } : null;
}
