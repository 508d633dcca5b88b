import { Icon } from '../parts/icon';
import { Condition, sentence } from './condition';
import { type Editing, useEditing, withField } from './editing';
import { Area, CardProblems, Line, Integer } from './fields';
import { allItems, type Block, type BlockType, type Concept, conceptsOf, type Conditional, type Guide, type ItemType } from './guide';
import { ItemCard, ProblemList, ProblemMark } from './item_card';
import { MediaFields } from './media_fields';
import { memo } from './memo';
import { addConcept, addItem, dependentsOf, move, newItem, remove } from './outline';
import type { Problem } from './problems';
import { te } from './words';

interface Props {
  /** The guide, where one of its cards is open; null otherwise, so that it is drawn again only when something of the block changed. */
  guide: Guide | null;
  block: Block;
  /** Its position, how many blocks there are, and the number of items before it. */
  b: number;
  blocks: number;
  before: number;
  /** The id of its card that is open. */
  open: string | null;
  /** The conditions of items and concepts as sentences, by id. */
  conditions: ReadonlyMap<string, string>;
  problems: ReadonlyMap<string, readonly Problem[]>;
  usedBy: ReadonlyMap<string, string>;
}

const none: readonly Problem[] = [];

/** A block with its concepts and its items. */
export const BlockCard = memo(({ guide, block, b, blocks, before, open, conditions, problems, usedBy }: Props) => {
  const editing = useEditing();
  const id = block.externalId ?? '';
  const screening = block.type === 'screening';
  const own = problems.get(id) ?? none;
  const name = block.title || te(`block_${block.type as BlockType}`);
  return (
    <section class="block" id={`card-${id}`} aria-label={name}>
      <CardProblems.Provider value={own}>
        <fieldset class="block-head" disabled={!editing.mayChange}>
          <span class="badge">{te(`block_${block.type as BlockType}`)}</span>
          <Line quiet required label={te('blockTitle')} at="title" value={block.title} max={500} placeholder={te('blockTitleHint')} onInput={(title = '') => editing.setBlock(id, 'title', title)} />
          <ProblemMark problems={own} />
          <span class="row-tools">
            <button type="button" class="quiet square" disabled={b === 0} aria-label={te('moveUpOf', { name })} onClick={() => editing.edit((it) => move(it, id, -1))}><Icon name="up" /></button>
            <button type="button" class="quiet square" disabled={b === blocks - 1} aria-label={te('moveDownOf', { name })} onClick={() => editing.edit((it) => move(it, id, 1))}><Icon name="down" /></button>
            <button type="button" class="quiet square" disabled={blocks === 1} aria-label={te('removeOf', { name })} onClick={() => removeBlock(editing, block)}><Icon name="cross" /></button>
          </span>
        </fieldset>
        <ProblemList problems={own} />
      </CardProblems.Provider>
      {screening && <p class="soft small">{te('screeningText')}</p>}
      {block.type === 'concept' && <Concepts guide={guide} block={block} b={b} open={open} conditions={conditions} problems={problems} />}
      <ol class="items">
        {block.items.map((item, i) => (
          <ItemCard key={item.externalId} item={item} n={before + i + 1} screening={screening} open={open === item.externalId} condition={conditions.get(item.externalId ?? '') ?? ''}
            usedBy={usedBy.get(item.externalId ?? '') ?? ''} problems={problems.get(item.externalId ?? '')} />
        ))}
      </ol>
      {editing.mayChange && <AddItems editing={editing} blockId={id} name={name} screening={screening} />}
    </section>
  );
});

function removeBlock(editing: Editing, block: Block): void {
  const guide = editing.copy.guide.value;
  const inside = new Set(block.items.map(({ externalId }) => externalId ?? ''));
  const outside = [...inside].some((id) => dependentsOf(guide, id).some((dependent) => !inside.has(dependent.id)));
  if (outside) editing.removing.value = block.externalId ?? '';
  else editing.edit((it) => remove(it, block.externalId ?? ''));
}

type Addable = { label: 'add_open_ended' | 'add_single' | 'add_multiple' | 'add_ranking' | 'add_matrix' | 'add_max_diff' | 'add_statement' | 'add_file_upload'; type: ItemType; several?: boolean };

const addable: readonly Addable[] = [
  { label: 'add_open_ended', type: 'open_ended' }, { label: 'add_single', type: 'multiple_choice' }, { label: 'add_multiple', type: 'multiple_choice', several: true }, { label: 'add_ranking', type: 'ranking' },
  { label: 'add_matrix', type: 'matrix' }, { label: 'add_max_diff', type: 'max_diff' }, { label: 'add_statement', type: 'statement' }, { label: 'add_file_upload', type: 'file_upload' },
];

function AddItems({ editing, blockId, name, screening }: { editing: Editing; blockId: string; name: string; screening: boolean }) {
  const add = ({ type, several }: Addable) => {
    const item = { ...newItem(type, screening), ...(several && { multiSelect: true }) };
    // below the card that is open, otherwise at the end
    const open = editing.open.value ?? '';
    editing.edit((guide) => addItem(guide, blockId, item, open));
    editing.go(item.externalId ?? '');
  };
  return (
    <fieldset class="add" aria-label={te('addTo', { name })}>
      {addable.filter(({ type }) => !screening || type === 'multiple_choice').map((one) => (
        <button key={one.label} type="button" class="chip" onClick={() => add(one)}><Icon name="plus" />{te(one.label)}</button>
      ))}
    </fieldset>
  );
}

