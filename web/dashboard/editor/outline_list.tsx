import { useEditing, settings } from './editing';
import type { BlockType, Guide } from './guide';
import { allItems, conceptsOf } from './guide';
import { typeName } from './item_card';
import { addBlock, move, newBlock } from './outline';
import type { Problem } from './problems';
import { Icon } from '../parts/icon';
import { te } from './words';

interface Props {
  guide: Guide;
  open: string | null;
  problems: ReadonlyMap<string, readonly Problem[]>;
}

const marked = (problems: readonly Problem[] | undefined) => {
  const errors = problems?.some(({ severity }) => severity === 'error');
  return problems?.length ? <span class={errors ? 'mark-problem wrong' : 'mark-problem warned'}><Icon name="warning" /><span class="unseen">{te(errors ? 'hasErrors' : 'hasAdvice')}</span></span> : null;
};

/** All blocks and items in nested lists. A button opens a card; Alt with an arrow moves what has the focus. */
export function OutlineList({ guide, open, problems }: Props) {
  const editing = useEditing();
  const moving = (event: KeyboardEvent, id: string) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || !editing.mayChange) return;
    event.preventDefault();
    editing.edit((it) => move(it, id, event.key === 'ArrowUp' ? -1 : 1));
    editing.focus(`outline ${id}`, '');
  };
  const numbers = new Map(allItems(guide).map(({ item, n }) => [item, n]));
  return (
    <ol>
      <li><button type="button" class="quiet" aria-current={open === settings ? 'true' : undefined} onClick={() => editing.go(settings, 'title')}>{te('settings')}{marked(problems.get(''))}</button></li>
      {guide.studyGuide.map((block) => {
        const id = block.externalId ?? '';
        return (
          <li key={id}>
            <button type="button" class="quiet of-block" id={`outline ${id}`} onKeyDown={(event) => moving(event, id)} onClick={() => editing.focus(id, 'title')}>
              <span class="words" dir="auto">{block.title || te(`block_${block.type as BlockType}`)}</span>{marked(problems.get(id))}
            </button>
            <ol>
              {conceptsOf(block).map((concept) => (
                <li key={concept.externalId}>
                  <button type="button" class="quiet" aria-current={open === concept.externalId ? 'true' : undefined} onClick={() => editing.go(concept.externalId ?? '', 'nickname')}>
                    <span class="n" aria-hidden="true">◇</span><span class="words" dir="auto">{concept.nickname || te('concept')}</span>{marked(problems.get(concept.externalId ?? ''))}
                  </button>
                </li>
              ))}
              {block.items.map((item) => {
                const own = item.externalId ?? '';
                return (
                  <li key={own}>
                    <button type="button" class="quiet" id={`outline ${own}`} aria-current={open === own ? 'true' : undefined} onKeyDown={(event) => moving(event, own)} onClick={() => editing.go(own)}>
                      <span class="n">{numbers.get(item)}</span><span class={item.text ? 'words' : 'words soft'} dir="auto">{item.text || typeName(item.type)}</span>{marked(problems.get(own))}
                    </button>
                  </li>
                );
              })}
            </ol>
          </li>
        );
      })}
    </ol>
  );
}

const kinds: readonly BlockType[] = ['flat', 'concept', 'screening'];

/** Buttons that add a block. There is at most one screening block, and it comes first. */
export function AddBlocks({ guide }: { guide: Guide }) {
  const editing = useEditing();
  const screened = guide.studyGuide.some(({ type }) => type === 'screening');
  const add = (type: BlockType) => {
    const block = newBlock(type);
    editing.edit((it) => addBlock(it, block));
    editing.focus(block.externalId ?? '', 'title');
  };
  return (
    <fieldset class="add" aria-label={te('addBlock')}>
      {kinds.filter((type) => type !== 'screening' || !screened).map((type) => <button key={type} type="button" onClick={() => add(type)}><Icon name="plus" />{te(`addBlock_${type}`)}</button>)}
    </fieldset>
  );
}
