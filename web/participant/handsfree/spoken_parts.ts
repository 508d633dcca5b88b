// The parts in which an answer is recorded: a part ends at a long pause, so that its words are known when the pause proves to be the end.
import type { Recording } from '../../shared/draft';
import type { Capture, Transcript } from '../../shared/protocol';
import { backoffDelay, waitForRetry } from '../../shared/retry';
import { RecordingSession } from '../recorder/recording_session';
import type { Segment } from '../recorder/segment';
import { beginSegment, discard, segmentById } from '../recorder/uploader';
import { isRecording } from '../recording_state';
import { send } from '../send';

interface Options {
  capture: Capture;
  token: string;
  stepId: string;
  /** The path where uploads are created. */
  address: string;
  stream: MediaStream;
  /** Adds a recording to the draft, or changes its length. */
  save(recording: Recording): void;
  onGone(): void;
  onFull(): void;
  /** Called when the words of another recording are known. */
  onWords(): void;
}

const maxAttempts = 12; // to fetch a transcript: several minutes

export class SpokenParts {
  #current: { session: RecordingSession; recording: Recording; spoken: boolean } | null = null;
  #words = new Map<string, Promise<Transcript | null>>();
  readonly known = new Map<string, string>();
  readonly #over = new AbortController();

  constructor(private options: Options) {}

  /** Begins a part. It becomes part of the answer when somebody speaks in it. */
  begin(): void {
    const { capture, token, stepId, stream, onGone, onFull } = this.options;
    const recording: Recording = { seconds: 0, tapes: {} };
    const session = new RecordingSession(stream, null, {
      maxBytes: capture.maxBytes,
      beginSegment: (kind, type) => {
        const segment = beginSegment(token, stepId, kind, type);
        recording.tapes[kind] = segment.stored.id;
        return segment;
      },
      onGone,
      onFull,
    });
    this.#current = { session, recording, spoken: false };
    isRecording.value = true;
  }

  /** Notes that somebody speaks. */
  speak(): void {
    if (!this.#current || this.#current.spoken) return;
    this.#current.spoken = true;
    this.options.save(this.#current.recording);
  }

  /** Ends the part and has it transcribed, while the next one is recorded. */
  cut(): void {
    const ending = this.#current;
    if (!ending?.spoken) return;
    this.begin(); // before the other ends, so that nothing is missing between them
    void this.#end(ending);
  }

  /** Ends recording. What was not spoken is discarded. */
  async stop(): Promise<void> {
    const ending = this.#current;
    this.#current = null;
    if (ending) await this.#end(ending);
    isRecording.value = false;
  }

  async #end({ session, recording, spoken }: { session: RecordingSession; recording: Recording; spoken: boolean }): Promise<void> {
    await session.stop();
    if (!spoken) {
      discard([recording]);
      return;
    }
    this.options.save({ ...recording, seconds: session.seconds() });
    void this.words(recording);
  }

  /** Returns the transcript of a recording, once it is there; null where there is none. */
  words(recording: Recording): Promise<Transcript | null> {
    const id = recording.tapes.audio ?? recording.tapes.video ?? '';
    const known = this.#words.get(id);
    if (known) return known;
    const segment = segmentById(id);
    const coming = segment ? this.#fetch(segment) : Promise.resolve(null);
    this.#words.set(id, coming);
    void coming.then((transcript) => {
      if (!transcript?.text.trim()) return;
      this.known.set(id, transcript.text.trim());
      this.options.onWords();
    });
    return coming;
  }

  async #fetch(segment: Segment): Promise<Transcript | null> {
    if (!await arrived(segment)) return null;
    const upload = await segment.uploadId;
    for (let attempt = 0; attempt < maxAttempts && !this.#over.signal.aborted; attempt++) {
      const reply = await send<Transcript>('POST', `${this.options.address}/${upload}/transcript`);
      if (reply.kind === 'ok') return reply.body;
      if (reply.kind !== 'retry') return null;
      await waitForRetry(backoffDelay(Math.min(attempt, 4), reply.after), this.#over.signal);
    }
    return null;
  }

  /** Lets go of the sound that has arrived, because the answer is sent. */
  release(): void {
    for (const id of this.#words.keys()) segmentById(id)?.release();
  }

  /** Ends what is under way. What was said stays in the draft. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.stop();
  }
}

/** Waits until a segment has arrived at the server. Returns false when the server refuses it. */
const arrived = (segment: Segment) => new Promise<boolean>((resolve) => {
  const unsubscribe = segment.state.subscribe((state) => {
    if (state !== 'sending') queueMicrotask(() => { unsubscribe(); resolve(state === 'sent'); });
  });
});
