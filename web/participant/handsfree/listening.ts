// Decides from speech and silence when an answer has ended.

/**
 * What happened: speech began, was followed by a long pause, went on, or is over; a short pause where a part may be transcribed; nobody speaks yet;
 * nobody has spoken for so long that nobody may be there.
 */
export type SpeechEvent = 'spoke' | 'pause' | 'resumed' | 'end' | 'cut' | 'silent' | 'gone';

interface Options {
  /** The silence after which the participant gets a second chance, in ms. */
  pause: number;
  /** Whether speech is cut at short pauses. */
  cuts: boolean;
  /** Whether somebody speaks already. */
  speaking?: boolean;
}

/** The second chance after a pause, in ms. */
export const chance = 3000;
const timeouts = { silent: 20_000, gone: 60_000 }; // ms
const cut = { silence: 700, least: 4000 }; // ms of a short pause, and of the part before it

export class Listening {
  #state: 'waiting' | 'speaking' | 'chance' | 'over' = 'waiting';
  #quiet = 0; // ms of silence
  #length = 0; // ms since speech began or was cut
  #said = false; // whether the silence was reported

  constructor(private options: Options) {
    if (options.speaking) this.#state = 'speaking';
  }

  /** Changes the silence after which there is a second chance. */
  setPause(pause: number): void {
    this.options = { ...this.options, pause };
  }

  /** The share of the second chance that is left, from 1 to 0. */
  get left(): number {
    return this.#state === 'chance' ? Math.max(1 - (this.#quiet - this.options.pause) / chance, 0) : 1;
  }

  /** Takes some ms in which somebody spoke or not. */
  add(speech: boolean, ms: number): SpeechEvent | null {
    this.#quiet = speech ? 0 : this.#quiet + ms;
    this.#length += ms;
    switch (this.#state) {
      case 'waiting':
        if (speech) return this.#speak('spoke');
        if (this.#quiet >= timeouts.gone) {
          this.#state = 'over';
          return 'gone';
        }
        if (this.#said || this.#quiet < timeouts.silent) return null;
        this.#said = true;
        return 'silent';
      case 'speaking':
        if (this.#quiet >= this.options.pause) {
          this.#state = 'chance';
          return 'pause';
        }
        if (!this.options.cuts || this.#quiet < cut.silence || this.#length < cut.least) return null;
        this.#length = 0;
        return 'cut';
      case 'chance':
        if (speech) return this.#speak('resumed');
        if (this.#quiet < this.options.pause + chance) return null;
        this.#state = 'over';
        return 'end';
      case 'over':
        return null;
    }
  }

  #speak(what: 'spoke' | 'resumed'): SpeechEvent {
    this.#state = 'speaking';
    this.#length = 0;
    return what;
  }
}
