// Conditions as sentences, and the questions and options that they may name.
import { allItems, type Conditional, type Criterion, type Guide, type Item, type Numbered, optionSource } from './guide';

/** What a condition belongs to: an item, or a concept of a block. */
export interface Owner {
  /** The id of the item or of the concept. */
  id: string;
  /** Of a concept: the position of its block. */
  conceptBlock?: number;
}

const selectable = ['multiple_choice', 'matrix'];

/** Returns the questions that a condition may ask about: earlier ones to choose from; for a concept those of earlier blocks. */
export function sourcesFor(guide: Guide, owner: Owner): Numbered[] {
  const all = allItems(guide);
  const { conceptBlock } = owner;
  const before = conceptBlock === undefined ? all.findIndex(({ item }) => item.externalId === owner.id) : all.length;
  return all.filter(({ item, b }, at) => at < before && selectable.includes(item.type) && item.externalId && (conceptBlock === undefined || b < conceptBlock));
}

/** Returns the questions whose options an item may carry: earlier ones with several choices. */
export function carrySources(guide: Guide, id: string): Numbered[] {
  const all = allItems(guide);
  const before = all.findIndex(({ item }) => item.externalId === id);
  return all.filter(({ item }, at) => at < before && item.type === 'multiple_choice' && item.multiSelect === true && item.externalId);
}

export interface Choice {
  value: string;
  text: string;
}

/** Returns what may be chosen in a question: its options, or those that it carries, and the free one. */
export function choicesOf(guide: Guide, source: Item): Choice[] {
  const end = optionSource(guide, source);
  const written = (end?.options ?? []).map((option) => ({ value: option.externalId || option.text, text: option.text }));
  return source.allowCustomOption ? [...written, { value: `other:${source.externalId}`, text: 'Other' }] : written;
}

/** Returns the text of a choice, which a criterion names by id or by text. */
export const choiceText = (choices: readonly Choice[], value: string): string => choices.find((choice) => choice.value === value)?.text ?? value;

export type Phrase = { text: string; kind: 'plain' | 'name' | 'missing' };

/** The words that a sentence is made of. */
export interface SentenceWords {
  question: (n: number, text: string) => string;
  row: (text: string) => string;
  parameter: (name: string) => string;
  is: string;
  isNot: string;
  or: string;
  equals: string;
  missing: string;
}

/** Returns a criterion as phrases. What it names and what does not exist (any more) are told apart. */
export function phrases(guide: Guide, criterion: Criterion, words: SentenceWords): Phrase[] {
  const name = (text: string): Phrase => ({ text, kind: 'name' });
  const plain = (text: string): Phrase => ({ text, kind: 'plain' });
  if (criterion.type === 'searchParam') return [plain(words.parameter(criterion.parameter ?? '')), plain(words.equals), name(criterion.value ?? '')];
  const source = allItems(guide).find(({ item }) => item.externalId && item.externalId === criterion.questionId);
  if (!source) return [{ text: words.missing, kind: 'missing' }];
  const choices = choicesOf(guide, source.item);
  const known = new Set(choices.flatMap(({ value, text }) => [value, text]));
  const listed = (criterion.choices ?? []).flatMap((value, i): Phrase[] => [
    ...(i > 0 ? [plain(words.or)] : []), known.has(value) ? name(choiceText(choices, value)) : { text: value || words.missing, kind: 'missing' },
  ]);
  return [
    name(words.question(source.n, source.item.text)), ...(criterion.matrixRow ? [name(words.row(criterion.matrixRow))] : []),
    plain(criterion.matchingCriteria === 'mustNotSelect' ? words.isNot : words.is), ...(listed.length > 0 ? listed : [{ text: words.missing, kind: 'missing' } as const]),
  ];
}

/** Returns a condition on the first choice of a question. */
export function newCriterion(guide: Guide, source: Item | undefined): Criterion {
  if (!source) return { type: 'searchParam', parameter: '', value: '' };
  const first = choicesOf(guide, source)[0];
  return {
    type: 'selectedTemplateOptions', questionId: source.externalId ?? '', matchingCriteria: 'mustSelect', choices: first ? [first.value] : [],
    ...(source.type === 'matrix' && { matrixRow: source.rows?.[0]?.text ?? '' }),
  };
}

/** Returns a condition with one criterion edited, added at its end, or removed (null). Without any it is null. */
export function withCriterion(conditional: Conditional | null | undefined, at: number, criterion: Criterion | null): Conditional | null {
  const criteria = [...(conditional?.criteria ?? [])];
  if (criterion) criteria[at] = criterion;
  else criteria.splice(at, 1);
  return criteria.length > 0 ? { operator: conditional?.operator ?? 'and', criteria } : null;
}
