import { useEditing } from './editing';
import { allItems, conceptsOf, type Guide } from './guide';
import type { Dispute } from './merge';
import { knownHere, te } from './words';

const shown = (value: unknown) => (value === undefined || value === null || value === '' ? te('nothing') : typeof value === 'string' ? value : JSON.stringify(value, null, 1));

/** What two people have changed in different ways: one decides. */
export function Disputes({ disputes }: { disputes: readonly Dispute[] }) {
  const editing = useEditing();
  if (disputes.length === 0) return null;
  const guide = editing.copy.guide.value;
  return (
    <section class="disputes" aria-labelledby="disputes">
      <h2 id="disputes">{te('disputes')}</h2>
      <p>{te('disputesText')}</p>
      <ul>
        {disputes.map((dispute) => (
          <li key={dispute.node + dispute.field}>
            <h3 dir="auto">{nameOf(guide, dispute.node)}{dispute.field && `: ${fieldName(dispute.field)}`}</h3>
            {dispute.why === 'field' ? (
              <dl>
                {(['mine', 'theirs', 'base'] as const).map((side) => (
                  <div key={side}>
                    <dt>{te(`side_${side}`)}</dt><dd dir="auto">{shown(dispute[side])}</dd>
                    <dd><button type="button" onClick={() => editing.copy.decide(dispute, side)}>{te(`take_${side}`)}</button></dd>
                  </div>
                ))}
              </dl>
            ) : (
              <>
                <p>{te(`dispute_${dispute.why}`)}</p>
                <p class="row"><button type="button" onClick={() => editing.copy.decide(dispute, 'mine')}>{te(`mine_${dispute.why}`)}</button><button type="button" onClick={() => editing.copy.decide(dispute, 'theirs')}>{te(`theirs_${dispute.why}`)}</button></p>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const fieldName = (field: string) => knownHere(`field_${field}`) ?? field;

// nameOf returns what people call a node of a table, whose key ends in its id.
function nameOf(guide: Guide, key: string): string {
  if (key === '') return te('settings');
  const id = key.replace(/^(?:block|item|concept) /, '').replace(/^option item (.*)\/[^/]*$/, '$1');
  const item = allItems(guide).find((entry) => entry.item.externalId === id);
  if (item) return te('questionNamed', { n: item.n, text: item.item.text || te('noText') });
  const block = guide.studyGuide.find(({ externalId }) => externalId === id);
  const concept = guide.studyGuide.flatMap(conceptsOf).find(({ externalId }) => externalId === id);
  return block?.title || concept?.nickname || te('removedPart');
}
