import { useLocation } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { filterQuery, isFiltered, parseAfter, parseFilter, withQuery } from '../filter';
import { Icon } from '../parts/icon';
import { Loaded } from '../parts/loaded';
import { PageLinks } from '../parts/pages';
import { StudyHead } from '../parts/study_head';
import { useStudyPage } from '../parts/study_page';
import { useQuery } from '../query';
import { cache } from '../state/session';
import { count, t } from '../words';
import { FilterBar } from './filter_bar';
import { ResponseTable } from './response_table';

const pollEvery = 5_000;

/** The responses of a study. The filter and the page stand in the address. */
export function Responses() {
  const { route, path } = useLocation();
  const { study, search } = useStudyPage();
  const today = study.data?.study.linkId;
  const state = study.data?.study.state;
  useEffect(() => {
    if (state === 'draft' && today && !path.endsWith('/responses')) route(`/p/${encodeURIComponent(today)}/edit`, true); // a draft has no responses yet
  }, [state, today, path, route]);
  return <Loaded page of={study} what={t('whatStudy')}>{(detail) => <StudyResponses detail={detail} search={search} />}</Loaded>;
}

function StudyResponses({ detail, search }: { detail: Schemas['StudyDetail']; search: string }) {
  const { route } = useLocation();
  const { study, counts } = detail;
  const here = `/p/${encodeURIComponent(study.linkId)}`;
  const filter = parseFilter(search);
  const after = parseAfter(search);
  const key = filterQuery(filter, { after });
  const list = useQuery({
    key: ['responses', study.id, key],
    load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/responses', {
      params: { path: { studyRef: study.linkId }, query: { ...filter, ...(after && { after }) } }, signal,
    })),
    keepBefore: true,
  });
  const refresh = async () => {
    await Promise.all([cache.invalidateQueries({ queryKey: ['responses', study.id] }), cache.invalidateQueries({ queryKey: ['study'] })]);
  };
  return (
    <>
      <StudyHead detail={detail} here="responses" query={filterQuery(filter)}>
        {study.state === 'live' && <a class="soft small push" href={detail.participantLink} target="_blank" rel="noreferrer">{t('participantPage')}</a>}
      </StudyHead>
      <Tabs counts={counts} here={here} search={search} />
      <FilterBar filter={filter} onChange={(next) => route(withQuery(here, filterQuery(next)), true)} />
      <Loaded of={list} what={t('whatResponses')}>
        {(page) => (
          <>
            {!list.isBefore && <Arrivals link={study.linkId} since={page.newest} onShow={async () => { await refresh(); route(withQuery(here, filterQuery(filter))); }} />}
            {page.responses.length === 0
              ? <Nothing filtered={isFiltered(filter) || after !== undefined} searched={filter.q !== undefined} here={here} draft={study.state === 'draft'} />
              : <div class={list.isBefore ? 'before' : undefined} aria-busy={list.isBefore}>
                  <ResponseTable page={page} link={study.linkId} filter={filter} mayChange={detail.mayChange} onChanged={refresh} />
                  <PageLinks label={t('pagesOfResponses')} first={after ? withQuery(here, filterQuery(filter)) : null}
                    next={page.next ? withQuery(here, filterQuery(filter, { after: page.next })) : null} />
                </div>}
          </>
        )}
      </Loaded>
    </>
  );
}

interface TabsProps {
  counts: Schemas['StudyDetail']['counts'];
  here: string;
  search: string;
}

/** How far responses got, with their numbers in the whole study. Each is a filter. */
function Tabs({ counts, here, search }: TabsProps) {
  const { progress: _progress, hidden: _hidden, ...others } = parseFilter(search);
  const now = parseFilter(search);
  const all = counts.complete + counts.inProgress + counts.abandoned + counts.screenedOut;
  const tabs = [
    ['state_all', all, {}],
    ['state_complete', counts.complete, { progress: 'complete' }],
    ['state_in_progress', counts.inProgress, { progress: 'in_progress' }],
    ['state_abandoned', counts.abandoned, { progress: 'abandoned' }],
    ['state_screened_out', counts.screenedOut, { progress: 'screened_out' }],
    ['state_hidden', counts.hidden, { hidden: 'true' }],
  ] as const;
  return (
    <nav class="tabs states" aria-label={t('byState')}>
      {tabs.map(([label, n, { progress, hidden }]: readonly [typeof tabs[number][0], number, { progress?: Schemas['Progress']; hidden?: 'true' }]) => (
        <a key={label} href={withQuery(here, filterQuery({ ...others, ...(progress && { progress }), ...(hidden && { hidden }) }))}
          aria-current={now.progress === progress && now.hidden === hidden ? 'true' : undefined}>{t(label)} <span class="soft number">{new Intl.NumberFormat().format(n)}</span></a>
      ))}
    </nav>
  );
}

interface ArrivalsProps {
  link: string;
  since: number;
  onShow: () => Promise<void>;
}

/** A bar with the number of responses that have begun since the list was read. Nothing moves until it is pressed. */
function Arrivals({ link, since, onShow }: ArrivalsProps) {
  const [busy, setBusy] = useState(false);
  const arrivals = useQuery({
    key: ['arrivals', link, since],
    load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/arrivals', { params: { path: { studyRef: link }, query: { since } }, signal })),
    every: pollEvery,
  });
  const n = arrivals.data?.count ?? 0;
  const show = async () => {
    setBusy(true);
    await onShow();
    setBusy(false);
  };
  return <div role="status" class="arrivals">{n > 0 && <button type="button" disabled={busy} onClick={() => void show()}><Icon name="up" />{count('newResponses', n)}</button>}</div>;
}

function Nothing({ filtered, searched, here, draft }: { filtered: boolean; searched: boolean; here: string; draft: boolean }) {
  if (filtered) return <div class="empty"><h2>{t('noResponsesFound')}</h2>{searched && <p>{t('wordsLater')}</p>}<p><a class="button" href={here}>{t('clearFilter')}</a></p></div>;
  return <div class="empty"><h2>{t('noResponses')}</h2><p>{t(draft ? 'noResponsesDraft' : 'noResponsesText')}</p></div>;
}
