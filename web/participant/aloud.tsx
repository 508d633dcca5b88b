// The moderator's words read aloud by the browser, for those who switch it on. Loaded where the browser can speak at all.
import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Step } from '../shared/protocol';
import type { Boot } from './boot';
import { keepAloud, wantsAloud } from './keep';
import { running } from './recordings';

const voices = signal<SpeechSynthesisVoice[]>([]);
const on = signal(false);
const speaking = signal(false);
let given = 0; // counts what was begun, so that the end of something stopped ends nothing else
let limit: ReturnType<typeof setTimeout> | undefined;

const read = (): void => { voices.value = speechSynthesis.getVoices(); };
read();
speechSynthesis.addEventListener?.('voiceschanged', read); // they often come late
on.value = wantsAloud();
addEventListener('pagehide', () => stop());
effect(() => { if (running.value) stop(); }); // nothing is said into a recording

const base = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0] ?? '';

/** The voice for a language: of the very region, the one that the browser likes best, or any. */
function voiceFor(tag: string): SpeechSynthesisVoice | undefined {
  const fit = voices.value.filter((v) => base(v.lang) === base(tag));
  return fit.find((v) => v.lang.replace('_', '-').toLowerCase() === tag.toLowerCase()) ?? fit.find((v) => v.default) ?? fit[0];
}

function stop(): void {
  given++;
  clearTimeout(limit);
  speaking.value = false;
  speechSynthesis.cancel();
}

/** Pieces of some sentences: some browsers fall silent within a long one. */
function pieces(text: string): string[] {
  const all: string[] = [];
  for (const sentence of text.match(/[^.!?。！？؟\n]+[.!?。！？؟\n]*/g) ?? []) {
    const last = all.at(-1);
    if (last !== undefined && last.length + sentence.length <= 180) all[all.length - 1] = last + sentence;
    else all.push(sentence);
  }
  return all.map((piece) => piece.trim()).filter(Boolean);
}

function speak(text: string, tag: string): void {
  stop();
  const voice = voiceFor(tag);
  if (!voice || running.value || !text.trim()) return;
  const mine = given;
  const done = (): void => { if (mine === given) stop(); };
  const parts = pieces(text).map((piece) => {
    const part = new SpeechSynthesisUtterance(piece);
    part.voice = voice;
    part.lang = voice.lang;
    part.onerror = done;
    return part;
  });
  const last = parts.at(-1);
  if (!last) return;
  last.onend = done;
  speaking.value = true;
  limit = setTimeout(done, 5000 + text.length * 200); // the end may never be told
  for (const part of parts) speechSynthesis.speak(part);
}

/** The switch, and what stops the voice. Nothing where no voice speaks the interview's language. */
export function Aloud({ boot, at }: { boot: Boot; at: Step }) {
  const { words, tags } = boot;
  const tag = at.kind === 'follow_up' ? tags.moderator : tags.content;
  const say = (): void => speak(at.moderator ?? '', tag);
  useEffect(() => {
    if (on.value) say();
    return stop;
  }, [at.stepId]);
  if (!voiceFor(tags.moderator)) return null;
  const turn = (): void => {
    on.value = !on.value;
    keepAloud(on.value);
    if (on.value) say();
    else stop();
  };
  return (
    <div class="aloud">
      <button type="button" class="link" aria-pressed={on.value} onClick={turn}>{words.aloud}</button>
      {speaking.value && <button type="button" class="link" onClick={stop}>{words.aloudStop}</button>}
    </div>
  );
}
