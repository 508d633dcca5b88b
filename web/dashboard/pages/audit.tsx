import { useLocation, useRoute } from 'preact-iso/router';
import { api, ask } from '../api';
import { withQuery } from '../filter';
import { dateTime } from '../format';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';
import { PageLinks } from '../parts/pages';
import { useQuery } from '../query';
import { known, t } from '../words';

/** Who changed what, and when. */
export function Audit() {
  const org = useRoute().params.org ?? '';
  const { query } = useLocation();
  const after = query.after;
  const here = `/o/${org}/audit`;
  const audit = useQuery({
    key: ['audit', org, after ?? ''],
    load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/audit', { params: { path: { orgId: org }, query: after ? { after } : {} }, signal })),
    keepBefore: true,
  });
  return (
    <>
      <div class="head"><Heading title={t('audit')} /></div>
      <p class="soft">{t('auditText')}</p>
      <Loaded of={audit} what={t('whatAudit')}>
        {({ entries, next }) => entries.length === 0 ? <div class="empty"><h2>{t('noAudit')}</h2></div> : (
          <>
            <div class="scroll">
              <table class="list">
                <caption class="unseen">{t('audit')}</caption>
                <thead><tr><th scope="col">#</th><th scope="col">{t('when')}</th><th scope="col">{t('who')}</th><th scope="col">{t('what')}</th><th scope="col">{t('subject')}</th><th scope="col">{t('detail')}</th></tr></thead>
                <tbody>
                  {entries.map((entry) => (
                    <tr key={entry.seq}>
                      <td class="soft number">{entry.seq}</td>
                      <td class="soft nowrap"><time dateTime={entry.at}>{dateTime(entry.at)}</time></td>
                      <td dir="auto">{entry.userName || (entry.userId ? t('gone') : t('operator'))}</td>
                      <th scope="row">{known(`action_${entry.action}`) ?? <code>{entry.action}</code>}</th>
                      <td dir="auto">{entry.subject}</td>
                      <td class="soft small" dir="auto">{Object.entries(entry.detail).map(([name, value]) => `${name}: ${value}`).join(', ')}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <PageLinks label={t('pagesOfAudit')} first={after ? here : null} next={next ? withQuery(here, new URLSearchParams({ after: next }).toString()) : null} />
          </>
        )}
      </Loaded>
    </>
  );
}
