// The working copy of a guide on this page: edits, autosave, what others saved meanwhile, and undo.
import { signal } from '@preact/signals';
import { type Failure, failureOf, type Schemas } from '../api';
import { type Guide, misshapen, withIds } from './guide';
import type { Kept, Local } from './local';
import { type Dispute, merge, settle } from './merge';
import type { Problem } from './problems';
import { same } from './table';
import { nothing, redoLast, remember, type Undo, undoLast } from './undo';

type Draft = Schemas['Draft'];
export type Saved = Pick<Draft, 'version' | 'valid' | 'unpublished' | 'problems' | 'updatedAt'> & { guide: unknown };

/** Where the copy is saved, and what time it is. */
export interface Server {
  load: () => Promise<Draft>;
  /** Returns the newer version instead, if there is one. */
  save: (guide: Guide, version: number) => Promise<{ saved: Saved } | { newer: Draft }>;
  now: () => number;
  /** Calls a function later, and returns how to forget it. */
  later: (milliseconds: number, run: () => void) => () => void;
}

export type SaveState =
  | { kind: 'saved' }
  /** Typed, kept in this browser, and not sent yet. */
  | { kind: 'typed' }
  | { kind: 'saving' }
  /** The server could not be reached or was busy; it is tried again. */
  | { kind: 'waiting'; failure: Failure }
  /** The server said no; nothing is tried before the next edit. */
  | { kind: 'refused'; failure: Failure };

/** After a pause of typing, and while it goes on, in milliseconds. */
const [pause, longest] = [800, 5_000];
const [firstRetry, lastRetry] = [2_000, 30_000];

export class Copy {
  readonly guide = signal<Guide>({ title: '', studyGuide: [] });
  readonly state = signal<SaveState>({ kind: 'saved' });
  readonly problems = signal<readonly Problem[]>([]);
  readonly disputes = signal<readonly Dispute[]>([]);
  readonly undoable = signal<Undo>(nothing);
  readonly unpublished = signal(false);
  readonly version = signal(0);
  /** Who changed how much while this page was open; null once it is dismissed. */
  readonly others = signal<{ name: string; changes: number } | null>(null);
  /** How many changes an undo left because others have changed the same since. */
  readonly left = signal(0);

  #base: Guide = this.guide.value;
  #cancel: (() => void) | null = null;
  #since = 0;
  #retry = firstRetry;
  #sending: Promise<void> | null = null;
  #ended = false;

  constructor(private readonly server: Server, private readonly local: Local) {}

