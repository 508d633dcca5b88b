// What is done with blocks and items as a whole: add, copy, move, remove. Each function returns a new guide.
import { allItems, type Block, type BlockType, type Concept, conceptsOf, type Conditional, type Guide, type Item, type ItemType, newId, type Option } from './guide';

type Name = (prefix: string) => string;

/** What each type has besides text, id, condition, media and embed. */
export const fieldsOf: Record<ItemType, readonly (keyof Item)[]> = {
  open_ended: ['followUp', 'addInstructions', 'preferredInput', 'screenObservationEnabled'],
  multiple_choice: ['options', 'multiSelect', 'minSelect', 'maxSelect', 'allowCustomOption', 'randomizeOptionOrder', 'pinnedFinalOption', 'carryForwardFrom'],
  ranking: ['options', 'randomizeOptionOrder', 'carryForwardFrom'],
  matrix: ['options', 'rows'],
  max_diff: ['options', 'metric', 'itemsPerScreen'],
  statement: ['continueButtonText'],
  file_upload: [],
};
const common: readonly (keyof Item)[] = ['type', 'text', 'externalId', 'conditional', 'media', 'embed'];
const leastOptions: Partial<Record<ItemType, number>> = { multiple_choice: 2, ranking: 2, matrix: 2, max_diff: 4 };

export const newOption = (screening: boolean, text = '', name: Name = newId): Option => ({ text, externalId: name('o'), ...(screening && { status: 'neutral' }) });

/** Returns an empty item of a type with what every such item needs. */
export function newItem(type: ItemType, screening: boolean, name: Name = newId): Item {
  const item: Item = { type, text: '', externalId: name('q') };
  const least = leastOptions[type];
  if (least) item.options = Array.from({ length: least }, () => newOption(screening, '', name));
  if (type === 'matrix') item.rows = [{ text: '' }, { text: '' }];
  return item;
}

/** Returns an item as one of another type; what that type does not have is gone. */
export function asType(item: Item, type: ItemType, screening: boolean, name: Name = newId): Item {
  const has = new Set<string>([...common, ...fieldsOf[type]]);
  const kept = Object.fromEntries(Object.entries(item).filter(([field]) => has.has(field))) as unknown as Item;
  const { carryForwardFrom, ...made } = newItem(type, screening, name);
  const next = { ...made, ...kept, type };
  if (carryForwardFrom === undefined && next.carryForwardFrom) delete next.options;
  if (next.options && !(type === 'multiple_choice' && next.multiSelect)) next.options = next.options.map(({ exclusiveOption: _gone, ...option }) => option);
  return next;
}

const newConcept = (name: Name): Concept => ({ nickname: '', content: { title: '' }, externalId: name('c') });

export function newBlock(type: BlockType, name: Name = newId): Block {
  const block: Block = { type, title: '', externalId: name('b'), items: [newItem(type === 'screening' ? 'multiple_choice' : 'open_ended', type === 'screening', name)] };
  return type === 'concept' ? { ...block, conceptSamplingConfig: { concepts: [newConcept(name)] } } : block;
}

const inserted = <T>(list: readonly T[], at: number, entry: T): T[] => [...list.slice(0, at), entry, ...list.slice(at)];

const editBlocks = (guide: Guide, edit: (blocks: Block[]) => Block[]): Guide => ({ ...guide, studyGuide: edit([...guide.studyGuide]) });

/** Returns the guide with one block edited. */
export const editBlock = (guide: Guide, id: string, edit: (block: Block) => Block): Guide =>
  editBlocks(guide, (blocks) => blocks.map((block) => (block.externalId === id ? edit(block) : block)));

/** Returns the guide with one item edited. Other blocks and items stay the same objects. */
export const editItem = (guide: Guide, id: string, edit: (item: Item) => Item): Guide =>
  editBlocks(guide, (blocks) => blocks.map((block) => (block.items.some((item) => item.externalId === id) ? { ...block, items: block.items.map((item) => (item.externalId === id ? edit(item) : item)) } : block)));

/** Returns the guide with a block at its end; a screening block comes first. */
export const addBlock = (guide: Guide, block: Block): Guide => editBlocks(guide, (blocks) => (block.type === 'screening' ? [block, ...blocks] : [...blocks, block]));

/** Returns the guide with an item after another one of a block, or at its end. */
export const addItem = (guide: Guide, blockId: string, item: Item, after?: string): Guide => editBlock(guide, blockId, (block) => {
  const at = block.items.findIndex(({ externalId }) => externalId === after);
  return { ...block, items: at < 0 ? [...block.items, item] : inserted(block.items, at + 1, item) };
});

export const addConcept = (guide: Guide, blockId: string, name: Name = newId): Guide => editBlock(guide, blockId, (block) => ({
  ...block, conceptSamplingConfig: { ...block.conceptSamplingConfig, concepts: [...conceptsOf(block), newConcept(name)] },
}));

/** Returns the guide without a block, an item or a concept. */
export const remove = (guide: Guide, id: string): Guide => editBlocks(guide, (blocks) => blocks.filter((block) => block.externalId !== id).map((block) => {
  const concepts = conceptsOf(block);
  if (concepts.some(({ externalId }) => externalId === id)) {
    return { ...block, conceptSamplingConfig: { ...block.conceptSamplingConfig, concepts: concepts.filter(({ externalId }) => externalId !== id) } };
  }
  return block.items.some(({ externalId }) => externalId === id) ? { ...block, items: block.items.filter(({ externalId }) => externalId !== id) } : block;
}));

