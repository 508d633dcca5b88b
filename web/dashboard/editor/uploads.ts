// Files on their way to the server, in pieces, each of which says where it begins: what breaks off goes on from there.
import { signal } from '@preact/signals';
import { api, ask, Failure, failureOf, type Schemas } from '../api';

export type Media = Schemas['Media'];

/** Talks to the server about the files of one study. */
export interface MediaServer {
  begin: (name: string, size: number) => Promise<Media>;
  send: (id: string, offset: number, chunk: Blob, stop: AbortSignal) => Promise<Media>;
  look: (id: string) => Promise<Media>;
  cancel: (id: string) => Promise<unknown>;
  /** Resolves after so many milliseconds, or when something changed that is worth another try. */
  wait: (milliseconds: number, stop: AbortSignal) => Promise<void>;
  now: () => number;
}

export interface Upload {
  key: number;
  /** The place that the file is for. */
  place: string;
  name: string;
  size: number;
  sent: number;
  state: 'sending' | 'waiting' | 'preparing' | 'failed';
  problem: string;
}

const [least, first, max] = [256 << 10, 1 << 20, 4 << 20];
const [quick, slow] = [3_000, 15_000];
const [firstRetry, lastRetry, look] = [1_000, 30_000, 2_000];

/** The largest file that the server takes, in bytes. */
export const largest = 512 << 20;

/** Returns the uploads of one study. */
export class Uploads {
  readonly all = signal<readonly Upload[]>([]);
  #last = 0;
  #stops = new Map<number, AbortController>();

  constructor(private readonly server: MediaServer) {}

  /** Sends a file, and calls done when it can be shown. What cannot be taken stays in the list with the reason. */
  async start(file: File, place: string, done: (media: Media) => void): Promise<void> {
    const key = ++this.#last;
    const stop = new AbortController();
    this.#stops.set(key, stop);
    this.all.value = [...this.all.value, { key, place, name: file.name, size: file.size, sent: 0, state: 'sending', problem: '' }];
    try {
      const media = await this.#send(file, key, stop.signal);
      if (stop.signal.aborted) return;
      if (media.stage === 'failed') {
        this.#set(key, { state: 'failed', problem: media.problem });
        return;
      }
      this.#remove(key);
      done(media);
    } catch (error) {
      if (!stop.signal.aborted) this.#set(key, { state: 'failed', problem: failureOf(error).message });
    } finally {
      this.#stops.delete(key);
    }
  }

  /** Ends an upload, or takes one that failed from the list. */
  stop(key: number): void {
    this.#stops.get(key)?.abort();
    this.#remove(key);
  }

  #set(key: number, change: Partial<Upload>): void {
    this.all.value = this.all.value.map((upload) => (upload.key === key ? { ...upload, ...change } : upload));
  }

  #remove(key: number): void {
    this.all.value = this.all.value.filter((upload) => upload.key !== key);
  }

  // again tries until the server can be reached and answers with something else than that it is busy.
  async #again<T>(key: number, stop: AbortSignal, work: () => Promise<T>, during: Upload['state']): Promise<T> {
    for (let pause = firstRetry; ; pause = Math.min(2 * pause, lastRetry)) {
      try {
        const result = await work();
        this.#set(key, { state: during });
        return result;
      } catch (error) {
        const failure = failureOf(error);
        if (stop.aborted || !failure.temporary) throw failure;
        this.#set(key, { state: 'waiting' });
        await this.server.wait(Math.max(pause, failure.retryAfter * 1_000), stop);
        if (stop.aborted) throw failure;
      }
    }
  }

  async #send(file: File, key: number, stop: AbortSignal): Promise<Media> {
    let media = await this.#again(key, stop, () => this.server.begin(file.name, file.size), 'sending');
    stop.addEventListener('abort', () => void this.server.cancel(media.id).catch(() => {}));
    let size = first;
    while (media.stage === 'uploading') {
      const { id, received } = media;
      const began = this.server.now();
      media = await this.#again(key, stop, async () => {
        try {
          return await this.server.send(id, received, file.slice(received, received + size), stop);
        } catch (error) {
          if (!(error instanceof Failure) || error.code !== 'offset_conflict') throw error;
          return this.server.look(id); // an answer was lost: it says what arrived
        }
      }, 'sending');
      const took = this.server.now() - began;
      size = took < quick ? Math.min(max, 2 * size) : took > slow ? Math.max(least, size / 2) : size;
      this.#set(key, { sent: media.received });
    }
    while (media.stage === 'queued') {
      this.#set(key, { state: 'preparing' });
      await this.server.wait(look, stop);
      if (stop.aborted) return media;
      media = await this.#again(key, stop, () => this.server.look(media.id), 'preparing');
    }
    return media;
  }
}

/** Returns the server's side of the files of a study. */
export function mediaOf(link: string): MediaServer {
  const path = { studyRef: link };
  const one = (mediaId: string) => ({ params: { path: { ...path, mediaId } } });
  return {
    begin: (name, size) => ask(api.POST('/api/dashboard/studies/{studyRef}/media', { params: { path }, body: { name, size } })),
    send: async (id, offset, chunk, stop) => {
      const reply = fetch(`/api/dashboard/studies/${encodeURIComponent(link)}/media/${id}`, {
        method: 'PATCH', body: chunk, signal: stop, headers: { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(offset) },
      }).then(async (response) => {
        const body: unknown = await response.json().catch(() => ({}));
        return response.ok ? { data: body as Media, response } : { error: body, response };
      });
      return ask<Media>(reply);
    },
    look: (id) => ask(api.GET('/api/dashboard/studies/{studyRef}/media/{mediaId}', one(id))),
    cancel: (id) => ask(api.DELETE('/api/dashboard/studies/{studyRef}/media/{mediaId}', one(id))),
    wait: (milliseconds, stop) => new Promise((resolve) => {
      const listening = new AbortController();
      const end = () => {
        listening.abort();
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      addEventListener('online', end, { signal: listening.signal });
      stop.addEventListener('abort', end, { signal: listening.signal });
    }),
    now: () => Date.now(),
  };
}
