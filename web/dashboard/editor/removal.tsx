import { Confirm } from '../parts/confirm';
import { useEditing } from './editing';
import { dependentsOf, remove } from './outline';
import { te } from './words';

/** Lists what depends on an item or block before it is removed. */
export function Removal({ id }: { id: string }) {
  const editing = useEditing();
  const guide = editing.copy.guide.value;
  const block = guide.studyGuide.find(({ externalId }) => externalId === id);
  const inside = block ? block.items.map(({ externalId }) => externalId ?? '') : [id];
  const all = inside.flatMap((each) => dependentsOf(guide, each)).filter((dependent) => !inside.includes(dependent.id));
  const close = () => { editing.removing.value = null; };
  const confirm = () => {
    editing.edit((it) => remove(it, id));
    editing.shut();
    return Promise.resolve();
  };
  return (
    <Confirm title={te('removeTitle')} submit={te('removeAnyway')} onConfirm={confirm} onClose={close}>
      <p>{te('removeText')}</p>
      <ul class="dependents">{all.map((dependent) => <li key={dependent.id + dependent.why} dir="auto">{te(dependent.why === 'options' ? 'dependsOptions' : 'dependsCondition', { n: dependent.n || '◇', text: dependent.text || te('noText') })}</li>)}</ul>
      <p class="soft">{te('removeUndo')}</p>
    </Confirm>
  );
}