/** Returns the guide with a copy of an item after it, under ids of its own, and the id of the copy. */
export function copyItem(guide: Guide, id: string, name: Name = newId): { guide: Guide; id: string } {
  const copy = name('q');
  return {
    id: copy,
    guide: editBlocks(guide, (blocks) => blocks.map((block) => {
      const at = block.items.findIndex(({ externalId }) => externalId === id);
      const item = block.items[at];
      return item ? { ...block, items: inserted(block.items, at + 1, { ...structuredClone(item), externalId: copy }) } : block;
    })),
  };
}

/** Returns a list with an entry moved by so many places; at its ends it stays. */
export function moveIn<T>(list: readonly T[], at: number, by: number): T[] {
  const entry = list[at];
  const to = at + by;
  return entry === undefined || to < 0 || to >= list.length ? [...list] : inserted(list.filter((_, i) => i !== at), to, entry);
}

/** Returns the guide with a block or an item one place up (-1) or down (1). At the edge of its block an item goes into the next one. */
export function move(guide: Guide, id: string, by: -1 | 1): Guide {
  const blocks = guide.studyGuide;
  const block = blocks.findIndex(({ externalId }) => externalId === id);
  if (block >= 0) return { ...guide, studyGuide: moveIn(blocks, block, by) };
  const b = blocks.findIndex(({ items }) => items.some(({ externalId }) => externalId === id));
  const i = blocks[b]?.items.findIndex(({ externalId }) => externalId === id) ?? -1;
  if (i < 0) return guide;
  const items = blocks[b]?.items ?? [];
  if (i + by >= 0 && i + by < items.length) return editBlocks(guide, (all) => all.map((each, at) => (at === b ? { ...each, items: moveIn(items, i, by) } : each)));
  return moveTo(guide, id, blocks[b + by]?.externalId ?? '', by < 0 ? 'end' : 'start');
}

/** Returns the guide with an item at the start or end of a block. */
export function moveTo(guide: Guide, id: string, blockId: string, where: 'start' | 'end'): Guide {
  const found = allItems(guide).find(({ item }) => item.externalId === id);
  if (!found || !guide.studyGuide.some(({ externalId }) => externalId === blockId)) return guide;
  return editBlocks(guide, (blocks) => blocks.map((block) => {
    const rest = block.items.filter(({ externalId }) => externalId !== id);
    if (block.externalId === blockId) return { ...block, items: where === 'end' ? [...rest, found.item] : [found.item, ...rest] };
    return rest.length === block.items.length ? block : { ...block, items: rest };
  }));
}

/** Returns the guide with a block or an item before or after another one. An item beside a block is its first, and nothing else goes beside another kind. */
export function moveBeside(guide: Guide, id: string, target: string, where: 'before' | 'after'): Guide {
  const blocks = guide.studyGuide;
  const block = blocks.find(({ externalId }) => externalId === id);
  const beside = blocks.find(({ externalId }) => externalId === target);
  if (block) {
    const owner = beside ?? blocks.find(({ items }) => items.some(({ externalId }) => externalId === target));
    if (!owner || owner === block) return guide;
    const rest = blocks.filter((each) => each !== block);
    return { ...guide, studyGuide: inserted(rest, rest.indexOf(owner) + (where === 'after' || !beside ? 1 : 0), block) };
  }
  if (beside) return moveTo(guide, id, target, 'start');
  const found = allItems(guide).find(({ item }) => item.externalId === id);
  const owner = blocks.find(({ items }) => items.some(({ externalId }) => externalId === target));
  if (!found || !owner || id === target) return guide;
  return editBlocks(guide, (all) => all.map((each) => {
    const rest = each.items.filter(({ externalId }) => externalId !== id);
    if (each !== owner) return rest.length === each.items.length ? each : { ...each, items: rest };
    const at = rest.findIndex(({ externalId }) => externalId === target);
    return { ...each, items: inserted(rest, where === 'after' ? at + 1 : at, found.item) };
  }));
}

const asks = (conditional: Conditional | null | undefined, id: string) => conditional?.criteria.some((criterion) => criterion.questionId === id) ?? false;

export interface Dependent {
  id: string;
  /** The number of an item; 0 for a concept. */
  n: number;
  text: string;
  why: 'condition' | 'options';
}

/** Returns what asks about an item in a condition, or carries its options. */
export function dependentsOf(guide: Guide, id: string): Dependent[] {
  const items = allItems(guide).flatMap(({ item, n }): Dependent[] => {
    const about = { id: item.externalId ?? '', n, text: item.text };
    return [...(asks(item.conditional, id) ? [{ ...about, why: 'condition' as const }] : []), ...(item.carryForwardFrom === id ? [{ ...about, why: 'options' as const }] : [])];
  });
  const concepts = guide.studyGuide.flatMap(conceptsOf).filter((concept) => asks(concept.conditional, id))
    .map((concept): Dependent => ({ id: concept.externalId ?? '', n: 0, text: concept.nickname, why: 'condition' }));
  return [...items, ...concepts];
}
