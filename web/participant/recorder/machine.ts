// One session of recording: a recorder for the voice, with the camera where there is one, and another for the screen.
import type { TapeKind } from '../../shared/draft';
import type { Tape } from './courier';

/** In the order of how little work they make afterwards: avc1 is copied into what is played, anything else is encoded again. */
const films = ['video/x-matroska;codecs=avc1,opus', 'video/webm;codecs=vp8,opus', 'video/mp4', 'video/webm'];
const sounds = ['audio/webm;codecs=opus', 'audio/mp4'];

const every = 1000; // ms; so much a crash can lose
const rates: Record<TapeKind, number> = { audio: 0, video: 1_200_000, screenVideo: 1_500_000 }; // bits a second of the picture
const voice = 64_000; // bits a second

/** videoKeyFrameIntervalDuration is newer than the types. */
type Options = MediaRecorderOptions & { videoKeyFrameIntervalDuration?: number };

/** A recorder of the best type that the browser records a stream in. */
function recorderOf(kind: TapeKind, stream: MediaStream): MediaRecorder {
  for (const mimeType of kind === 'audio' ? sounds : films) {
    if (!MediaRecorder.isTypeSupported(mimeType)) continue;
    const options: Options = { mimeType, audioBitsPerSecond: voice };
    if (kind !== 'audio') Object.assign(options, { videoBitsPerSecond: rates[kind], videoKeyFrameIntervalDuration: 2000 });
    return new MediaRecorder(stream, options);
  }
  return new MediaRecorder(stream);
}

interface Reporter {
  /** Begins a tape. */
  begin(kind: TapeKind, type: string): Tape;
  maxBytes: Record<TapeKind, number>;
  /** A device went away while it was recorded; 'voice' ends the session. */
  onGone(what: 'voice' | 'screen'): void;
  /** The recording has become as long as it may be. */
  onFull(): void;
}

interface Part {
  kind: TapeKind;
  recorder: MediaRecorder;
  tape: Tape;
  over: Promise<void>;
}

export class Machine {
  readonly parts: Part[] = [];
  #before = 0; // ms that ran before the last pause
  #since = 0;

  constructor(voice: MediaStream, screen: MediaStream | null, private report: Reporter) {
    const film = voice.getVideoTracks().length > 0;
    this.#add(film ? 'video' : 'audio', voice, () => report.onGone('voice'));
    if (screen) this.#add('screenVideo', screen, () => report.onGone('screen'));
    this.#since = performance.now();
  }

  #add(kind: TapeKind, stream: MediaStream, gone: () => void): void {
    const recorder = recorderOf(kind, stream);
    recorder.start(every);
    const tape = this.report.begin(kind, recorder.mimeType);
    const over = new Promise<void>((resolve) => {
      recorder.onstop = () => {
        tape.end();
        resolve();
      };
    });
    recorder.ondataavailable = (e) => {
      tape.add(e.data);
      if (tape.reel.size > this.report.maxBytes[kind] * .98 && recorder.state !== 'inactive') this.report.onFull();
    };
    recorder.onerror = gone;
    for (const track of stream.getTracks()) {
      if (track.kind === 'video' || kind !== 'screenVideo') track.onended = gone;
    }
    this.parts.push({ kind, recorder, tape, over });
  }

  get paused(): boolean {
    return this.#since === 0;
  }

  /** How long was recorded, in seconds. */
  seconds(): number {
    return (this.#before + (this.paused ? 0 : performance.now() - this.#since)) / 1000;
  }

  /** How many seconds more fit; Infinity as long as nobody can tell. */
  left(): number {
    const passed = this.seconds();
    if (passed < 3) return Infinity;
    return Math.min(...this.parts.map(({ kind, tape }) => (tape.reel.size > 0 ? (this.report.maxBytes[kind] * .98 / tape.reel.size - 1) * passed : Infinity)));
  }

  pause(): void {
    if (this.paused) return;
    this.#before += performance.now() - this.#since;
    this.#since = 0;
    for (const { recorder } of this.parts) if (recorder.state === 'recording') recorder.pause();
  }

  goOn(): void {
    if (!this.paused) return;
    this.#since = performance.now();
    for (const { recorder } of this.parts) if (recorder.state === 'paused') recorder.resume();
  }

  /** Has what was recorded so far handed out, as the page may be closed. */
  flush(): void {
    for (const { recorder } of this.parts) if (recorder.state !== 'inactive') recorder.requestData();
  }

  /** Ends one part of it, or all. */
  async stop(kind?: TapeKind): Promise<void> {
    if (!kind) this.pause();
    const parts = this.parts.filter((part) => !kind || part.kind === kind);
    for (const { recorder } of parts) if (recorder.state !== 'inactive') recorder.stop();
    await Promise.all(parts.map((part) => part.over));
  }
}
