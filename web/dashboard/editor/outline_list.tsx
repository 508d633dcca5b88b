import { useDrag } from './drag';
import { useEditing, settings } from './editing';
import type { BlockType, Guide } from './guide';
import { conceptsOf } from './guide';
import { typeName } from './item_card';
import { memo } from './memo';
import { addBlock, move, newBlock } from './outline';
import type { Problem } from './problems';
import { Icon } from '../parts/icon';
import { te } from './words';

interface Props {
  guide: Guide;
  open: string | null;
  problems: ReadonlyMap<string, readonly Problem[]>;
}

type Mark = 'errors' | 'advice' | '';

function markOf(problems: readonly Problem[] | undefined): Mark {
  if (!problems?.length) return '';
  return problems.some(({ severity }) => severity === 'error') ? 'errors' : 'advice';
}

const marked = (mark: Mark) => mark && <span class={mark === 'errors' ? 'mark-problem wrong' : 'mark-problem warned'}><Icon name="warning" /><span class="unseen">{te(mark === 'errors' ? 'hasErrors' : 'hasAdvice')}</span></span>;

interface RowProps {
  id: string;
  of: 'block' | 'item' | 'concept';
  text: string;
  /** Whether the text is ours and not the author's. */
  soft: boolean;
  n: number;
  current: boolean;
  mark: Mark;
  drop: string | undefined;
}

/** The button of a block, an item or a concept. It is drawn again only when something of it changed: a long guide has hundreds. */
const Row = memo(({ id, of, text, soft, n, current, mark, drop }: RowProps) => {
  const editing = useEditing();
  const moving = (event: KeyboardEvent) => {
    if (of === 'concept' || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || !editing.mayChange) return;
    event.preventDefault();
    editing.edit((it) => move(it, id, event.key === 'ArrowUp' ? -1 : 1));
    editing.focus(`outline ${id}`, '');
  };
  const open = () => {
    if (of === 'block') editing.focus(id, 'title');
    else editing.go(id, of === 'concept' ? 'nickname' : 'text');
  };
  const draggable = of !== 'concept' && editing.mayChange;
  return (
    <div class={drop} {...(draggable && { 'data-drag': id, draggable })}>
      <button type="button" class={of === 'block' ? 'quiet of-block' : 'quiet'} id={of === 'concept' ? undefined : `outline ${id}`} aria-current={current ? 'true' : undefined} onKeyDown={moving} onClick={open}>
        {of === 'item' && <span class="n">{n}</span>}{of === 'concept' && <span class="n" aria-hidden="true">◇</span>}
        <span class={soft ? 'words soft' : 'words'} dir="auto">{text}</span>{marked(mark)}
      </button>
    </div>
  );
});

/** All blocks and items in nested lists. A button opens a card; Alt with an arrow, or dragging, moves what it stands for. */
export function OutlineList({ guide, open, problems }: Props) {
  const editing = useEditing();
  const { drop, handlers } = useDrag(editing);
  const at = (id: string) => ({ id, mark: markOf(problems.get(id)), current: open === id, drop: drop?.id === id ? `drop-${drop.where}` : undefined });
  let n = 0;
  return (
    <ol {...(editing.mayChange ? handlers : {})}>
      <li><button type="button" class="quiet" aria-current={open === settings ? 'true' : undefined} onClick={() => editing.go(settings, 'title')}>{te('settings')}{marked(markOf(problems.get('')))}</button></li>
      {guide.studyGuide.map((block) => {
        const id = block.externalId ?? '';
        return (
          <li key={id}>
            <Row {...at(id)} of="block" current={false} text={block.title || te(`block_${block.type as BlockType}`)} soft={false} n={0} />
            <ol>
              {conceptsOf(block).map((concept) => <li key={concept.externalId}><Row {...at(concept.externalId ?? '')} of="concept" text={concept.nickname || te('concept')} soft={false} n={0} /></li>)}
              {block.items.map((item) => {
                n += 1;
                return <li key={item.externalId}><Row {...at(item.externalId ?? '')} of="item" text={item.text || typeName(item.type)} soft={!item.text} n={n} /></li>;
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
