// One recording: a MediaRecorder for the voice, with the camera where there is one, and another for the screen.
import type { RecordingKind } from '../../shared/protocol';
import type { Segment } from './segment';

/** In the order of how little transcoding they need: avc1 is copied, anything else is encoded again. */
const videoTypes = ['video/x-matroska;codecs=avc1,opus', 'video/webm;codecs=vp8,opus', 'video/mp4', 'video/webm'];
const audioTypes = ['audio/webm;codecs=opus', 'audio/mp4'];

const timeslice = 1000; // ms; a crash loses at most this much
const videoRates: Record<RecordingKind, number> = { audio: 0, video: 1_200_000, screenVideo: 1_500_000 }; // bits per second, of the video track
const audioRate = 64_000; // bits per second

/** videoKeyFrameIntervalDuration is missing in TypeScript's DOM types. */
type Options = MediaRecorderOptions & { videoKeyFrameIntervalDuration?: number };

/** Returns a recorder of the first type that the browser supports. */
function recorderOf(kind: RecordingKind, stream: MediaStream): MediaRecorder {
  for (const mimeType of kind === 'audio' ? audioTypes : videoTypes) {
    if (!MediaRecorder.isTypeSupported(mimeType)) continue;
    const options: Options = { mimeType, audioBitsPerSecond: audioRate };
    if (kind !== 'audio') Object.assign(options, { videoBitsPerSecond: videoRates[kind], videoKeyFrameIntervalDuration: 2000 });
    return new MediaRecorder(stream, options);
  }
  return new MediaRecorder(stream);
}

interface SessionOptions {
  /** Creates the segment that a recorder's bytes are added to. */
  beginSegment(kind: RecordingKind, type: string): Segment;
  maxBytes: Record<RecordingKind, number>;
  /** Called when a device is lost while it is recorded. Losing 'voice' ends the recording. */
  onGone(device: 'voice' | 'screen'): void;
  /** Called when the recording has reached its maximum size. */
  onFull(): void;
}

interface Part {
  kind: RecordingKind;
  recorder: MediaRecorder;
  segment: Segment;
  stopped: Promise<void>;
}

/** One run of the recorder. It can be paused and resumed. It records as soon as it is constructed. */
export class RecordingSession {
  readonly parts: Part[] = [];
  #before = 0; // ms recorded before the last pause
  #since = 0; // when recording last began or resumed, in ms; 0 while paused

  constructor(voice: MediaStream, screen: MediaStream | null, private options: SessionOptions) {
    const hasVideo = voice.getVideoTracks().length > 0;
    this.#add(hasVideo ? 'video' : 'audio', voice, () => options.onGone('voice'));
    if (screen) this.#add('screenVideo', screen, () => options.onGone('screen'));
    this.#since = performance.now();
  }

  #add(kind: RecordingKind, stream: MediaStream, gone: () => void): void {
    const recorder = recorderOf(kind, stream);
    recorder.start(timeslice);
    const segment = this.options.beginSegment(kind, recorder.mimeType);
    const stopped = new Promise<void>((resolve) => {
      recorder.onstop = () => {
        segment.end();
        resolve();
      };
    });
    recorder.ondataavailable = (e) => {
      segment.add(e.data);
      if (segment.buffer.size > this.options.maxBytes[kind] * .98 && recorder.state !== 'inactive') this.options.onFull();
    };
    recorder.onerror = gone;
    for (const track of stream.getTracks()) {
      if (track.kind === 'video' || kind !== 'screenVideo') track.onended = gone;
    }
    this.parts.push({ kind, recorder, segment, stopped });
  }

  get paused(): boolean {
    return this.#since === 0;
  }

  /** Returns the recorded length, in seconds. */
  seconds(): number {
    return (this.#before + (this.paused ? 0 : performance.now() - this.#since)) / 1000;
  }

  /** Estimates how many seconds can still be recorded, from the bytes recorded so far; Infinity in the first seconds. */
  left(): number {
    const length = this.seconds();
    if (length < 3) return Infinity;
    return Math.min(...this.parts.map(({ kind, segment: { buffer } }) => (
      buffer.size > 0 ? (this.options.maxBytes[kind] * .98 / buffer.size - 1) * length : Infinity
    )));
  }

  pause(): void {
    if (this.paused) return;
    this.#before += performance.now() - this.#since;
    this.#since = 0;
    for (const { recorder } of this.parts) if (recorder.state === 'recording') recorder.pause();
  }

  resume(): void {
    if (!this.paused) return;
    this.#since = performance.now();
    for (const { recorder } of this.parts) if (recorder.state === 'paused') recorder.resume();
  }

  /** Makes the recorders deliver what they hold, because the page may be closed. */
  flush(): void {
    for (const { recorder } of this.parts) if (recorder.state !== 'inactive') recorder.requestData();
  }

  /** Stops recording one kind, or all. */
  async stop(kind?: RecordingKind): Promise<void> {
    if (!kind) this.pause();
    const parts = this.parts.filter((part) => !kind || part.kind === kind);
    for (const { recorder } of parts) if (recorder.state !== 'inactive') recorder.stop();
    await Promise.all(parts.map((part) => part.stopped));
  }
}
