import { useId, useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { useAction } from '../parts/form';
import { reason } from '../parts/loaded';
import { cache } from '../state/session';
import { type Colour, colours } from './colours';
import { t } from './words';

interface Props {
  link: string;
  vocabulary: readonly Schemas['GivenTag'][];
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
  autofocus?: boolean;
}

/** The tags to choose from, and a field for a new one. */
export function TagFields({ link, vocabulary, chosen, onChange, autofocus = false }: Props) {
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <fieldset class="tag-fields">
      <legend>{t('tagsLegend')}</legend>
      {vocabulary.length === 0 && <p class="soft small">{t('tagsNone')}</p>}
      <div class="row">
        {vocabulary.map((tag, i) => (
          <label key={tag.id} class={`chip given ${tag.colour}`}>
            <input type="checkbox" checked={chosen.includes(tag.id)} onChange={() => toggle(tag.id)} ref={(box) => { if (autofocus && i === 0 && box && !box.dataset.begun) { box.dataset.begun = 'yes'; box.focus(); } }} /><bdi>{tag.name}</bdi>
          </label>
        ))}
      </div>
      <NewTag link={link} autofocus={autofocus && vocabulary.length === 0} onMade={(id) => onChange([...chosen, id])} />
    </fieldset>
  );
}

/** Makes a tag. It stands in a form of others, so Enter adds the tag and does not send that form. */
export function NewTag({ link, onMade, autofocus = false }: { link: string; onMade: (id: string) => void; autofocus?: boolean }) {
  const [name, setName] = useState('');
  const [colour, setColour] = useState<Colour>('teal');
  const { busy, failure, run } = useAction();
  const id = useId();
  const add = () => run(async () => {
    if (!name.trim()) return;
    const made = await ask(api.POST('/api/dashboard/studies/{studyRef}/tags', { params: { path: { studyRef: link } }, body: { name: name.trim(), colour } }));
    await cache.invalidateQueries({ queryKey: ['tags', link] });
    setName('');
    onMade(made.id);
  });
  return (
    <>
      <div class="row new-tag">
        <label for={id} class="unseen">{t('newTag')}</label>
        <input id={id} type="text" placeholder={t('newTag')} maxLength={60} value={name} autocomplete="off" onInput={(event) => setName(event.currentTarget.value)}
          ref={(field) => { if (autofocus && field && !field.dataset.begun) { field.dataset.begun = 'yes'; field.focus(); } }}
          onKeyDown={(event) => { if (event.key === 'Enter') { event.preventDefault(); void add(); } }} />
        <select aria-label={t('colour')} value={colour} onChange={(event) => setColour(event.currentTarget.value as Colour)}>
          {colours.map((each) => <option key={each} value={each}>{t(`colour_${each}`)}</option>)}
        </select>
        <button type="button" disabled={busy} onClick={() => void add()}>{t('addTag')}</button>
      </div>
      {failure && <p class="wrong small" role="alert">{reason(failure)}</p>}
    </>
  );
}
