import type { Source } from '../../shared/tus';

/** Buffers the bytes of one segment in memory while they are recorded and sent. */
export class SegmentBuffer implements Source {
  #chunks: { from: number; blob: Blob }[] = [];
  #waiting: (() => void)[] = [];
  size = 0;
  ended = false;

  constructor(readonly type: string, chunks: Blob[] = []) {
    for (const blob of chunks) this.add(blob);
  }

  add(blob: Blob): void {
    if (blob.size === 0) return;
    this.#chunks.push({ from: this.size, blob });
    this.size += blob.size;
    this.#wake();
  }

  /** Whether the bytes are still in memory. Those that have arrived may have been cleared. */
  get hasBytes(): boolean {
    return this.#chunks.length > 0;
  }

  /** Frees the bytes. */
  clear(): void {
    this.#chunks = [];
  }

  end(): void {
    this.ended = true;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async slice(start: number, end: number): Promise<{ value: Blob; done: boolean }> {
    while (!this.ended && this.size <= start) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const to = Math.min(end, this.size);
    const parts = this.#chunks
      .filter((c) => c.from < to && c.from + c.blob.size > start)
      .map((c) => c.blob.slice(Math.max(start - c.from, 0), Math.min(to - c.from, c.blob.size)));
    return { value: new Blob(parts), done: this.ended && to >= this.size };
  }

  /** Returns all bytes, to be played. */
  toBlob(): Blob {
    return new Blob(this.#chunks.map((c) => c.blob), { type: this.type });
  }
}
