import { Icon } from '../parts/icon';
import { Condition } from './condition';
import { useEditing } from './editing';
import { Area, CardProblems, Pick } from './fields';
import { type Guide, type Item, type ItemType, itemTypes } from './guide';
import { ItemFields } from './item_fields';
import { MediaFields } from './media_fields';
import { memo } from './memo';
import { asType, copyItem, dependentsOf, editItem, move, remove } from './outline';
import type { Problem } from './problems';
import { problemText } from './problem_text';
import { te } from './words';

export interface ItemCardProps {
  item: Item;
  n: number;
  screening: boolean;
  open: boolean;
  /** Its condition as a sentence. */
  condition: string;
  /** The numbers of the items that ask about it. */
  usedBy: string;
  problems: readonly Problem[] | undefined;
}

const none: readonly Problem[] = [];

export const typeName = (type: string): string => ((itemTypes as readonly string[]).includes(type) ? te(`type_${type as ItemType}`) : type);

/** An item: its words at a glance, or with everything that can be changed. */
export const ItemCard = memo(({ item, n, screening, open, condition, usedBy, problems = none }: ItemCardProps) => {
  const editing = useEditing();
  const id = item.externalId ?? '';
  return (
    <li class={open ? 'item open' : 'item'} id={`card-${id}`}>
      <h3>
        <button type="button" class="quiet toggle" aria-expanded={open} data-field="" onClick={() => (open ? editing.shut() : editing.go(id))}>
          <span class="n">{n}</span><span class="kind">{typeName(item.type)}</span>
          {!open && <span class={item.text ? 'words' : 'words soft'} dir="auto">{item.text || te('noText')}</span>}
        </button>
        <ProblemMark problems={problems} />
      </h3>
      {open ? <OpenItem item={item} id={id} n={n} screening={screening} problems={problems} /> : <Glance item={item} condition={condition} usedBy={usedBy} />}
      {open && usedBy && <p class="soft small">{te('usedBy', { items: usedBy })}</p>}
    </li>
  );
});

export function ProblemMark({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return <span class={errors > 0 ? 'badge wrong' : 'badge warn'}><Icon name="warning" />{errors > 0 ? te('errorsN', { n: errors }) : te('advice')}</span>;
}

/** What is wrong with a card, in words. */
export function ProblemList({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return <ul class="card-problems">{problems.map((problem) => <li key={problem.pointer + problem.message} class={problem.severity === 'error' ? 'wrong' : 'warned'}><Icon name="warning" /><span>{problemText(problem)}</span></li>)}</ul>;
}


function Glance({ item, condition, usedBy }: { item: Item; condition: string; usedBy: string }) {
  const texts = item.options?.map(({ text }) => text).filter(Boolean) ?? [];
  const rows = item.rows?.map(({ text }) => text).filter(Boolean) ?? [];
  const shown = 6;
  return (
    <div class="glance">
      {rows.length > 0 && <p class="soft" dir="auto">{te('matrixRows')}: {rows.slice(0, shown).join(' · ')}{rows.length > shown && ` · +${rows.length - shown}`}</p>}
      {texts.length > 0 && <p class="soft" dir="auto">{texts.slice(0, shown).join(' · ')}{texts.length > shown && ` · +${texts.length - shown}`}</p>}
      {condition && <p class="when" dir="auto">{condition}</p>}
      {usedBy && <p class="soft small">{te('usedBy', { items: usedBy })}</p>}
    </div>
  );
}

function OpenItem({ item, id, n, screening, problems }: { item: Item; id: string; n: number; screening: boolean; problems: readonly Problem[] }) {
  const editing = useEditing();
  const guide: Guide = editing.copy.guide.value;
  const changeType = (type: string) => editing.edit((before) => editItem(before, id, (one) => asType(one, type as ItemType, screening)));
  const discard = () => {
    if (dependentsOf(guide, id).length > 0) editing.removing.value = id;
    else removeItem();
  };
  const removeItem = () => {
    editing.edit((before) => remove(before, id));
    editing.shut();
  };
  const duplicate = () => {
    const copy = copyItem(guide, id);
    editing.edit(() => copy.guide);
    editing.go(copy.id);
  };
  const moveBy = (by: -1 | 1) => {
    editing.edit((before) => move(before, id, by));
    editing.focus(id, '');
  };
  const hasMedia = (item.media?.length ?? 0) > 0 || Boolean(item.embed);
  return (
    <CardProblems.Provider value={problems}>
      <fieldset class="body" disabled={!editing.mayChange} aria-label={te('itemN', { n })}>
        <ProblemList problems={problems} />
        <Area label={te(item.type === 'statement' ? 'statementText' : 'questionText')} at="text" required value={item.text} max={10_000} onInput={(text = '') => editing.setItem(id, 'text', text)} />
        <ItemFields guide={guide} item={item} id={id} screening={screening} />
        <Condition guide={guide} owner={{ id }} value={item.conditional} onChange={(value, run) => editing.setItem(id, 'conditional', value, run)} />
        <details class="more" open={hasMedia}>
          <summary>{te('more')}</summary>
          <MediaFields id={id} at="" media={item.media} embed={item.embed} onMedia={(media, run) => editing.setItem(id, 'media', media, run)} onEmbed={(embed) => editing.setItem(id, 'embed', embed)} />
          <p class="soft small">{te('idOf')} <code>{id}</code></p>
        </details>
        <div class="tools-row">
          <Pick quiet label={te('type')} at="type" value={item.type} options={itemTypes.map((type) => [type, typeName(type)])} onChange={changeType} />
          <button type="button" class="quiet square" aria-label={te('moveUp')} title={te('moveUpKey')} onClick={() => moveBy(-1)}><Icon name="up" /></button>
          <button type="button" class="quiet square" aria-label={te('moveDown')} title={te('moveDownKey')} onClick={() => moveBy(1)}><Icon name="down" /></button>
          <button type="button" class="quiet" onClick={duplicate}>{te('duplicate')}</button>
          <button type="button" class="quiet" onClick={discard}>{te('removeItem')}</button>
        </div>
      </fieldset>
    </CardProblems.Provider>
  );
}

