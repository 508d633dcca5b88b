// A hands-free interview: asks, listens, and goes on by itself. It lives from question to question, until the participant leaves it.
import { signal } from '@preact/signals';
import type { Recording } from '../../shared/draft';
import type { Step } from '../../shared/protocol';
import { ended } from '../../shared/protocol';
import { headingId } from '../../shared/widget';
import type { Bootstrap } from '../bootstrap';
import * as storage from '../browser_storage';
import { openMicrophone, problemOf, unsupportedReason } from '../recorder/devices';
import { discard, resume } from '../recorder/uploader';
import { handsFree, speaksAnswer } from '../recording_state';
import * as session from '../session';
import { type SpeechEvent, Listening } from './listening';
import { lag, Microphone } from './microphone';
import { ModeratorVoice } from './moderator_voice';
import { SpokenParts } from './spoken_parts';
import { frame, VoiceDetector } from './voice_detector';

/** yours: the question is answered on the page. */
export type Phase = 'off' | 'opening' | 'speaking' | 'listening' | 'speech' | 'more' | 'writing' | 'yours' | 'paused';

const unclearTimes = 2; // that a participant is asked to say it again

export class Conversation {
  readonly phase = signal<Phase>('off');
  /** The level of the microphone and the second chance that is left, both from 0 to 1. */
  readonly level = signal(0);
  readonly left = signal(1);
  /** The camera that is recorded; null where none is. */
  readonly camera = signal<MediaStream | null>(null);
  /** The words of the answer so far. */
  readonly words = signal('');
  /** The key of a remark; empty when there is none. */
  readonly remark = signal('');
  /** The key of the reason why the conversation ended by itself; empty when it did not. */
  readonly reason = signal('');
  readonly pauseSeconds = signal(0);

  #page: Bootstrap;
  #voice = new ModeratorVoice();
  #microphone: Microphone | null = null;
  #detector = new VoiceDetector();
  #listening: Listening | null = null;
  #parts: SpokenParts | null = null;
  #at: Step | null = null;
  #turn = 0; // counts what is under way, so that what was overtaken does nothing more
  #unclear = 0;
  #frames = 0;
  #listeners = new AbortController();
  #unsubscribe: () => void = () => undefined;

  constructor(page: Bootstrap) {
    this.#page = page;
    this.pauseSeconds.value = storage.pauseSeconds() ?? page.voice?.pauseSeconds ?? 1.5;
  }

  /** Begins or goes on. Call it in a tap. */
  async begin(): Promise<void> {
    if (this.phase.value === 'opening') return;
    this.#voice.unlock();
    this.remark.value = this.reason.value = '';
    this.phase.value = 'opening';
    const unsupported = unsupportedReason() ?? ('AudioWorkletNode' in window ? null : 'unsupported');
    if (unsupported) return this.leave(problemKey(unsupported));
    try {
      const token = session.interviewToken();
      const stream = await openMicrophone(session.step.value?.capture?.camera === true, storage.devices(token));
      this.#microphone = await Microphone.listen(stream, (level) => this.#hear(level), () => void this.leave(problemKey('gone')));
      this.camera.value = stream.getVideoTracks().length > 0 ? stream : null;
      await resume(token);
    } catch (e) {
      return this.leave(problemKey(problemOf(e)));
    }
    handsFree.value = true;
    storage.saveHandsFree(session.interviewToken(), true);
    this.#detector = new VoiceDetector();
    this.#listeners = new AbortController();
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') void this.pause('hfHidden');
    }, { signal: this.#listeners.signal });
    this.#at = null;
    this.#unsubscribe = session.step.subscribe((at) => queueMicrotask(() => void this.#follow(at))); // once the step's draft is there, too
  }