function Concepts({ guide, block, b, open, conditions, problems }: Pick<Props, 'guide' | 'block' | 'b' | 'open' | 'conditions' | 'problems'>) {
  const editing = useEditing();
  const id = block.externalId ?? '';
  const concepts = conceptsOf(block);
  const sampling = block.conceptSamplingConfig ?? {};
  const add = () => {
    editing.edit((it) => addConcept(it, id));
    const added = conceptsOf(editing.copy.guide.value.studyGuide[b] ?? block).at(-1)?.externalId;
    if (added) editing.go(added, 'nickname');
  };
  return (
    <div class="concepts">
      <p class="soft small">{te('conceptText')}</p>
      <ol class="items">
        {concepts.map((concept, i) => (
          <ConceptCard key={concept.externalId ?? i} guide={guide} blockId={id} b={b} concept={concept} n={i + 1} open={open === concept.externalId} condition={conditions.get(concept.externalId ?? '') ?? ''} problems={problems.get(concept.externalId ?? '') ?? none} only={concepts.length === 1} />
        ))}
      </ol>
      <fieldset class="fields" disabled={!editing.mayChange}>
        <button type="button" class="chip" onClick={add}><Icon name="plus" />{te('addConcept')}</button>
        <Integer label={te('subsample')} at="conceptSamplingConfig.subsampleCount" value={sampling.subsampleCount} max={concepts.length} placeholder={te('subsampleAll')}
          onInput={(count) => editing.setBlock(id, 'conceptSamplingConfig', withField(sampling, 'subsampleCount', count))} />
      </fieldset>
    </div>
  );
}

interface ConceptProps {
  guide: Guide | null;
  condition: string;
  blockId: string;
  b: number;
  concept: Concept;
  n: number;
  open: boolean;
  problems: readonly Problem[];
  only: boolean;
}

function ConceptCard({ guide, blockId, b, concept, n, open, condition, problems, only }: ConceptProps) {
  const editing = useEditing();
  const id = concept.externalId ?? '';
  const { content } = concept;
  const set = (change: (one: Concept) => Concept, run: string) => editing.editConcept(blockId, id, change, run);
  const setContent = <F extends keyof Concept['content']>(field: F, value: Concept['content'][F] | undefined, run = '') =>
    set((one) => ({ ...one, content: withField(one.content, field, value) }), `${field} ${run}`);
  const name = concept.nickname || te('conceptN', { n });
  return (
    <li class={open ? 'item concept open' : 'item concept'} id={`card-${id}`}>
      <h3>
        <button type="button" class="quiet toggle" aria-expanded={open} data-field="" onClick={() => (open ? editing.shut() : editing.go(id, 'nickname'))}>
          <span class="kind">{te('conceptN', { n })}</span>{!open && <span class="words" dir="auto">{concept.nickname || te('noText')}</span>}
        </button>
        <ProblemMark problems={problems} />
      </h3>
      {!open && condition && <p class="when glance" dir="auto">{condition}</p>}
      {open && guide && (
        <CardProblems.Provider value={problems}>
          <fieldset class="body" disabled={!editing.mayChange} aria-label={name}>
            <ProblemList problems={problems} />
            <Line label={te('nickname')} at="nickname" required value={concept.nickname} max={500} hint={te('nicknameHint')} onInput={(text = '') => set((one) => ({ ...one, nickname: text }), 'nickname')} />
            <Line label={te('conceptTitle')} at="content.title" required value={content.title} max={500} onInput={(text = '') => setContent('title', text)} />
            <Area label={te('conceptDescription')} at="content.description" value={content.description} onInput={(text) => setContent('description', text)} />
            <MediaFields id={id} at="content." media={content.media} embed={content.embed} onMedia={(media, run) => setContent('media', media, run)} onEmbed={(embed) => setContent('embed', embed)} />
            <Condition guide={guide} owner={{ id, conceptBlock: b }} value={concept.conditional} onChange={(value, run) => set((one) => withField(one, 'conditional', value), `conditional ${run}`)} />
            <p class="soft small">{te('idOf')} <code>{id}</code></p>
            <div class="tools-row"><button type="button" class="quiet" disabled={only} onClick={() => editing.edit((it) => remove(it, id))}>{te('removeConcept')}</button></div>
          </fieldset>
        </CardProblems.Provider>
      )}
    </li>
  );
}

/** Returns, by id, the conditions of items and concepts as sentences. */
export function conditionsOf(guide: Guide): Map<string, string> {
  const all: { externalId?: string; conditional?: Conditional | null }[] = [...allItems(guide).map(({ item }) => item), ...guide.studyGuide.flatMap(conceptsOf)];
  return new Map(all.filter(({ conditional }) => conditional).map(({ externalId = '', conditional }) => [externalId, sentence(guide, conditional)]));
}

/** Returns, by id, the numbers of the items whose conditions or options depend on an item. */
export function dependents(guide: Guide): Map<string, string> {
  const users = new Map<string, Set<string>>();
  const add = (id: string | null | undefined, by: string) => { if (id) users.set(id, (users.get(id) ?? new Set()).add(by)); };
  for (const { item, n } of allItems(guide)) {
    add(item.carryForwardFrom, String(n));
    for (const { questionId } of item.conditional?.criteria ?? []) add(questionId, String(n));
  }
  for (const concept of guide.studyGuide.flatMap(conceptsOf)) for (const { questionId } of concept.conditional?.criteria ?? []) add(questionId, concept.nickname || te('concept'));
  return new Map([...users].map(([id, by]) => [id, [...by].join(', ')]));
}