  /** Whether something was typed that the server does not have. */
  get dirty(): boolean {
    return !same(this.#base, this.guide.value);
  }

  /** Reads the newest version, and puts onto it what tabs of this browser have kept. */
  async begin(): Promise<void> {
    const draft = await this.server.load();
    this.#adopt(draft);
    let mine = this.#base;
    for (const kept of this.local.found) {
      if (misshapen(kept.mine) !== null || misshapen(kept.base) !== null) continue;
      if (!same(kept.base, kept.mine)) {
        const { guide, disputes } = merge(kept.base, kept.mine, mine);
        mine = guide;
        this.#dispute(disputes);
      }
      this.#dispute(kept.disputes);
      this.undoable.value = kept.undo;
    }
    this.guide.value = mine;
    this.#keep();
    if (this.dirty) this.#typed();
  }

  /** Changes the guide. Edits with the same run that follow one another are undone together. */
  edit(change: (guide: Guide) => Guide, run = ''): void {
    const before = this.guide.value;
    const after = withIds(change(before));
    if (after === before || same(before, after)) return;
    this.undoable.value = remember(this.undoable.value, before, after, run, this.server.now());
    this.#changed(after);
  }

  undo(): void {
    this.#step(undoLast(this.guide.value, this.undoable.value));
  }

  redo(): void {
    this.#step(redoLast(this.guide.value, this.undoable.value));
  }

  /** Decides what two people have changed in different ways. */
  decide(dispute: Dispute, choice: 'mine' | 'theirs' | 'base'): void {
    this.disputes.value = this.disputes.value.filter((other) => other !== dispute);
    this.edit((guide) => settle(guide, dispute, choice));
    this.#keep();
  }

  /** Takes a version that the server has made of an earlier one. It can be undone. */
  restore(draft: Draft): void {
    const before = this.guide.value;
    this.#adopt(draft);
    this.undoable.value = remember(this.undoable.value, before, this.#base, '', this.server.now());
    this.guide.value = this.#base;
    this.#keep();
  }

  /** Asks for what others have saved. */
  async refresh(): Promise<void> {
    if (this.#sending !== null || this.#ended) return;
    const draft = await this.server.load();
    if (this.#sending || this.#ended || draft.version <= this.version.value) return;
    this.#join(draft);
  }

  /** Saves at once, and resolves when all is saved, or when it failed. */
  async flush(): Promise<void> {
    for (let left = 5; left > 0 && this.dirty; left--) {
      this.#cancel?.();
      await (this.#sending ?? this.#send());
      if (['waiting', 'refused'].includes(this.state.value.kind)) return;
    }
  }

  /** Tries again now, for example because the network is back. */
  again(): void {
    if (this.state.value.kind === 'waiting' || this.state.value.kind === 'refused') void this.#send();
  }

  /** Saves for the last time, and reports whether all is saved. */
  async end(): Promise<boolean> {
    await this.flush();
    this.#ended = true;
    this.#cancel?.();
    return !this.dirty;
  }

  #step(step: { guide: Guide; undo: Undo; left: number } | null): void {
    if (!step) return;
    this.undoable.value = step.undo;
    this.left.value = step.left;
    this.#changed(step.guide);
  }

  #changed(guide: Guide): void {
    this.guide.value = guide;
    this.#keep();
    this.#typed();
  }

  #typed(): void {
    if (this.#sending !== null) return; // it sends what was typed meanwhile afterwards
    if (!this.dirty) {
      this.#cancel?.();
      this.#since = 0;
      this.state.value = { kind: 'saved' };
      return;
    }
    const now = this.server.now();
    this.#since ||= now;
    if (this.state.value.kind !== 'waiting') this.state.value = { kind: 'typed' };
    else return; // its own timer tries again
    this.#wait(Math.max(0, Math.min(pause, this.#since + longest - now)));
  }

  #wait(milliseconds: number): void {
    this.#cancel?.();
    this.#cancel = this.server.later(milliseconds, () => void this.#send());
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendOnce().finally(() => {
      this.#sending = null;
      if (this.state.value.kind === 'saved' && this.dirty) this.#typed();
    });
    return this.#sending;
  }

  async #sendOnce(): Promise<void> {
    this.#cancel?.();
    const sent = this.guide.value;
    this.state.value = { kind: 'saving' };
    try {
      const reply = await this.server.save(sent, this.version.value);
      if ('newer' in reply) {
        this.#join(reply.newer);
      } else {
        const { saved } = reply;
        this.#base = (saved.guide as Guide | null) ?? sent;
        if (saved.guide && this.guide.value === sent) this.guide.value = this.#base;
        this.version.value = saved.version;
        this.problems.value = saved.problems;
        this.unpublished.value = saved.unpublished;
      }
      this.#since = 0;
      this.#retry = firstRetry;
      this.state.value = { kind: 'saved' };
      this.#keep();
    } catch (error) {
      const failure = failureOf(error);
      this.state.value = { kind: failure.temporary ? 'waiting' : 'refused', failure };
      if (failure.temporary && !this.#ended) {
        this.#wait(Math.max(this.#retry, failure.retryAfter * 1_000));
        this.#retry = Math.min(this.#retry * 2, lastRetry);
      }
    }
  }

  // join puts what was typed here onto a newer version.
  #join(draft: Draft): void {
    const { guide, disputes, incoming } = merge(this.#base, this.guide.value, draft.guide as unknown as Guide);
    this.#adopt(draft);
    this.guide.value = guide;
    this.#dispute(disputes);
    if (incoming > 0) this.others.value = { name: draft.updatedBy, changes: incoming };
    this.#keep();
  }

  #adopt(draft: Draft): void {
    const guide = draft.guide as unknown as Guide;
    const place = misshapen(guide);
    if (place !== null) throw new Error(`The guide cannot be shown: ${place}`);
    this.#base = guide;
    this.version.value = draft.version;
    this.problems.value = draft.problems;
    this.unpublished.value = draft.unpublished;
  }

  // dispute adds disputes. A newer one about the same replaces the older.
  #dispute(disputes: readonly Dispute[]): void {
    const isNew = ({ node, field }: Dispute) => !disputes.some((dispute) => dispute.node === node && dispute.field === field);
    this.disputes.value = [...this.disputes.value.filter(isNew), ...disputes];
  }

  #keep(): void {
    const kept: Kept = { version: this.version.value, base: this.#base, mine: this.guide.value, undo: this.undoable.value, disputes: [...this.disputes.value] };
    this.local.keep(kept);
  }
}
