import type { Source } from '../../shared/tus';

/** The bytes of one session of a recorder, as they come. */
export class Reel implements Source {
  #pieces: { from: number; blob: Blob }[] = [];
  #woken: (() => void)[] = [];
  size = 0;
  ended = false;

  constructor(readonly type: string, pieces: Blob[] = []) {
    for (const blob of pieces) this.add(blob);
  }

  add(blob: Blob): void {
    if (blob.size === 0) return;
    this.#pieces.push({ from: this.size, blob });
    this.size += blob.size;
    this.#wake();
  }

  /** Whether its bytes are here; those that have arrived may be gone. */
  get here(): boolean {
    return this.#pieces.length > 0;
  }

  /** Forgets the bytes, which nobody needs any more. */
  drop(): void {
    this.#pieces = [];
  }

  end(): void {
    this.ended = true;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#woken.splice(0)) wake();
  }

  async slice(start: number, end: number): Promise<{ value: Blob; done: boolean }> {
    while (!this.ended && this.size <= start) await new Promise<void>((resolve) => this.#woken.push(resolve));
    const to = Math.min(end, this.size);
    const parts = this.#pieces
      .filter((p) => p.from < to && p.from + p.blob.size > start)
      .map((p) => p.blob.slice(Math.max(start - p.from, 0), Math.min(to - p.from, p.blob.size)));
    return { value: new Blob(parts), done: this.ended && to >= this.size };
  }

  /** All of it, to be played. */
  whole(): Blob {
    return new Blob(this.#pieces.map((p) => p.blob), { type: this.type });
  }
}
