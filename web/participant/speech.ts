// Speaks texts with the browser's speech synthesis.
import { signal } from '@preact/signals';
import { isRecording } from './recording_state';

const base = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0] ?? '';

/** Splits a text into chunks of a few sentences, because some browsers stop speaking within a long text. */
function chunksOf(text: string): string[] {
  const all: string[] = [];
  for (const sentence of text.match(/[^.!?。！？؟\n]+[.!?。！？؟\n]*/g) ?? []) {
    const last = all.at(-1);
    if (last !== undefined && last.length + sentence.length <= 180) all[all.length - 1] = last + sentence;
    else all.push(sentence);
  }
  return all.map((chunk) => chunk.trim()).filter(Boolean);
}

export class Speech {
  readonly #voices = signal<SpeechSynthesisVoice[]>([]);
  readonly #speaking = signal(false);
  /** onlyLocal: with voices alone that send no text to anybody. */
  constructor(private onlyLocal = false) {}

  #generation = 0; // counts speeches, so that the end event of one that was stopped does not stop the next
  #timeout: ReturnType<typeof setTimeout> | undefined;

  /** Follows the browser's voices, and stops when something is recorded or the page is left, until the returned function is called. */
  watch(): () => void {
    const over = new AbortController();
    const readVoices = (): void => { this.#voices.value = speechSynthesis.getVoices().filter((voice) => voice.localService || !this.onlyLocal); };
    readVoices();
    speechSynthesis.addEventListener?.('voiceschanged', readVoices, { signal: over.signal }); // voices are often loaded late
    addEventListener('pagehide', () => this.stop(), { signal: over.signal });
    const unsubscribe = isRecording.subscribe((now) => { if (now) this.stop(); }); // a recording must not contain the synthetic voice
    return () => {
      over.abort();
      unsubscribe();
      this.stop();
    };
  }

  get speaking(): boolean {
    return this.#speaking.value;
  }

  /** Returns a voice for a language: one of the same region, else the browser's default, else any. */
  voiceFor(tag: string): SpeechSynthesisVoice | undefined {
    const matching = this.#voices.value.filter((v) => base(v.lang) === base(tag));
    return matching.find((v) => v.lang.replace('_', '-').toLowerCase() === tag.toLowerCase()) ?? matching.find((v) => v.default) ?? matching[0];
  }

  stop(): void {
    this.#generation++;
    clearTimeout(this.#timeout);
    this.#speaking.value = false;
    speechSynthesis.cancel();
  }

  speak(text: string, tag: string): void {
    this.stop();
    const voice = this.voiceFor(tag);
    if (!voice || isRecording.value || !text.trim()) return;
    const own = this.#generation;
    const done = (): void => { if (own === this.#generation) this.stop(); };
    const parts = chunksOf(text).map((chunk) => {
      const part = new SpeechSynthesisUtterance(chunk);
      part.voice = voice;
      part.lang = voice.lang;
      part.onerror = done;
      return part;
    });
    const last = parts.at(-1);
    if (!last) return;
    last.onend = done;
    this.#speaking.value = true;
    this.#timeout = setTimeout(done, 5000 + text.length * 200); // some browsers never send the end event
    for (const part of parts) speechSynthesis.speak(part);
  }
}
