import { useRoute } from 'preact-iso/router';
import { api, ask, type Schemas } from '../api';
import { ago, date, dateTime } from '../format';
import { Badge } from '../parts/badge';
import { useAction } from '../parts/form';
import { Heading } from '../parts/heading';
import { Loaded, reason } from '../parts/loaded';
import { useQuery } from '../query';
import { notify } from '../state/notices';
import { cache } from '../state/session';
import { t } from '../words';

type Trashed = Schemas['Trashed'];

/** Studies that were put into the trash and can be restored. */
export function Trash() {
  const org = useRoute().params.org ?? '';
  const trash = useQuery({ key: ['trash', org], load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/trash', { params: { path: { orgId: org } }, signal })) });
  return (
    <>
      <nav class="crumbs" aria-label={t('breadcrumb')}><a href={`/o/${org}/studies`}>{t('studies')}</a></nav>
      <div class="head"><Heading title={t('trash')} /></div>
      <p class="soft">{t('trashText')}</p>
      <Loaded of={trash} what={t('whatTrash')}>
        {({ studies }) => studies.length === 0
          ? <div class="empty"><h2>{t('trashEmpty')}</h2><p><a class="button" href={`/o/${org}/studies`}>{t('studies')}</a></p></div>
          : (
            <div class="scroll">
              <table class="list studies">
                <caption class="unseen">{t('trash')}</caption>
                <thead><tr><th scope="col">{t('title')}</th><th scope="col">{t('state')}</th><th scope="col">{t('trashed')}</th><th scope="col">{t('trashUntil')}</th><th scope="col">{t('actions')}</th></tr></thead>
                <tbody>{studies.map((one) => <Row key={one.study.id} trashed={one} />)}</tbody>
              </table>
            </div>
          )}
      </Loaded>
    </>
  );
}

function Row({ trashed: { study, trashedAt, deletedAt, mayRestore } }: { trashed: Trashed }) {
  const { busy, failure, run } = useAction();
  const restore = () => run(async () => {
    await ask(api.POST('/api/dashboard/trash/{studyRef}/restore', { params: { path: { studyRef: study.id } } }));
    notify(t('trashRestored', { name: study.title || t('untitled') }));
    await Promise.all(['trash', 'studies', 'folders'].map((name) => cache.invalidateQueries({ queryKey: [name] })));
  });
  return (
    <tr>
      <th scope="row"><span dir="auto">{study.title || t('untitled')}</span>{study.folder.length > 0 && <span class="soft small folder" dir="auto">{study.folder.join(' / ')}</span>}</th>
      <td><Badge state={study.state} /></td>
      <td class="soft"><time dateTime={trashedAt} title={dateTime(trashedAt)}>{ago(trashedAt, Date.now())}</time></td>
      <td class="soft" data-label={t('trashUntil')}><time dateTime={deletedAt}>{date(deletedAt)}</time></td>
      <td class="actions">
        {failure && <span class="wrong small" role="alert">{reason(failure)}</span>}
        <button type="button" disabled={busy || !mayRestore} aria-label={t('restoreOf', { name: study.title || t('untitled') })} onClick={() => void restore()}>{t('restoreStudy')}</button>
      </td>
    </tr>
  );
}
