// A study guide while it is being written: openapi/v1.yaml has the form that it is to become, and nothing of it is certain before.

export const itemTypes = ['open_ended', 'multiple_choice', 'ranking', 'matrix', 'max_diff', 'statement', 'file_upload'] as const;
export type ItemType = (typeof itemTypes)[number];
export const blockTypes = ['flat', 'screening', 'concept'] as const;
export type BlockType = (typeof blockTypes)[number];
export const statuses = ['approve', 'neutral', 'reject'] as const;

export interface Option {
  text: string;
  externalId?: string;
  status?: string | null;
  exclusiveOption?: boolean;
}

export interface Media {
  name: string;
  url: string;
  type: string;
  widthPercentage?: number;
  forceWatching?: boolean;
}

export interface Embed {
  url: string;
  proxyUrl?: string;
}

export interface Criterion {
  type: string;
  questionId?: string;
  matchingCriteria?: string;
  choices?: string[];
  matrixRow?: string | null;
  parameter?: string;
  value?: string;
}

export interface Conditional {
  operator: string;
  criteria: Criterion[];
}

export interface Item {
  type: string;
  text: string;
  externalId?: string;
  conditional?: Conditional | null;
  media?: Media[] | null;
  embed?: Embed | null;
  followUp?: string | null;
  addInstructions?: string | null;
  preferredInput?: string | null;
  screenObservationEnabled?: boolean | null;
  options?: Option[];
  multiSelect?: boolean | null;
  minSelect?: number | null;
  maxSelect?: number | null;
  allowCustomOption?: boolean | null;
  randomizeOptionOrder?: boolean | null;
  pinnedFinalOption?: boolean | null;
  carryForwardFrom?: string | null;
  rows?: { text: string }[];
  metric?: string | null;
  itemsPerScreen?: number | null;
  continueButtonText?: string;
}

export interface Concept {
  nickname: string;
  content: { title: string; description?: string | null; media?: Media[]; embed?: Embed | null };
  conditional?: Conditional | null;
  externalId?: string;
}

export interface Sampling {
  concepts?: Concept[];
  subsampleCount?: number | null;
}

export interface Block {
  type: string;
  title: string;
  externalId?: string;
  items: Item[];
  conceptSamplingConfig?: Sampling | null;
}

export interface Config {
  interviewMode?: string;
  questionLanguage?: string;
  availableLanguages?: string[] | null;
  targetPlatforms?: string[];
  verbatim?: unknown;
}

export interface Guide {
  title: string;
  externalTitle?: string;
  background?: string;
  studyGoal?: string;
  config?: Config;
  welcomeMessage?: { title?: string; message?: string };
  closingMessage?: string;
  studyGuide: Block[];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: unknown): value is Record<string, unknown>[] => Array.isArray(value) && value.every(isObject);
const isCondition = (value: unknown) => value === undefined || value === null || (isObject(value) && isList(value.criteria));
const isMedia = (value: unknown) => value === undefined || value === null || isList(value);

/**
 * Returns where a value cannot be shown as a guide, as a place like studyGuide[1].items, or null if it can. Everything else that may be wrong
 * with it is said by the server.
 */
export function misshapen(value: unknown): string | null {
  if (!isObject(value)) return '';
  for (const name of ['config', 'welcomeMessage'] as const) if (value[name] !== undefined && !isObject(value[name])) return name;
  if (!isList(value.studyGuide)) return 'studyGuide';
  for (const [b, block] of value.studyGuide.entries()) {
    const place = `studyGuide[${b}]`;
    if (!isList(block.items)) return `${place}.items`;
    for (const [i, item] of block.items.entries()) {
      for (const list of ['options', 'rows']) if (item[list] !== undefined && item[list] !== null && !isList(item[list])) return `${place}.items[${i}].${list}`;
      if (!isMedia(item.media)) return `${place}.items[${i}].media`;
      if (!isCondition(item.conditional)) return `${place}.items[${i}].conditional`;
    }
    const sampling = block.conceptSamplingConfig;
    if (sampling === undefined || sampling === null) continue;
    if (!isObject(sampling)) return `${place}.conceptSamplingConfig`;
    if (sampling.concepts === undefined) continue;
    if (!isList(sampling.concepts)) return `${place}.conceptSamplingConfig.concepts`;
    for (const [c, concept] of sampling.concepts.entries()) {
      if (!isObject(concept.content) || !isMedia(concept.content.media)) return `${place}.conceptSamplingConfig.concepts[${c}].content`;
      if (!isCondition(concept.conditional)) return `${place}.conceptSamplingConfig.concepts[${c}].conditional`;
    }
  }
  return null;
}

export interface Numbered {
  item: Item;
  block: Block;
  /** From 1 through the whole guide. */
  n: number;
  /** Position of the block, and of the item in it. */
  b: number;
  i: number;
}

/** Returns the items of all blocks, numbered as participants and reports count them. */
export function allItems(guide: Guide): Numbered[] {
  const all: Numbered[] = [];
  for (const [b, block] of guide.studyGuide.entries()) {
    for (const [i, item] of block.items.entries()) all.push({ item, block, n: all.length + 1, b, i });
  }
  return all;
}

export const conceptsOf = (block: Block): Concept[] => block.conceptSamplingConfig?.concepts ?? [];

/** Returns the item that an item's options come from: itself, or the end of its chain; null where the chain is broken. */
export function optionSource(guide: Guide, item: Item): Item | null {
  const byId = new Map(allItems(guide).map((entry) => [entry.item.externalId, entry.item]));
  let at: Item | undefined = item;
  for (let left = 50; at && left > 0; left--) {
    if (!at.carryForwardFrom) return at;
    at = byId.get(at.carryForwardFrom);
  }
  return null;
}

/** Returns a new id that people may read: letters and digits without look-alikes. */
export function newId(prefix: string): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  return `${prefix}-${[...crypto.getRandomValues(new Uint8Array(8))].map((byte) => letters[byte % letters.length]).join('')}`;
}

/** Returns the guide with an id for every block, item, option and concept that has none. Without any it returns the same object. */
export function withIds(guide: Guide): Guide {
  let added = false;
  const named = <T extends { externalId?: string }>(it: T, prefix: string): T => {
    if (it.externalId) return it;
    added = true;
    return { ...it, externalId: newId(prefix) };
  };
  const studyGuide = guide.studyGuide.map((block) => {
    const sampling = block.conceptSamplingConfig;
    const items = block.items.map((item) => named(item.options ? { ...item, options: item.options.map((option) => named(option, 'o')) } : item, 'q'));
    return { ...named(block, 'b'), items, ...(sampling?.concepts && { conceptSamplingConfig: { ...sampling, concepts: sampling.concepts.map((concept) => named(concept, 'c')) } }) };
  });
  return added ? { ...guide, studyGuide } : guide;
}
