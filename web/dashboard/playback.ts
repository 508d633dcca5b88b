// Plays the recordings of all rows as one. Elements play one file at a time; this class changes files, keeps the picture of the screen in
// step, and renews links.
import { signal } from '@preact/signals';
import { locate, type Recording, segmentOf, type Segment, type Timeline } from './timeline';

/** How far the picture of the screen may be from the sound, in seconds, before it is moved. */
const maxDrift = 0.1;
/** How often the position is shown while playing, in milliseconds. */
const frame = 50;

export class Playback {
  /** Seconds of the timeline. */
  readonly time = signal(0);
  /** Index of the segment. */
  readonly segment = signal(0);
  readonly playing = signal(false);
  readonly rate = signal(1);
  /** Whether the current recording cannot be played, although its link was renewed. */
  readonly failed = signal(false);

  #main: HTMLVideoElement | null = null;
  #screen: HTMLVideoElement | null = null;
  #timeline: Timeline = { segments: [], duration: 0 };
  #loaded = -1; // the row of the file that the element has
  #renewed = false; // the link of the current file was renewed after an error
  #seekTo: number | null = null; // the second to continue at once the file is known
  #wanted = false; // whether to play once it can
  #shown = 0;

  /** renew asks the server for new links. measured reports the length of a recording, played that one plays. */
  constructor(
    private readonly renew: () => Promise<Timeline>,
    private readonly measured: (row: number, seconds: number) => void,
    private readonly played: (row: number, kind: Recording['kind']) => void = () => {},
  ) {}

  /** Takes the elements that play, or lets them go. */
  attach(main: HTMLVideoElement | null, screen: HTMLVideoElement | null): void {
    this.#main = main;
    this.#screen = screen;
    this.#loaded = -1;
    if (main) this.#load(false);
  }

  /** Takes new links or lengths. A file that plays stays: its bytes may be there already. */
  setTimeline(timeline: Timeline): void {
    const row = this.#current?.row;
    this.#timeline = timeline;
    if (row === undefined) {
      this.#load(false);
      return;
    }
    const index = segmentOf(timeline, row);
    if (index >= 0) {
      this.segment.value = index;
      this.#show();
    }
  }

  get timeline(): Timeline {
    return this.#timeline;
  }

