import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { wrongIn } from '../editor/json_panel';
import { counte, te } from '../editor/words';
import { Dialog } from '../parts/dialog';
import { useAction } from '../parts/form';
import { Loaded, reason } from '../parts/loaded';
import { SearchField } from '../parts/search_field';
import { useQuery } from '../query';
import { cache } from '../state/session';
import { t } from '../words';

const ways = ['template', 'paste', 'copy'] as const;
type Way = (typeof ways)[number];

/** Makes a study of nothing, a template, a text or another study, and opens it. */
export function NewStudy({ org, onClose }: { org: string; onClose: () => void }) {
  const { route } = useLocation();
  const [way, setWay] = useState<Way>('template');
  const { busy, failure, run } = useAction();
  const create = (body: Schemas['NewStudy']) => run(async () => {
    const { study } = await ask(api.POST('/api/dashboard/organizations/{orgId}/studies', { params: { path: { orgId: org } }, body }));
    await cache.invalidateQueries({ queryKey: ['studies'] });
    onClose();
    route(`/p/${encodeURIComponent(study.linkId)}/edit`);
  });
  return (
    <Dialog title={te('newStudy')} onClose={onClose}>
      <div class="new-study">
        <fieldset class="row" aria-label={te('newFrom')}>
          {ways.map((name) => <button key={name} type="button" class={way === name ? 'panel-button on' : 'panel-button'} aria-pressed={way === name} onClick={() => setWay(name)}>{te(`from_${name}`)}</button>)}
        </fieldset>
        {failure && <p class="wrong" role="alert">{reason(failure)}</p>}
        {way === 'template' && <Templates busy={busy} onCreate={create} />}
        {way === 'paste' && <Paste busy={busy} onCreate={create} />}
        {way === 'copy' && <Duplicate org={org} busy={busy} onCreate={create} />}
      </div>
    </Dialog>
  );
}

interface WayProps {
  busy: boolean;
  onCreate: (body: Schemas['NewStudy']) => Promise<boolean>;
}

function Templates({ busy, onCreate }: WayProps) {
  const templates = useQuery({ key: ['templates'], load: (signal) => ask(api.GET('/api/dashboard/templates', { signal })) });
  return (
    <>
      <ul class="choices">
        <li><button type="button" disabled={busy} onClick={() => void onCreate({ from: 'blank' })}><b>{te('blank')}</b><span class="soft">{te('blankText')}</span></button></li>
      </ul>
      <Loaded of={templates} what={te('whatTemplates')} rows={4}>
        {({ templates: all }) => (
          <ul class="choices">
            {all.map((template) => (
              <li key={template.id}>
                <button type="button" disabled={busy} onClick={() => void onCreate({ from: 'template', template: template.id })}>
                  <b>{template.title}</b><span class="soft">{template.description}</span><span class="soft small">{counte('templateSize', template.questions, { minutes: template.minutes })}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}

function Paste({ busy, onCreate }: WayProps) {
  const [text, setText] = useState('');
  const json = /^\s*[{[]/.test(text);
  const wrong = json ? wrongIn(text) : null;
  const create = () => onCreate(json ? { from: 'guide', guide: JSON.parse(text) as Schemas['Guide'] } : { from: 'outline', outline: text });
  return (
    <form class="stacked" onSubmit={(event) => { event.preventDefault(); void create(); }}>
      <div class="field">
        <label for="pasted">{te('pasted')}</label>
        <textarea id="pasted" class="mono" rows={12} maxLength={json ? undefined : 100_000} spellcheck={false} value={text} placeholder={te('pasteExample')} aria-invalid={wrong ? true : undefined} aria-describedby="pasted-state" onInput={(event) => setText(event.currentTarget.value)} />
        <p id="pasted-state" role="status" class={wrong ? 'wrong small' : 'soft small'}>{wrong ? wrong.message : te(json ? 'pasteJson' : 'pasteText')}</p>
      </div>
      <button type="submit" class="primary" disabled={busy || text.trim() === '' || wrong !== null}>{te('createOfText')}</button>
    </form>
  );
}

function Duplicate({ org, busy, onCreate }: WayProps & { org: string }) {
  const [q, setQ] = useState('');
  const studies = useQuery({
    key: ['studies', org, { copy: q }],
    load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/studies', { params: { path: { orgId: org }, query: q ? { q } : {} }, signal })),
    keepBefore: true,
  });
  return (
    <>
      <SearchField label={t('searchStudies')} name="copy" value={q} onSearch={setQ} />
      <Loaded of={studies} what={t('whatStudies')} rows={4}>
        {({ studies: all }) => all.length === 0 ? <p class="soft">{t('noStudiesFound')}</p> : (
          <ul class="choices">
            {all.map((study) => <li key={study.id}><button type="button" disabled={busy} onClick={() => void onCreate({ from: 'copy', copyOf: study.id })}><b dir="auto">{study.title || t('untitled')}</b><span class="soft small">{t(`state_${study.state}`)}</span></button></li>)}
          </ul>
        )}
      </Loaded>
    </>
  );
}
