// Reads the moderator's words aloud with the browser's speech synthesis, if switched on. Loaded only where the browser has one.
import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Step } from '../shared/protocol';
import type { Bootstrap } from './bootstrap';
import { readsAloud, saveReadsAloud } from './browser_storage';
import { recording } from './recording_state';

const voices = signal<SpeechSynthesisVoice[]>([]);
const on = signal(false);
const speaking = signal(false);
let generation = 0; // counts speeches, so that the end event of one that was stopped does not stop the next
let timeout: ReturnType<typeof setTimeout> | undefined;

const readVoices = (): void => { voices.value = speechSynthesis.getVoices(); };
readVoices();
speechSynthesis.addEventListener?.('voiceschanged', readVoices); // voices are often loaded late
on.value = readsAloud();
addEventListener('pagehide', () => stop());
effect(() => { if (recording.value) stop(); }); // a recording must not contain the synthetic voice

const base = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0] ?? '';

/** Returns a voice for a language: one of the same region, else the browser's default, else any. */
function voiceFor(tag: string): SpeechSynthesisVoice | undefined {
  const matching = voices.value.filter((v) => base(v.lang) === base(tag));
  return matching.find((v) => v.lang.replace('_', '-').toLowerCase() === tag.toLowerCase()) ?? matching.find((v) => v.default) ?? matching[0];
}

function stop(): void {
  generation++;
  clearTimeout(timeout);
  speaking.value = false;
  speechSynthesis.cancel();
}

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

function speak(text: string, tag: string): void {
  stop();
  const voice = voiceFor(tag);
  if (!voice || recording.value || !text.trim()) return;
  const own = generation;
  const done = (): void => { if (own === generation) stop(); };
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
  speaking.value = true;
  timeout = setTimeout(done, 5000 + text.length * 200); // some browsers never send the end event
  for (const part of parts) speechSynthesis.speak(part);
}

/** The switch for reading aloud, and a button that stops the voice. Renders nothing where there is no voice in the interview's language. */
export function ReadAloud({ bootstrap, at }: { bootstrap: Bootstrap; at: Step }) {
  const { words, tags } = bootstrap;
  const tag = at.kind === 'follow_up' ? tags.moderator : tags.content;
  const say = (): void => speak(at.moderator ?? '', tag);
  useEffect(() => {
    if (on.value) say();
    return stop;
  }, [at.stepId]);
  if (!voiceFor(tags.moderator)) return null;
  const toggle = (): void => {
    on.value = !on.value;
    saveReadsAloud(on.value);
    if (on.value) say();
    else stop();
  };
  return (
    <div class="aloud">
      <button type="button" class="link" aria-pressed={on.value} onClick={toggle}>{words.aloud}</button>
      {speaking.value && <button type="button" class="link" onClick={stop}>{words.aloudStop}</button>}
    </div>
  );
}
