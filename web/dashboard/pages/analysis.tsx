import { useLocation } from 'preact-iso/router';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { Ask } from '../analysis/ask';
import { type Report, type Section, text } from '../analysis/report';
import { Funnel, Notes, Question } from '../analysis/section';
import { ReportTable } from '../analysis/tables';
import { Themes } from '../analysis/themes';
import { count, t } from '../analysis/words';
import { withQuery } from '../filter';
import { dateTime } from '../format';
import { useAction } from '../parts/form';
import { Icon } from '../parts/icon';
import { Loaded, reason } from '../parts/loaded';
import { StudyHead } from '../parts/study_head';
import { useStudyPage } from '../parts/study_page';
import { type Result, useQuery } from '../query';
import { cache } from '../state/session';
import { t as common } from '../words';

type Analysis = Schemas['AnalysisReport'];
type Groupings = Schemas['Grouping'][];

/** How often the page asks while a report is made, and otherwise, in milliseconds. */
const [often, seldom] = [1_000, 20_000];

/** The report on a study. What it compares and counts stands in the address. */
export function Analysis() {
  const { study, search } = useStudyPage();
  return <Loaded page of={study} what={common('whatStudy')}>{(detail) => <StudyAnalysis detail={detail} search={search} />}</Loaded>;
}

interface Choice {
  by?: string;
  only?: string;
}

