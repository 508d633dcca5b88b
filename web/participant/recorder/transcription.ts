// Transcripts of recordings, from the server's speech-to-text.
import { backoffDelay, waitForRetry } from '../../shared/retry';
import { send } from '../send';

export interface Word {
  text: string;
  low: boolean; // the provider is not sure of it
}

interface Transcript {
  status: 'heard' | 'silent' | 'none';
  text: string;
  words: Word[] | null;
}

const maxAttempts = 3;

/** Requests the transcript of an upload that has arrived. The status is 'none' where the server has none to return. */
export async function fetchTranscript(address: string, upload: string, signal: AbortSignal): Promise<Transcript> {
  for (let attempt = 1; attempt <= maxAttempts && !signal.aborted; attempt++) {
    const reply = await send<Transcript>('POST', `${address}/${upload}/transcript`);
    if (reply.kind === 'ok') return reply.body;
    if (reply.kind !== 'retry' || attempt === maxAttempts) break;
    await waitForRetry(backoffDelay(attempt, reply.after), signal);
  }
  return { status: 'none', text: '', words: null };
}
