// Tells speech from background noise by its level. The level of the noise is the lowest of the last seconds, because even fast speech has gaps; so
// a fan or a street that begins to hum counts as speech for these seconds at most.

/** The length of a frame, in ms. */
export const frame = 20;

const window = { part: 25, parts: 10 }; // frames of a part of the time in which the lowest level is found, and parts: 5 s
const quietRoom = -55; // dB, taken for the noise until there was time to find it
const settled = 75; // frames until then
const silence = -75; // dB, the lowest level that counts as noise
const faint = -60; // dB, below which nothing is speech
const margins = { begin: 10, stay: 7, insist: 14 }; // dB above the noise
const begins = { frames: 5, of: 8 }; // loud frames by which speech begins
const hangover = 15; // frames that speech lasts after the last loud one
const insists = { frames: 24, of: 40 }; // clearly loud frames by which somebody interrupts

export class VoiceDetector {
  #recent: number[] = []; // levels of the last 100 ms
  #minima: number[] = [];
  #lowest = Infinity; // of the current part
  #frames = 0;
  #loud: boolean[] = [];
  #clear: boolean[] = [];
  #quiet = 0; // frames since the last loud one
  #speaking = false;

  /** The level of the background noise, in dB. */
  get noise(): number {
    const lowest = Math.min(this.#lowest, ...this.#minima, this.#frames < settled ? quietRoom : Infinity);
    return Number.isFinite(lowest) ? Math.max(lowest, silence) : quietRoom;
  }

  /** Whether somebody has spoken clearly for most of the last 0.8 s, as who interrupts does; a cough does not. */
  get insisting(): boolean {
    return this.#clear.filter(Boolean).length >= insists.frames;
  }

  /** Takes the level of the next frame, in dB, and reports whether somebody speaks. */
  add(level: number): boolean {
    this.#follow(level);
    const above = level - this.noise;
    const audible = level > faint;
    push(this.#loud, audible && above > margins.begin, begins.of);
    push(this.#clear, audible && above > margins.insist, insists.of);
    this.#quiet = audible && above > margins.stay ? 0 : this.#quiet + 1;
    if (this.#speaking) this.#speaking = this.#quiet < hangover;
    else this.#speaking = this.#loud.filter(Boolean).length >= begins.frames;
    return this.#speaking;
  }

  /** Forgets what was spoken, but not the noise: the moderator's own voice is over. */
  restart(): void {
    this.#loud = [];
    this.#clear = [];
    this.#speaking = false;
  }

  #follow(level: number): void {
    push(this.#recent, level, 5);
    if (this.#recent.length === 5) this.#lowest = Math.min(this.#lowest, this.#recent.reduce((sum, one) => sum + one, 0) / 5);
    if (++this.#frames % window.part > 0) return;
    push(this.#minima, this.#lowest, window.parts);
    this.#lowest = Infinity;
  }
}

/** Adds a value to a list that keeps the last ones. */
function push<T>(list: T[], value: T, limit: number): void {
  list.push(value);
  if (list.length > limit) list.shift();
}
