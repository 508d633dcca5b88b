// What speech recognition makes of a recording.
import { backOff, rest } from '../../shared/patience';
import { send } from '../send';

export interface Word {
  text: string;
  low: boolean;
}

interface Transcript {
  status: 'heard' | 'silent' | 'none';
  text: string;
  words: Word[] | null;
}

const attempts = 3;

/** Asks for the words of an upload that has arrived. 'none' where the service cannot tell them. */
export async function transcript(address: string, upload: string, signal: AbortSignal): Promise<Transcript> {
  for (let attempt = 1; attempt <= attempts && !signal.aborted; attempt++) {
    const reply = await send<Transcript>('POST', `${address}/${upload}/transcript`);
    if (reply.kind === 'ok') return reply.body;
    if (reply.kind !== 'again' || attempt === attempts) break;
    await rest(backOff(attempt, reply.after), signal);
  }
  return { status: 'none', text: '', words: null };
}
