import lazy from 'preact-iso/lazy';
import { useLocation, useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { withQuery } from '../filter';
import { ago, dateTime, number } from '../format';
import { Badge } from '../parts/badge';
import { Select } from '../parts/form';
import { Heading } from '../parts/heading';
import { Icon } from '../parts/icon';
import { Loaded } from '../parts/loaded';
import { PageLinks } from '../parts/pages';
import { useRows } from '../parts/rows';
import { SearchField } from '../parts/search_field';
import { useMe, useQuery } from '../query';
import { useShortcuts } from '../state/shortcuts';
import { t } from '../words';
import { ChosenStudies, FolderDialog, folderName, useFolders } from './folders';

const NewStudy = lazy(() => import('./new_study').then((page) => page.NewStudy));

type Study = Schemas['Study'];
const states: readonly Study['state'][] = ['draft', 'live', 'paused', 'closed'];

/** The studies of an organization: search, state, pages. */
export function Studies() {
  const { params } = useRoute();
  const { query, route } = useLocation();
  const org = params.org ?? '';
  const q = query.q ?? '';
  const after = query.after;
  const state = states.find((name) => name === query.state);
  const folder = query.folder;
  const asked = { ...(q && { q }), ...(state && { state }), ...(folder && { folder }), ...(after && { after }) };
  const studies = useQuery({
    key: ['studies', org, asked],
    load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/studies', { params: { path: { orgId: org }, query: asked }, signal })),
    keepBefore: true,
  });
  const me = useMe();
  const here = `/o/${org}/studies`;
  const search = (changes: Record<string, string | undefined>) => {
    const next = Object.entries({ q: q || undefined, state, folder, ...changes }).filter((entry): entry is [string, string] => Boolean(entry[1]));
    route(withQuery(here, new URLSearchParams(next).toString()), true);
  };
  const [making, setMaking] = useState(false);
  const [sorting, setSorting] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const folders = useFolders(org);
  const role = me.data?.organizations.find(({ id }) => id === org)?.role;
  const choose = (id: string) => setChosen((before) => { const next = new Set(before); if (!next.delete(id)) next.add(id); return next; });
  const inFolders: [string, string][] = [['', t('folderAny')], ['[]', t('folderNone')], ...(folders.data?.folders ?? []).map(({ folder: of, studies: n }): [string, string] => [JSON.stringify(of), `${folderName(of)} (${n})`])];
  if (folder && !inFolders.some(([value]) => value === folder)) inFolders.push([folder, t('folderGone')]);
  const { table, down, up } = useRows();
  useShortcuts([
    { key: '/', label: t('keySearch'), run: () => document.querySelector<HTMLInputElement>('input[name=q]')?.focus() },
    { key: 'n', label: t('newStudy'), run: () => setMaking(true) },
    { key: 'j', label: t('keyDown'), run: down },
    { key: 'k', label: t('keyUp'), run: up },
    { key: 'enter', label: t('keyOpen'), run: () => {} },
  ]);
  const next = (to: string) => withQuery(here, new URLSearchParams({ ...asked, after: to }).toString());
  return (
    <>
      <div class="head"><Heading title={t('studies')} /><button type="button" class="primary push" onClick={() => setMaking(true)}><Icon name="plus" />{t('newStudy')}</button></div>
      <search class="bar">
        <SearchField label={t('searchStudies')} name="q" value={q} onSearch={(text) => search({ q: text || undefined })} />
        <Select label={t('state')} quiet value={state ?? ''} onChange={(value) => search({ state: value || undefined })}
          options={[['', t('stateAny')], ...states.map((name) => [name, t(`state_${name}`)] as const)]} />
        <Select label={t('folder')} quiet value={folder ?? ''} onChange={(value) => search({ folder: value || undefined })} options={inFolders} />
        <button type="button" class="quiet" onClick={() => setSorting(true)}>{t('folders')}</button>
        <a class="button quiet" href={`/o/${org}/trash`}>{t('trash')}</a>
      </search>
      <Loaded of={studies} what={t('whatStudies')}>
        {({ studies: found, next: to }) => found.length === 0
          ? <Nothing searched={Boolean(q || state || folder || after)} organization={org} mayMakeKeys={role !== 'member'} onNew={() => setMaking(true)} />
          : (
            <div class={studies.isBefore ? 'before' : undefined} aria-busy={studies.isBefore}>
              {found.some(({ id }) => chosen.has(id)) && <ChosenStudies studies={found.filter(({ id }) => chosen.has(id))} folders={folders} onDone={() => setChosen(new Set())} />}
              <div class="scroll">
                <table ref={table} class="list studies">
                  <caption class="unseen">{t('studies')}</caption>
                  <thead><tr><td class="pick" /><th scope="col">{t('title')}</th><th scope="col">{t('state')}</th><th scope="col" class="right">{t('completes')}</th><th scope="col">{t('owner')}</th><th scope="col">{t('updated')}</th></tr></thead>
                  <tbody>{found.map((study) => <StudyRow key={study.id} study={study} chosen={chosen.has(study.id)} onChoose={() => choose(study.id)} />)}</tbody>
                </table>
              </div>
              <PageLinks label={t('pagesOfStudies')} first={after ? withQuery(here, new URLSearchParams({ ...asked, after: '' }).toString().replace(/&?after=$/, '')) : null} next={to ? next(to) : null} />
            </div>
          )}
      </Loaded>
      {sorting && <FolderDialog org={org} folders={folders} mayRename={role !== 'member'} onClose={() => setSorting(false)} />}
      {making && <NewStudy org={org} onClose={() => setMaking(false)} />}
    </>
  );
}

function StudyRow({ study, chosen, onChoose }: { study: Study; chosen: boolean; onChoose: () => void }) {
  return (
    <tr aria-selected={chosen}>
      <td class="pick"><label><input type="checkbox" checked={chosen} aria-label={t('chooseStudy', { name: study.title || t('untitled') })} onChange={onChoose} /></label></td>
      <th scope="row">
        <a href={`/p/${encodeURIComponent(study.linkId)}${study.state === 'draft' ? '/edit' : ''}`} data-row={study.id} dir="auto">{study.title || t('untitled')}</a>
        {study.folder.length > 0 && <span class="soft small folder" dir="auto">{study.folder.join(' / ')}</span>}
      </th>
      <td><Badge state={study.state} /></td>
      <td class="right number" data-label={t('completes')}>{number(study.complete)}</td>
      <td class="soft" dir="auto" data-label={t('owner')}>{study.own ? t('you') : study.creator}</td>
      <td class="soft"><time dateTime={study.updatedAt} title={dateTime(study.updatedAt)}>{ago(study.updatedAt, Date.now())}</time></td>
    </tr>
  );
}

function Nothing({ searched, organization, mayMakeKeys, onNew }: { searched: boolean; organization: string; mayMakeKeys: boolean; onNew: () => void }) {
  if (searched) return <div class="empty"><h2>{t('noStudiesFound')}</h2><p><a class="button" href={`/o/${organization}/studies`}>{t('clearSearch')}</a></p></div>;
  return (
    <div class="empty">
      <h2>{t('noStudies')}</h2>
      <p>{t('noStudiesText')}</p>
      <p class="row">
        <button type="button" class="primary" onClick={onNew}>{t('newStudy')}</button>
        {mayMakeKeys && <a class="button" href={`/o/${organization}/keys`}>{t('createKey')}</a>}
        <a class="button" href="/docs/">{t('apiReference')}</a>
      </p>
    </div>
  );
}
