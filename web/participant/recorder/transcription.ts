// Transcripts of recordings, from the server's speech-to-text.
import type { Transcript } from '../../shared/protocol';
import { backoffDelay, waitForRetry } from '../../shared/retry';
import { send } from '../send';

const maxAttempts = 3;

/** Requests the transcript of an upload that has arrived. The status is 'none' where the server has none to return. */
export async function fetchTranscript(address: string, upload: string, signal: AbortSignal): Promise<Transcript> {
  for (let attempt = 1; attempt <= maxAttempts && !signal.aborted; attempt++) {
    const reply = await send<Transcript>('POST', `${address}/${upload}/transcript`);
    if (reply.kind === 'ok') return reply.body;
    if (reply.kind !== 'retry' || attempt === maxAttempts) break;
    await waitForRetry(backoffDelay(attempt, reply.after), signal);
  }
  return { status: 'none', text: '', words: [], language: null };
}
