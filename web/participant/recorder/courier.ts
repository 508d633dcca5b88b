// Brings what is recorded to the server: while it is recorded, behind the questions that follow, and after a reload.
import { signal } from '@preact/signals';
import type { Take, TapeKind } from '../../shared/draft';
import { backOff, rest } from '../../shared/patience';
import type { Answer } from '../../shared/protocol';
import { deliver, idOf, Refused, remove } from '../../shared/tus';
import * as keep from '../keep';
import { lost, running, unsent } from '../recordings';
import { Reel } from './reel';
import * as shelf from './shelf';

/** One session of a recorder on its way. */
export class Tape {
  readonly state = signal<'sending' | 'sent' | 'refused'>('sending');
  /** Why it was refused. */
  code = '';
  sent = 0;
  /** Whether it is being sent, so that its name will be known. */
  carried = false;
  readonly stop = new AbortController();
  /** The upload's id, as soon as it is known; empty when there will be none. */
  readonly named: Promise<string>;
  name: (id: string) => void = () => undefined;
  #pieces = 0;
  #left = false;

  constructor(readonly row: shelf.Row, readonly reel: Reel) {
    this.named = new Promise((resolve) => { this.name = resolve; });
  }

  add(blob: Blob): void {
    if (blob.size === 0) return;
    this.reel.add(blob);
    void shelf.putPiece(this.row.id, this.#pieces++, blob);
    count();
  }

  end(): void {
    this.reel.end();
    count();
  }

  /** Says that nobody will play it here any more, so that a long interview does not fill the memory. */
  leave(): void {
    this.#left = true;
    this.tidy();
  }

  tidy(): void {
    if (this.#left && this.state.value === 'sent') this.reel.drop();
  }
}

const tapes = new Map<string, Tape>();
const going = new Set<Promise<void>>(); // what has been thrown away and is not gone yet
const uploads = (token: string): string => `/i/${token}/uploads`;
const dayAndNight = 24 * 3600 * 1000; // ms; unfinished uploads expire by then

/** A recording, by the id that a take names it with. */
export const tape = (id: string | undefined): Tape | undefined => (id ? tapes.get(id) : undefined);

/** Begins to send what a recorder is about to give. */
export function begin(token: string, stepId: string, kind: TapeKind, type: string): Tape {
  const row: shelf.Row = { id: crypto.randomUUID(), token, stepId, kind, type, url: null, state: 'kept', at: Date.now() };
  keep.keepTaped(token, true);
  void shelf.put(row);
  const made = new Tape(row, new Reel(type));
  tapes.set(row.id, made);
  void carry(made);
  return made;
}

let resumed: Promise<void> | undefined;

/** Takes up what an earlier page has left: finishes what it was sending, and what it was throwing away. */
export function resume(token: string): Promise<void> {
  resumed ??= (async () => {
    for (const row of await shelf.rows(token)) {
      if (tapes.has(row.id)) continue;
      if (row.at < Date.now() - dayAndNight) {
        void shelf.remove(row.id);
        continue;
      }
      const pieces = await shelf.pieces(row.id);
      const found = new Tape(row, new Reel(row.type, pieces));
      found.reel.end();
      if (row.state === 'sent') found.state.value = 'sent';
      if (row.url) found.name(idOf(row.url));
      tapes.set(row.id, found);
      if (row.state === 'discarded' || pieces.length === 0 && row.state === 'kept') throwAway(found);
      else if (row.state === 'kept') void carry(found);
    }
    count();
  })();
  return resumed;
}

/** Holds a lock while it works, so that of several pages one sends a tape. When that page is gone another takes over. */
async function alone(id: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work();
  await navigator.locks.request(`verbatim.tape.${id}`, { signal }, work);
}

async function carry(one: Tape): Promise<void> {
  const { row, reel, stop } = one;
  one.carried = true;
  try {
    await alone(row.id, stop.signal, async () => {
      const now = await shelf.row(row.id);
      if (now?.state === 'sent') { // by another page
        one.name(idOf(now.url ?? ''));
        return;
      }
      row.url = now?.url ?? row.url;
      await deliver(reel, {
        address: uploads(row.token), url: row.url, attempts: Infinity, signal: stop.signal,
        metadata: { kind: row.kind, stepId: row.stepId, filetype: row.type },
        onUrl: (url) => {
          one.name(idOf(url));
          if (row.url === url) return;
          row.url = url;
          void shelf.put(row);
        },
        onProgress: (bytes) => {
          one.sent = bytes;
          count();
        },
      });
      row.state = 'sent';
      await shelf.put(row);
      await shelf.empty(row.id);
    });
    one.sent = reel.size;
    one.state.value = 'sent';
    one.tidy();
  } catch (e) {
    if (stop.signal.aborted) return;
    one.code = e instanceof Refused ? e.code : '';
    one.state.value = 'refused';
    one.name('');
    lost.value++;
    void shelf.remove(row.id);
  }
  count();
}

/** Takes tapes back: their uploads are ended before any answer is sent. */
export function discard(takes: Take[]): void {
  for (const one of takes.flatMap((take) => Object.values(take.tapes))) {
    const found = tapes.get(one);
    if (found) throwAway(found);
  }
  count();
}

function throwAway(one: Tape): void {
  tapes.delete(one.row.id);
  one.row.state = 'discarded';
  const work = (async () => {
    await shelf.put(one.row);
    one.reel.end();
    if (one.carried) await one.named; // what is about to be begun could not be ended otherwise
    if (one.state.value === 'refused') lost.value--;
    one.stop.abort();
    const never = new AbortController().signal;
    for (let attempt = 0; one.row.url && !(await remove(one.row.url)); attempt++) await rest(backOff(attempt, 0), never);
    await shelf.remove(one.row.id);
  })();
  going.add(work);
  void work.finally(() => going.delete(work));
}

/** The uploads of takes, one a kind, once all of them were begun and those that were taken back are gone. */
export async function handOver(token: string, takes: Take[]): Promise<Answer['recordings']> {
  await resume(token);
  await Promise.all(going);
  const named: NonNullable<Answer['recordings']> = {};
  for (const take of takes) {
    for (const [kind, id] of Object.entries(take.tapes) as [TapeKind, string][]) {
      const upload = await tapes.get(id)?.named;
      if (upload) named[kind] = upload;
    }
  }
  return named;
}

/** Forgets an interview's tapes once they have arrived. */
export async function finish(token: string): Promise<void> {
  await resume(token);
  const arrived = (one: Tape) => new Promise<void>((resolve) => {
    const end = one.state.subscribe((state) => { if (state !== 'sending') queueMicrotask(() => { end(); resolve(); }); });
  });
  const all = [...tapes.values()].filter((one) => one.row.token === token);
  await Promise.all([...all.map(arrived), ...going]);
  for (const one of all) await shelf.remove(one.row.id);
  keep.keepTaped(token, false);
}

/** Forgets an interview's tapes at once; the server has erased theirs. */
export async function drop(token: string): Promise<void> {
  for (const one of tapes.values()) one.stop.abort();
  tapes.clear();
  for (const row of await shelf.rows(token)) await shelf.remove(row.id);
  keep.keepTaped(token, false);
  count();
}

/** Tells the page what is still on its way, and keeps it from being closed unawares. */
function count(): void {
  const open = [...tapes.values()].filter((one) => one.state.value === 'sending');
  const of = open.reduce((sum, one) => sum + one.reel.size, 0);
  const left = open.reduce((sum, one) => sum + Math.max(one.reel.size - one.sent, 0), 0);
  unsent.value = open.length > 0 ? { left, of } : null;
}

addEventListener('beforeunload', (e) => {
  if (running.value || unsent.value && unsent.value.left > 0) e.preventDefault();
});