function StudyAnalysis({ detail, search }: { detail: Schemas['StudyDetail']; search: string }) {
  const { route } = useLocation();
  const { study } = detail;
  const link = study.linkId;
  const here = `/p/${encodeURIComponent(link)}/analysis`;
  const query = new URLSearchParams(search);
  const choice: Choice = { ...(query.get('by') && { by: query.get('by') as string }), ...(query.get('only') && { only: query.get('only') as string }) };
  const addressOf = (next: Choice) => withQuery(here, new URLSearchParams({ ...(next.by && { by: next.by }), ...(next.only && { only: next.only }) }).toString());
  const found = useReport(link, choice);
  const groupings = useQuery({ key: ['groupings', link], load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/groupings', { params: { path: { studyRef: link } }, signal })) });
  const { busy, failure, run } = useAction();
  const make = (next: Choice = choice) => run(async () => {
    const made = await ask(api.POST('/api/dashboard/studies/{studyRef}/report', { params: { path: { studyRef: link } }, body: next }));
    cache.setQueryData(keyOf(link, next), made);
  });
  const wanted = useRef(false);
  const choose = (next: Choice) => {
    wanted.current = true;
    route(addressOf(next));
  };
  const edited = useRef(false);
  const latest = useRef(make);
  latest.current = make;
  const recount = () => {
    edited.current = true;
    void make();
  };
  useEffect(() => {
    // What somebody has just chosen is made at once where there is none yet.
    if (wanted.current && found.data && !found.data.underway) {
      wanted.current = false;
      if (found.data.state === 'none') void latest.current();
    }
    // A report that was under way when themes were changed may not have the change yet: it is made once more.
    if (!found.data || found.data.underway) return;
    if (!found.data.themesChanged) edited.current = false;
    else if (edited.current) void latest.current();
  }, [found.data]);
  const ended = detail.counts.complete + detail.counts.screenedOut;
  return (
    <>
      <StudyHead detail={detail} here="analysis" />
      <Loaded of={found} what={t('whatReport')}>
        {(analysis) => (
          <>
            <Choices groupings={groupings.data?.groupings ?? []} choice={choice} onChoose={choose} analysis={analysis} />
            <State analysis={analysis} ended={ended} chosen={Boolean(choice.by || choice.only)} busy={busy} onMake={() => void make()} />
            {failure && <p class="wrong" role="alert">{reason(failure)}</p>}
            {analysis.report && analysis.reportId && (
              <ReportPage report={analysis.report as unknown as Report} reportId={analysis.reportId} asOf={analysis.asOf ?? ''} link={link} groupings={groupings.data?.groupings ?? []}
                hrefOf={(only) => addressOf({ ...choice, only })} onThemesChanged={recount} />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

const keyOf = (link: string, { by = '', only = '' }: Choice) => ['report', link, by, only];

/** The stored report. It is sent once; while another one is made, only how far that is. */
function useReport(link: string, choice: Choice): Result<Analysis> {
  const [every, setEvery] = useState(seldom);
  const key = keyOf(link, choice);
  const result = useQuery({
    key,
    load: async (signal): Promise<Analysis> => {
      const before = cache.getQueryData<Analysis>(key);
      const known = before?.report && before.reportId ? { known: before.reportId } : {};
      const got = await ask(api.GET('/api/dashboard/studies/{studyRef}/report', { params: { path: { studyRef: link }, query: { ...choice, ...known } }, signal }));
      return got.reportId && got.reportId === before?.reportId ? { ...got, report: before.report } : got;
    },
    every,
  });
  const underway = Boolean(result.data?.underway);
  useEffect(() => setEvery(underway ? often : seldom), [underway]);
  return result;
}

interface ChoicesProps {
  groupings: Groupings;
  choice: Choice;
  onChoose: (choice: Choice) => void;
  analysis: Analysis;
}

/** What is compared, and whose answers are counted. */
function Choices({ groupings, choice, onChoose, analysis }: ChoicesProps) {
  const questions = groupings.filter(({ number }) => number !== null);
  const parameters = groupings.filter(({ number }) => number === null);
  const without = ({ by, only }: { by?: string | undefined; only?: string | undefined }): Choice => ({ ...(by && { by }), ...(only && { only }) });
  const chosen = groupings.find(({ by, number }) => by === choice.by || `Q${number}` === choice.by)?.by ?? choice.by ?? '';
  const name = (each: Groupings[number]) => (each.number === null ? each.label : `Q${each.number} ${each.label}`);
  return (
    <div class="comparing bar">
      <div class="field"><label for="compare">{t('compare')}</label>
        <select id="compare" value={chosen} onChange={(event) => onChoose(without({ ...choice, by: event.currentTarget.value || undefined }))}>
          <option value="">{t('noComparison')}</option>
          {questions.length > 0 && <optgroup label={t('questionsGroup')}>{questions.map((each) => <option key={each.by} value={each.by}>{name(each)}</option>)}</optgroup>}
          {parameters.length > 0 && <optgroup label={t('parametersGroup')}>{parameters.map((each) => <option key={each.by} value={each.by}>{name(each)}</option>)}</optgroup>}
        </select>
      </div>
      <div class="field"><label for="only">{t('only')}</label>
        <select id="only" value={choice.only ?? ''} onChange={(event) => onChoose(without({ ...choice, only: event.currentTarget.value || undefined }))}>
          <option value="">{t('everybody')}</option>
          {groupings.map((each) => (
            <optgroup key={each.by} label={name(each)}>{each.values.map(({ value, label }) => <option key={value} value={`${each.by}=${value}`}>{label}</option>)}</optgroup>
          ))}
        </select>
      </div>
      {choice.only && <button type="button" class="chip" onClick={() => onChoose(without({ by: choice.by }))} aria-label={t('removeFilter')}><span dir="auto">{t('counted', { what: text((analysis.report as { only?: string } | null)?.only) || choice.only })}</span><Icon name="cross" /></button>}
      {analysis.report && <button type="button" class="push" onClick={() => print()}>{t('print')}</button>}
    </div>
  );
}

interface StateProps {
  analysis: Analysis;
  ended: number;
  chosen: boolean;
  busy: boolean;
  onMake: () => void;
}

/** How old the report is, how far the next one is, or what to do where there is none. */
function State({ analysis, ended, chosen, busy, onMake }: StateProps) {
  const { underway, state } = analysis;
  const other = underway !== null && !underway.same;
  const making = underway && (
    <div class="making" role="status">
      <p>{underway.same ? t('making', { step: t(`step_${underway.step}`) }) : t('makingOther')}</p>
      <progress max={100} value={underway.percent} aria-label={t('making', { step: t(`step_${underway.step}`) })} />
    </div>
  );
  if (state === 'complete') {
    const stale = analysis.newResponses > 0 || analysis.themesChanged;
    return (
      <div class="as-of">
        <p class="row" role="status">
          <span>{t('asOf', { time: analysis.asOf ? dateTime(analysis.asOf) : '' })}</span>
          {analysis.newResponses > 0 && <span class="badge warn"><Icon name="clock" />{count('newSince', analysis.newResponses)}</span>}
          {analysis.themesChanged && !underway && <span class="badge warn"><Icon name="pen" />{t('themesChanged')}</span>}
          {analysis.lastFailed && !underway && <span class="badge wrong"><Icon name="warning" />{t('lastFailed')}</span>}
          {!stale && !underway && !analysis.lastFailed && <span class="badge good"><Icon name="check" />{t('upToDate')}</span>}
          {!underway && <button type="button" class={stale ? 'primary small' : 'small'} disabled={busy} onClick={onMake}>{t('refresh')}</button>}
        </p>
        {making}
      </div>
    );
  }
  if (underway && !other) return making;
  if (ended === 0) return <div class="empty"><h2>{t('noResponses')}</h2><p>{t('noResponsesText')}</p></div>;
  return (
    <div class="empty">
      <h2>{t(state === 'failed' ? 'failedTitle' : 'noReport')}</h2>
      <p>{t(state === 'failed' ? 'failedText' : chosen ? 'noReportOnly' : 'noReportText')}</p>
      {analysis.usesModel && !other && <p>{t('usesModel')}</p>}
      {other ? making : <p><button type="button" class="primary" disabled={busy} onClick={onMake}>{t(state === 'failed' ? 'tryAgain' : 'make')}</button></p>}
    </div>
  );
}

interface ReportProps {
  report: Report;
  reportId: string;
  asOf: string;
  link: string;
  groupings: Groupings;
  hrefOf: (only: string) => string;
  onThemesChanged: () => void;
}

const own = ['fieldwork', 'groups', 'only', 'funnel', 'method', 'weights'];

function ReportPage({ report, reportId, asOf, link, groupings, hrefOf, onThemesChanged }: ReportProps) {
  const themes = useQuery({ key: ['themes', link], load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/themes', { params: { path: { studyRef: link } }, signal })) });
  const place = { link, reportId, asOf: t('asOf', { time: dateTime(asOf) }) };
  const find = (key: string): Section | undefined => report.sections.find((section) => section.key === key);
  const questions = report.sections.filter(({ key, kind }) => kind !== '' || !own.includes(key));
  const [fieldwork, groups, only, funnel, method] = ['fieldwork', 'groups', 'only', 'funnel', 'method'].map(find);
  const hrefs = (section: Section) => new Map((groupings.find(({ by }) => by === section.key)?.values ?? []).map(({ value, label }) => [label, hrefOf(`${section.key}=${value}`)]));
  return (
    <div class="report">
      <nav class="contents" aria-label={t('contents')}>
        <ol>
          {questions.map(({ key, number: n, heading }) => <li key={key}><Jump to={`s-${key}`} label={n ? `Q${n}` : heading} title={heading} /></li>)}
          {funnel && <li><Jump to="s-funnel" label={t('funnel')} /></li>}
          <li><Jump to="s-ask" label={t('ask')} /></li>
        </ol>
      </nav>
      {[fieldwork, only, groups].map((section) => section && <Facts key={section.key} section={section} title={section.key === 'fieldwork' ? t('fieldwork') : section.heading} />)}
      {questions.map((section) => (
        <Question key={section.key} section={section} hrefs={hrefs(section)} {...place}>
          {section.kind === 'open_ended' && (
            <Themes section={section} frame={themes.data?.questions.find(({ questionId }) => questionId === section.key)} link={link} onChanged={onThemesChanged} />
          )}
        </Question>
      ))}
      {funnel && <Funnel section={funnel} {...place} />}
      <Ask link={link} />
      {method && <Facts section={method} title={t('method')} />}
    </div>
  );
}

/** A link that scrolls to a part of the page and takes the focus there. */
function Jump({ to, label, title }: { to: string; label: string; title?: string }) {
  const opened = useRef<HTMLAnchorElement>(null);
  const go = (event: Event) => {
    event.preventDefault();
    const target = document.getElementById(to);
    target?.setAttribute('tabindex', '-1');
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
  };
  return <a ref={opened} href={`#${to}`} title={title} onClick={go}>{label}</a>;
}

/** A part of the report that is no question: its sentences, and its tables on demand. */
function Facts({ section, title }: { section: Section; title: string }) {
  return (
    <details class="card facts-of" open={section.key !== 'method' && section.key !== 'fieldwork'}>
      <summary><h2>{title}</h2> {section.key === 'fieldwork' && <span class="soft" dir="auto">{section.sentences[0]?.text}</span>}</summary>
      <Notes section={section} open />
      {section.tables.filter(({ rows }) => rows.length > 0).map((table) => <ReportTable key={table.key} table={table} />)}
    </details>
  );
}