  get #current(): Segment | undefined {
    return this.#timeline.segments[this.segment.peek()];
  }

  play(): void {
    this.#wanted = true;
    this.failed.value = false;
    if (this.time.peek() >= this.#timeline.duration - 0.05) this.seek(0);
    this.#load(false);
    this.#start();
  }

  pause(): void {
    this.#wanted = false;
    this.#main?.pause();
    this.#screen?.pause();
  }

  toggle(): void {
    if (this.playing.peek()) this.pause();
    else this.play();
  }

  setRate(rate: number): void {
    this.rate.value = rate;
    for (const element of [this.#main, this.#screen]) if (element) element.playbackRate = rate;
  }

  /** Goes to a second of the timeline. */
  seek(seconds: number): void {
    const { index, offset } = locate(this.#timeline, seconds);
    const segment = this.#timeline.segments[index];
    if (!segment) return;
    this.segment.value = index;
    this.time.value = segment.start + offset;
    this.#seekTo = offset;
    this.failed.value = false;
    this.#load(false);
    this.#applySeek();
  }

  /** Goes to a second of a row's recording and plays it. Reports whether the row has one. */
  playRow(row: number, offset = 0): boolean {
    const segment = this.#timeline.segments[segmentOf(this.#timeline, row)];
    if (!segment) return false;
    this.seek(segment.start + Math.min(offset, Math.max(0, segment.duration - 0.05)));
    this.play();
    return true;
  }

  /** Goes to the row before or after. */
  step(by: number): void {
    const segment = this.#timeline.segments[Math.max(0, Math.min(this.segment.peek() + by, this.#timeline.segments.length - 1))];
    if (segment) this.seek(segment.start);
  }

  // what the main element reports

  onMetadata = (): void => {
    const seconds = this.#main?.duration ?? Number.NaN;
    const segment = this.#current;
    if (segment && Number.isFinite(seconds) && Math.abs(seconds - segment.duration) > 0.25) this.measured(segment.row, seconds);
    this.#applySeek();
    this.#start();
  };

  onPlay = (): void => {
    this.playing.value = true;
    this.#renewed = false;
    const segment = this.#current;
    for (const recording of segment ? [segment.recording, segment.screen] : []) if (segment && recording) this.played(segment.row, recording.kind);
    requestAnimationFrame(this.#tick);
  };

  onPause = (): void => {
    if (!this.#main?.ended) this.playing.value = false;
    this.#screen?.pause();
  };

  onTime = (): void => this.#show();

  onEnded = (): void => {
    const next = this.#timeline.segments[this.segment.peek() + 1];
    if (!next) {
      this.#wanted = false;
      this.playing.value = false;
      return;
    }
    this.segment.value++;
    this.#seekTo = 0;
    this.time.value = next.start;
    this.#load(false);
    this.#start();
  };

  /** A link may have expired: it is renewed once, and the recording goes on at the same second. */
  onError = async (): Promise<void> => {
    const at = this.#seekTo ?? this.#main?.currentTime ?? 0;
    if (!this.#main?.getAttribute('src')) return;
    if (this.#renewed) {
      this.failed.value = true;
      this.playing.value = false;
      return;
    }
    this.#renewed = true;
    try {
      this.setTimeline(await this.renew());
    } catch {
      this.failed.value = true;
      this.playing.value = false;
      return;
    }
    this.#seekTo = at;
    this.#load(true);
    this.#start();
  };

  /** Gives the element the file of the current segment, if it has another one. */
  #load(again: boolean): void {
    const segment = this.#current;
    if (!this.#main || !segment || (!again && this.#loaded === segment.row)) return;
    if (this.#loaded !== segment.row) this.#renewed = false;
    this.#loaded = segment.row;
    this.#main.poster = segment.recording.poster ?? '';
    this.#main.src = segment.recording.url ?? '';
    this.#main.playbackRate = this.#main.defaultPlaybackRate = this.rate.peek();
    if (!this.#screen) return;
    if (segment.screen?.url) this.#screen.src = segment.screen.url;
    else this.#screen.removeAttribute('src');
  }

  #applySeek(): void {
    if (this.#seekTo === null || !this.#main || this.#main.readyState < HTMLMediaElement.HAVE_METADATA) return;
    this.#main.currentTime = this.#seekTo;
    this.#seekTo = null;
    this.#align();
  }

  #start(): void {
    if (!this.#wanted || !this.#main?.paused) return;
    this.#main.play().catch((error: unknown) => {
      // The browser wants a press first, or a file replaced this one; onError takes care of files that cannot be read.
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.pause();
    });
  }

  /** Keeps the picture of the screen in step with the sound. */
  #align(): void {
    const [main, screen] = [this.#main, this.#screen];
    if (!main || !screen?.getAttribute('src') || screen.readyState < HTMLMediaElement.HAVE_METADATA) return;
    if (Math.abs(screen.currentTime - main.currentTime) > maxDrift && !screen.seeking) screen.currentTime = main.currentTime;
    if (screen.playbackRate !== main.playbackRate) screen.playbackRate = main.playbackRate;
    if (main.paused !== screen.paused && !screen.ended) {
      if (main.paused) screen.pause();
      else screen.play().catch(() => {}); // without the picture of the screen, the sound goes on
    }
  }

  #show(): void {
    const segment = this.#current;
    if (!segment || !this.#main || this.#seekTo !== null) return;
    this.time.value = segment.start + this.#main.currentTime;
  }

  #tick = (now: number): void => {
    if (!this.playing.peek()) return;
    if (now - this.#shown >= frame) {
      this.#shown = now;
      this.#show();
      this.#align();
    }
    requestAnimationFrame(this.#tick);
  };
}
