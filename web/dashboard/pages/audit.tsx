import { useLocation, useRoute } from 'preact-iso/router';
import { api, ask, type Schemas } from '../api';
import { withQuery } from '../filter';
import { dateTime } from '../format';
import { FilterField } from '../parts/filter_field';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';
import { PageLinks } from '../parts/pages';
import { useQuery } from '../query';
import { keysThere, knownThere, to } from '../organization_words';
import { t } from '../words';

const names = ['user', 'action', 'since', 'until'] as const;
type Filter = Partial<Record<(typeof names)[number], string>>;

/** Who changed, exported or played what, and when. The filter stands in the address. */
export function Audit() {
  const org = useRoute().params.org ?? '';
  const { query: given, route } = useLocation();
  const filter: Filter = Object.fromEntries(names.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));
  const after = given.after;
  const here = `/o/${org}/audit`;
  const text = new URLSearchParams(filter as Record<string, string>).toString();
  const asked = { ...filter, ...(filter.since && { since: startOf(filter.since) }), ...(filter.until && { until: startOf(filter.until, 1) }) };
  const audit = useQuery({
    key: ['audit', org, text, after ?? ''],
    load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/audit', { params: { path: { orgId: org }, query: { ...asked, ...(after && { after }) } }, signal })),
    keepBefore: true,
  });
  const set = (name: keyof Filter, value: string) => {
    const { [name]: _, ...rest } = filter;
    route(withQuery(here, new URLSearchParams({ ...(rest as Record<string, string>), ...(value && { [name]: value }) }).toString()));
  };
  const file = (format: string) => withQuery(`/api/dashboard/organizations/${org}/audit/file`, new URLSearchParams({ format, ...asked }).toString());
  const actions = keysThere('action_').map((key) => [key.slice('action_'.length), knownThere(key) ?? key] as const).sort((a, b) => a[1].localeCompare(b[1]));
  return (
    <>
      <div class="head"><Heading title={t('audit')} /></div>
      <p class="soft">{to('auditText')}</p>
      <Loaded of={audit} what={to('whatAudit')}>
        {({ entries, people, next }) => (
          <>
            <div class="bar filters">
              <FilterField label={to('who')} value={filter.user ?? ''} onChange={(value) => set('user', value)}
                options={[['', t('anybody')], ['operator', t('operator')], ...people.map(({ id, name }) => [id, name] as const)]} />
              <FilterField label={t('what')} value={filter.action ?? ''} onChange={(value) => set('action', value)} options={[['', to('anything')], ...actions]} />
              <FilterField label={to('sinceDay')} value={filter.since ?? ''} onChange={(value) => set('since', value)} />
              <FilterField label={to('untilDay')} value={filter.until ?? ''} onChange={(value) => set('until', value)} />
              {text && <a class="button quiet" href={here}>{to('auditAll')}</a>}
              <span class="push row"><a class="button" href={file('csv')} download>CSV</a><a class="button" href={file('jsonl')} download>JSONL</a></span>
            </div>
            {entries.length === 0 ? <div class="empty"><h2>{to(text ? 'noAuditFound' : 'noAudit')}</h2></div> : <Entries entries={entries} />}
            <PageLinks label={to('pagesOfAudit')} first={after ? withQuery(here, text) : null}
              next={next ? withQuery(here, new URLSearchParams({ ...(filter as Record<string, string>), after: next }).toString()) : null} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Entries({ entries }: { entries: readonly Schemas['AuditEntry'][] }) {
  return (
    <div class="scroll">
      <table class="list">
        <caption class="unseen">{t('audit')}</caption>
        <thead><tr><th scope="col">#</th><th scope="col">{t('when')}</th><th scope="col">{to('who')}</th><th scope="col">{t('what')}</th><th scope="col">{to('subject')}</th><th scope="col">{t('detail')}</th></tr></thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.seq}>
              <td class="soft number">{entry.seq}</td>
              <td class="soft nowrap"><time dateTime={entry.at}>{dateTime(entry.at)}</time></td>
              <td dir="auto">{entry.userName || (entry.userId ? t('gone') : t('operator'))}</td>
              <th scope="row">{knownThere(`action_${entry.action}`) ?? <code>{entry.action}</code>}</th>
              <td dir="auto" class="long">{entry.subjectName || entry.subject}</td>
              <td class="soft small long" dir="auto">{Object.entries(entry.detail).map(([name, value]) => `${name}: ${value}`).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns when a day begins in the reader's time zone, so many days later. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const start = new Date(year, month - 1, date + later);
  return Number.isNaN(start.getTime()) ? day : start.toISOString();
}
