import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { Dialog } from '../parts/dialog';
import { useAction } from '../parts/form';
import { reason } from '../parts/loaded';
import { cache } from '../state/session';
import { type Colour, colours } from './colours';
import { NewTag } from './tag_fields';
import { count, t } from './words';

interface Props {
  link: string;
  vocabulary: readonly Schemas['GivenTag'][];
  mayChange: boolean;
  onClose: () => void;
}

/** The vocabulary of a study: tags are added, renamed, coloured and removed. */
export function TagsDialog({ link, vocabulary, mayChange, onClose }: Props) {
  return (
    <Dialog title={t('manageTags')} onClose={onClose}>
      {vocabulary.length === 0 && <p class="soft">{t('tagsNone')}</p>}
      <ul class="vocabulary">{vocabulary.map((tag) => <TagRow key={tag.id} tag={tag} link={link} mayChange={mayChange} />)}</ul>
      <NewTag link={link} onMade={() => {}} />
    </Dialog>
  );
}

function TagRow({ tag, link, mayChange }: { tag: Schemas['GivenTag']; link: string; mayChange: boolean }) {
  const [name, setName] = useState(tag.name);
  const { busy, failure, run } = useAction();
  const path = { studyRef: link, tagId: tag.id };
  const refresh = () => Promise.all([cache.invalidateQueries({ queryKey: ['tags', link] }), cache.invalidateQueries({ queryKey: ['annotations', link] })]);
  const change = (body: { name?: string; colour?: Colour }) => run(async () => {
    await ask(api.PATCH('/api/dashboard/studies/{studyRef}/tags/{tagId}', { params: { path }, body }));
    await refresh();
  });
  const remove = () => run(async () => {
    await ask(api.DELETE('/api/dashboard/studies/{studyRef}/tags/{tagId}', { params: { path } }));
    await refresh();
  });
  return (
    <li>
      <div class="row">
        {mayChange ? (
          <>
            <input type="text" aria-label={t('rename', { name: tag.name })} dir="auto" maxLength={60} value={name} disabled={busy} onInput={(event) => setName(event.currentTarget.value)}
              onBlur={() => { if (name.trim() && name.trim() !== tag.name) void change({ name: name.trim() }); else setName(tag.name); }}
              onKeyDown={(event) => { if (event.key === 'Enter') event.currentTarget.blur(); }} />
            <select aria-label={`${t('colour')}: ${tag.name}`} value={tag.colour} disabled={busy} onChange={(event) => void change({ colour: event.currentTarget.value as Colour })}>
              {colours.map((each) => <option key={each} value={each}>{t(`colour_${each}`)}</option>)}
            </select>
          </>
        ) : <span class={`chip given ${tag.colour}`}><bdi>{tag.name}</bdi></span>}
        <span class="soft small">{count('uses', tag.uses)}{tag.everywhere && ` · ${t('everywhereShort')}`}</span>
        {mayChange && <button type="button" class="quiet small push" disabled={busy} aria-label={t('removeTag', { name: tag.name })} onClick={() => void remove()}>{t('remove')}</button>}
      </div>
      {failure && <p class="wrong small" role="alert">{reason(failure)}</p>}
    </li>
  );
}
