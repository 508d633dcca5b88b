// Who else has this guide open, and where. It informs only.
import { useEffect, useState } from 'preact/hooks';
import { api, type Schemas } from '../api';
import type { Editing } from './editing';
import { allItems, conceptsOf, type Guide } from './guide';
import { te } from './words';

type Person = Schemas['Present'];

const every = 10_000;

/** Says where this page is, and returns who else is there. */
function usePresence(editing: Editing): readonly Person[] {
  const [people, setPeople] = useState<readonly Person[]>([]);
  const item = editing.open.value ?? '';
  useEffect(() => {
    let ended = false;
    const say = async () => {
      if (document.visibilityState !== 'visible') return;
      const { data } = await api.POST('/api/dashboard/studies/{studyRef}/presence', { params: { path: { studyRef: editing.link } }, body: { tab: editing.tab, item } }).catch(() => ({ data: undefined }));
      if (!ended && data) setPeople(data.people);
    };
    void say();
    const timer = setInterval(() => void say(), every);
    return () => {
      ended = true;
      clearInterval(timer);
    };
  }, [editing, item]);
  useEffect(() => {
    const leave = () => void fetch(`/api/dashboard/studies/${encodeURIComponent(editing.link)}/presence`, {
      method: 'POST', keepalive: true, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ tab: editing.tab, left: true }),
    }).catch(() => {});
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [editing]);
  return people;
}

/** Returns what a card is called: a number, or a name. */
export function placeName(guide: Guide, id: string): string {
  if (id === '') return '';
  const item = allItems(guide).find((each) => each.item.externalId === id);
  if (item) return te('itemN', { n: item.n });
  const block = guide.studyGuide.find(({ externalId }) => externalId === id);
  return block?.title ?? guide.studyGuide.flatMap(conceptsOf).find(({ externalId }) => externalId === id)?.nickname ?? '';
}

export function Presence({ editing }: { editing: Editing }) {
  const people = usePresence(editing);
  const guide = editing.copy.guide.value;
  if (people.length === 0) return null;
  return (
    <ul class="present" aria-label={te('alsoHere')}>
      {people.map(({ name, own, item }, i) => {
        const place = placeName(guide, item);
        return <li key={i} class="chip"><span dir="auto">{own ? te('ownOtherTab') : name}{place && ` · ${place}`}</span></li>;
      })}
    </ul>
  );
}