  /** Leaves hands-free. reason is the key of why, if the participant did not want it. What was said stays in the fields. */
  async leave(reason = ''): Promise<void> {
    await this.#close();
    const spoken = (session.draft.value.takes?.length ?? 0) > 0;
    this.phase.value = 'off';
    this.reason.value = reason;
    storage.saveHandsFree(session.interviewToken(), false);
    if (this.words.value && !session.draft.value.text) session.change({ text: this.words.value, heard: this.words.value });
    if (!reason) session.inputMode.value = 'text';
    if (session.step.value?.capture) session.change({ way: spoken || (reason && session.step.value.capture.first === 'voice') ? 'voice' : 'text' });
    handsFree.value = false;
  }

  /** Stops for a while; begin goes on. */
  async pause(remark: string): Promise<void> {
    if (this.phase.value === 'writing' || this.phase.value === 'paused' || this.phase.value === 'off') return;
    await this.#close();
    this.remark.value = remark;
    this.phase.value = 'paused';
  }

  /** Stops the moderator, and listens. */
  interrupt(): void {
    this.#voice.stop();
  }

  /** Goes on without waiting for silence. */
  async done(): Promise<void> {
    const listening = this.#listening;
    if (!listening) return;
    this.#listening = null;
    await new Promise((resolve) => setTimeout(resolve, lag * 1000));
    await this.#finish();
  }

  setPause(seconds: number): void {
    this.pauseSeconds.value = seconds;
    storage.savePauseSeconds(seconds);
    this.#listening?.setPause(seconds * 1000);
  }

