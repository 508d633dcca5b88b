// What the parts of the editor share.
import { type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Copy, type Server } from './copy';
import { type Block, type Concept, type Guide, type Item, newId } from './guide';
import type { Local } from './local';
import { editBlock, editItem } from './outline';
import type { Problem } from './problems';
import { mediaOf, Uploads } from './uploads';

/** The card of the settings of the study. */
export const settings = '';

export interface Goal {
  id: string;
  field: string;
}

/** A copy of a guide with what is open of it. */
export class Editing {
  readonly copy: Copy;
  /** The id of the card that is open. */
  readonly open = signal<string | null>(null);
  /** Where the focus goes once it is drawn; another object each time. */
  readonly goal: Signal<Goal | null> = signal(null);
  /** The problem that was shown last. */
  readonly problem: Signal<Problem | null> = signal(null);
  /** An item that is about to be removed although others ask about it. */
  readonly removing: Signal<string | null> = signal(null);
  /** Files on their way to the server. They go on when their card is shut. */
  readonly uploads: Uploads;
  /** Names this page among those of the same person. */
  readonly tab: string = newId('t');

  constructor(server: Server, readonly local: Local, readonly link: string, readonly mayChange: boolean) {
    this.copy = new Copy(server, local);
    this.uploads = new Uploads(mediaOf(link));
  }

  /** Opens a card and moves the focus to one of its fields. */
  go(id: string, field = 'text'): void {
    this.open.value = id;
    this.goal.value = { id, field };
  }

  /** Shuts the card that is open. */
  shut(): void {
    this.open.value = null;
  }

  /** Moves the focus to a field without opening anything. */
  focus(id: string, field: string): void {
    this.goal.value = { id, field };
  }

  edit(change: (guide: Guide) => Guide, run = ''): void {
    if (this.mayChange) this.copy.edit(change, run);
  }

  setGuide<F extends keyof Guide>(field: F, value: Guide[F] | undefined, run = ''): void {
    this.edit((guide) => withField(guide, field, value), `guide ${field} ${run}`);
  }

  setItem<F extends keyof Item>(id: string, field: F, value: Item[F] | undefined, run = ''): void {
    this.edit((guide) => editItem(guide, id, (item) => withField(item, field, value)), `${id} ${field} ${run}`);
  }

  setBlock<F extends keyof Block>(id: string, field: F, value: Block[F] | undefined): void {
    this.edit((guide) => editBlock(guide, id, (block) => withField(block, field, value)), `${id} ${field}`);
  }

  editConcept(blockId: string, id: string, change: (concept: Concept) => Concept, run: string): void {
    this.edit((guide) => editBlock(guide, blockId, (block) => ({
      ...block, conceptSamplingConfig: { ...block.conceptSamplingConfig, concepts: (block.conceptSamplingConfig?.concepts ?? []).map((concept) => (concept.externalId === id ? change(concept) : concept)) },
    })), `${id} ${run}`);
  }
}

/** Returns an object with a key set, or without it. */
export function withField<T extends object, F extends keyof T>(object: T, field: F, value: T[F] | undefined): T {
  const { [field]: _before, ...rest } = object;
  return (value === undefined ? rest : { ...object, [field]: value }) as T;
}

export const EditingContext = createContext<Editing | null>(null);

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (!editing) throw new Error('no editor around');
  return editing;
}
