// Reads the moderator's words aloud: by the operator's service, or else by a voice of the browser, or else not at all.
import { effect } from '@preact/signals';
import { Speech } from '../speech';

/** How reading aloud ended: the words were spoken, were stopped, or nobody could speak them. */
export type Spoken = 'ended' | 'stopped' | 'silent';

const timeout = 6000; // ms that the service may take; then the browser speaks
const tries = 2; // failures of the service in a row, after which this visit does without it

/** Returns a sound without any sound, which a tap plays so that the browser lets the page play others later. */
function nothing(): Blob {
  const view = new DataView(new ArrayBuffer(46));
  const text = (at: number, letters: string) => { for (const [i, letter] of [...letters].entries()) view.setUint8(at + i, letter.charCodeAt(0)); };
  text(0, 'RIFF');
  view.setUint32(4, 38, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true);
  view.setUint32(24, 8000, true);
  view.setUint32(28, 16_000, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, 2, true);
  return new Blob([view], { type: 'audio/wav' });
}

export class ModeratorVoice {
  #audio = new Audio();
  #browser = 'speechSynthesis' in window ? new Speech(true) : null;
  #unwatch = this.#browser?.watch();
  #failures = 0;
  #abort = new AbortController();
  #generation = 0;

  /** Call it in a tap: browsers play sound only after one. */
  unlock(): void {
    const address = URL.createObjectURL(nothing());
    this.#audio.src = address;
    void this.#audio.play().catch(() => undefined).finally(() => URL.revokeObjectURL(address));
  }

  /** Speaks a text in a language, with the sound at an address if there is one. */
  async speak(address: string, text: string, tag: string): Promise<Spoken> {
    this.stop();
    const own = ++this.#generation;
    const stopped = () => own !== this.#generation;
    const sound = await this.#fetch(address);
    if (stopped()) return 'stopped';
    if (sound && await this.#play(sound)) return stopped() ? 'stopped' : 'ended';
    if (stopped()) return 'stopped';
    return await this.#speak(text, tag) ? (stopped() ? 'stopped' : 'ended') : 'silent';
  }

  stop(): void {
    this.#generation++;
    this.#abort.abort();
    this.#audio.pause();
    this.#audio.dispatchEvent(new Event('stopped'));
    this.#browser?.stop();
  }

  close(): void {
    this.stop();
    this.#unwatch?.();
  }

  /** Returns the sound of the service; null where it has none, fails or takes too long. */
  async #fetch(address: string): Promise<Blob | null> {
    if (this.#failures >= tries) return null;
    const abort = new AbortController();
    this.#abort = abort;
    const timer = setTimeout(() => {
      this.#failures++;
      abort.abort();
    }, timeout);
    try {
      const reply = await fetch(address, { signal: abort.signal });
      const sound = await reply.blob();
      if (reply.ok && sound.size > 0 && sound.type.startsWith('audio/')) {
        this.#failures = 0;
        return sound;
      }
      if (reply.status !== 404) this.#failures++; // these words are spoken by no service, but others may be
    } catch {
      // no network, or it took too long
    } finally {
      clearTimeout(timer);
    }
    return null;
  }

  /** Plays a sound to its end, or until it is stopped. Returns false when the browser cannot play it. */
  #play(sound: Blob): Promise<boolean> {
    const audio = this.#audio;
    const address = URL.createObjectURL(sound);
    return new Promise<boolean>((resolve) => {
      const over = new AbortController();
      const end = (played: boolean) => {
        clearTimeout(timer);
        over.abort();
        resolve(played);
      };
      const timer = setTimeout(() => end(true), 120_000); // no words are that long
      for (const name of ['ended', 'stopped']) audio.addEventListener(name, () => end(true), { signal: over.signal });
      audio.addEventListener('error', () => end(false), { signal: over.signal });
      audio.src = address;
      audio.play().then(() => performance.mark('handsfree-question'), () => end(over.signal.aborted));
    }).finally(() => URL.revokeObjectURL(address));
  }

  /** Speaks with a voice of the browser. Returns false where it has none for the language. */
  #speak(text: string, tag: string): Promise<boolean> {
    const browser = this.#browser;
    if (!browser?.voiceFor(tag)) return Promise.resolve(false);
    browser.speak(text, tag);
    performance.mark('handsfree-question');
    return new Promise((resolve) => {
      const dispose = effect(() => {
        if (!browser.speaking) queueMicrotask(() => { dispose(); resolve(true); });
      });
    });
  }
}