  async #close(): Promise<void> {
    this.#turn++;
    this.#unsubscribe();
    this.#listeners.abort();
    this.#listening = null;
    this.#voice.stop();
    const parts = this.#parts;
    this.#parts = null;
    await parts?.close();
    this.#microphone?.close();
    this.#microphone = null;
    this.camera.value = null;
  }

  /** Follows the interview to a step. */
  async #follow(at: Step | null): Promise<void> {
    if (at?.stepId === this.#at?.stepId) return;
    this.#at = at;
    this.#unclear = 0;
    this.words.value = this.remark.value = '';
    if (!at || ended(at)) {
      await this.#close();
      this.phase.value = 'off';
      handsFree.value = false;
      return;
    }
    const answered = this.#parts;
    this.#parts = null;
    answered?.release();
    void answered?.close();
    if (at.support) { // the participant decides when to go on
      this.phase.value = 'yours';
      await this.pause('');
      return;
    }
    await this.#ask(at);
  }

  async #ask(at: Step): Promise<void> {
    if (document.visibilityState === 'hidden') {
      this.phase.value = 'yours';
      return this.pause('hfHidden');
    }
    const own = ++this.#turn;
    const { tags } = this.#page;
    let interrupted = false;
    if (!session.draft.value.takes?.length) { // else it was asked before an interruption
      this.phase.value = 'speaking';
      this.#detector.restart();
      const how = await this.#voice.speak(`/i/${session.interviewToken()}/steps/${at.stepId}/speech`, at.moderator ?? '', at.kind === 'follow_up' ? tags.moderator : tags.content);
      if (own !== this.#turn) return;
      interrupted = how === 'stopped' && this.#detector.insisting;
      if (how === 'silent') document.getElementById(headingId)?.focus({ preventScroll: true }); // a screen reader reads it
      if (how === 'ended' && at.kind === 'statement' && !at.question?.media.length && !at.question?.embed) {
        await session.submit();
        return;
      }
    }
    if (!speaksAnswer(at)) {
      this.phase.value = 'yours';
      return;
    }
    this.#listen(at, interrupted);
  }

  #listen(at: Step, speaking = false): void {
    const microphone = this.#microphone;
    if (!microphone || !at.capture || !at.stepId) return;
    if (!this.#parts) {
      const parts: SpokenParts = new SpokenParts({
        capture: at.capture, token: session.interviewToken(), stepId: at.stepId, address: session.uploadsPath(), stream: microphone.recorded,
        save: (recording) => saveRecording(recording),
        onGone: () => void this.leave(problemKey('gone')),
        onFull: () => void this.#finish(),
        onWords: () => { if (this.#parts === parts) this.words.value = this.#wordsOf(parts); },
      });
      this.#parts = parts;
      for (const earlier of session.draft.value.takes ?? []) void parts.words(earlier);
    }
    try {
      this.#parts.begin();
    } catch (e) {
      void this.leave(problemKey(problemOf(e)));
      return;
    }
    this.left.value = 1;
    this.#detector.restart();
    if (speaking) this.#parts.speak();
    this.#listening = new Listening({ pause: this.pauseSeconds.value * 1000, cuts: this.#page.voice?.liveWords === true, speaking });
    this.phase.value = speaking ? 'speech' : 'listening';
  }

  /** Takes the level of a frame. */
  #hear(decibels: number): void {
    const speech = this.#detector.add(decibels);
    if (++this.#frames % 4 === 0) this.level.value = Math.min(Math.max((decibels + 65) / 55, 0), 1);
    if (this.phase.value === 'speaking' && this.#at && speaksAnswer(this.#at) && this.#detector.insisting) this.interrupt();
    const listening = this.#listening;
    const event = listening?.add(speech, frame);
    if (listening && this.#frames % 4 === 0) this.left.value = listening.left;
    if (event) this.#react(event);
  }

  #react(event: SpeechEvent): void {
    switch (event) {
      case 'spoke':
      case 'resumed':
        this.#parts?.speak();
        this.remark.value = '';
        this.phase.value = 'speech';
        return;
      case 'pause':
        this.phase.value = 'more';
        this.#parts?.cut();
        return;
      case 'cut':
        this.#parts?.cut();
        return;
      case 'silent':
        this.remark.value = 'hfSilent';
        return;
      case 'gone':
        void this.pause('hfNobody');
        return;
      case 'end':
        void this.#finish();
    }
  }

  /** Sends the answer as it was said. */
  async #finish(): Promise<void> {
    const own = ++this.#turn;
    const parts = this.#parts;
    const at = this.#at;
    if (!parts || !at) return;
    performance.mark('handsfree-end');
    this.#listening = null;
    this.phase.value = 'writing';
    await parts.stop();
    const made = session.draft.value.takes ?? [];
    const transcripts = await Promise.all(made.map((recording) => parts.words(recording)));
    if (own !== this.#turn || session.step.value !== at) return;
    const text = this.#wordsOf(parts);
    if (made.length === 0 || !text && transcripts.every((transcript) => transcript?.status === 'silent')) {
      await this.#again(at);
      return;
    }
    this.words.value = text;
    session.change({ way: 'voice', text, heard: text });
    await session.submit();
    if (own === this.#turn && session.step.value === at && session.sending.value === 'no' && session.view.value === 'step') await this.leave('hfTrouble');
  }

  /** Asks to say it again where no word was understood. */
  async #again(at: Step): Promise<void> {
    discard(session.draft.value.takes ?? []);
    session.change({ takes: [] });
    if (++this.#unclear > unclearTimes) {
      await this.leave('hfTrouble');
      return;
    }
    this.remark.value = 'hfUnclear';
    this.#listen(at);
  }

  /** Returns the words of all recordings of the answer, after what was typed before. */
  #wordsOf(parts: SpokenParts): string {
    const draft = session.draft.value;
    const typed = draft.text === draft.heard ? '' : draft.text;
    const spoken = (draft.takes ?? []).map(({ tapes }) => parts.known.get(tapes.audio ?? tapes.video ?? '') ?? '');
    return [typed, ...spoken].filter(Boolean).join(' ');
  }
}

const problemKey = (problem: string): string => `rec${problem.charAt(0).toUpperCase()}${problem.slice(1)}Title`;

/** Adds a recording to the draft, or replaces it. */
function saveRecording(recording: Recording): void {
  const same = (other: Recording) => Object.values(other.tapes)[0] === Object.values(recording.tapes)[0];
  const takes = session.draft.value.takes ?? [];
  session.change({ takes: takes.some(same) ? takes.map((other) => (same(other) ? recording : other)) : [...takes, recording], way: 'voice' });
}
