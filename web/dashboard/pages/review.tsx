import { useLocation, useRoute } from 'preact-iso/router';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { allMarks, type Mark, numberMarks } from '../evidence';
import { filterQuery, parseFilter, withQuery } from '../filter';
import { dateTime, duration } from '../format';
import { Badge } from '../parts/badge';
import { Heading } from '../parts/heading';
import { Icon } from '../parts/icon';
import { Loaded } from '../parts/loaded';
import { decode } from '../parts/shell';
import { Playback } from '../playback';
import { parseQuote } from '../quote';
import { AnnotationList } from '../review/annotation_list';
import { colourOf } from '../review/colours';
import { Outdated } from '../review/correction';
import { MarkingBar, useAnnotations } from '../review/marking';
import { useQuery, useStudy } from '../query';
import { cache } from '../state/session';
import { useShortcuts } from '../state/shortcuts';
import { type Row, timelineOf } from '../timeline';
import { secondsOf } from '../transcript';
import { t } from '../words';
import { Answers } from './answers';
import { Deletion, hide } from './bulk';
import { Player } from './player';
import { Quality } from './quality';
import { Summary } from './summary';

type Response = Schemas['Response'];

/** Links to recordings are renewed so many milliseconds before they expire. */
const renewBefore = 60_000;

/** One response: what the analysis says, what was said, and the sound of it. */
export function Review() {
  const { params } = useRoute();
  const { url } = useLocation();
  const link = decode(params.link ?? '');
  const number = params.number ?? '';
  const filter = parseFilter(new URL(url, location.origin).search);
  const query = filterQuery(filter);
  const response = useQuery({
    key: ['response', link, number, query],
    load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/responses/{number}', { params: { path: { studyRef: link, number }, query: filter }, signal })),
  });
  return <Loaded page of={response} what={t('whatResponse')}>{(found) => <ReviewOf key={found.id} response={found} link={link} query={query} refresh={response.retry} />}</Loaded>;
}

interface Props {
  response: Response;
  link: string;
  query: string;
  refresh: () => Promise<{ data: Response | undefined }>;
}

function ReviewOf({ response, link, query, refresh }: Props) {
  const { route } = useLocation();
  const study = useStudy(link);
  const list = `/p/${encodeURIComponent(link)}`;
  const [measured, setMeasured] = useState<ReadonlyMap<number, number>>(new Map());
  const timeline = useMemo(() => timelineOf(response.rows, measured), [response.rows, measured]);
  const renew = useRef(async () => timeline);
  renew.current = async () => timelineOf((await refresh()).data?.rows ?? [], measured);
  const playback = useMemo(() => new Playback(() => renew.current(), (row, seconds) => setMeasured((before) => new Map(before).set(row, seconds)), playNoter(link, response.number)), [link, response.number]);
  useEffect(() => playback.setTimeline(timeline), [playback, timeline]);
  useRenewal(response.linksExpireAt, refresh);
  const numbered = useMemo(() => numberMarks(response.statements), [response.statements]);
  const marks = useMemo(() => allMarks(numbered), [numbered]);
  const [shown, setShown] = useState<Mark | null>(null);
  const [deleting, setDeleting] = useState(false);
  const annotating = useAnnotations(link, response.number);
  const found = annotating.annotations.data?.annotations;
  const highlights = useMemo(() => (found ?? []).flatMap(({ row, from, to, tags }) => (row === null || from === null || to === null ? [] : [{ row, from, to, colour: colourOf(tags, annotating.vocabulary) }])), [found, annotating.vocabulary]);
  const show = (mark: Mark) => {
    setShown(mark);
    goTo(mark.row);
    playback.playRow(mark.row, secondsOfMark(response.rows, mark));
  };
  useCited(response.rows, show);
  const onChanged = async () => {
    await Promise.all([refresh(), cache.invalidateQueries({ queryKey: ['responses'] }), cache.invalidateQueries({ queryKey: ['study'] })]);
  };
  const to = (number: number | null) => (number === null ? null : withQuery(`${list}/responses/${number}`, query));
  const go = (number: number | null) => { const address = to(number); if (address) route(address); };
  const nextMark = () => { const next = marks[((shown?.n ?? 0)) % Math.max(marks.length, 1)]; if (next) show(next); };
  useShortcuts([
    ...(timeline.segments.length > 0 ? [
      { key: ' ', label: t('keyPlay'), run: () => playback.toggle() },
      { key: 'arrowleft', label: t('keyBack5'), run: () => playback.seek(playback.time.peek() - 5) },
      { key: 'arrowright', label: t('keyForward5'), run: () => playback.seek(playback.time.peek() + 5) },
      { key: '[', label: t('keyRowBefore'), run: () => playback.step(-1) },
      { key: ']', label: t('keyRowAfter'), run: () => playback.step(1) },
    ] : []),
    ...(marks.length > 0 ? [{ key: 'e', label: t('keyEvidence'), run: nextMark }] : []),
    { key: 'j', label: t('keyOlder'), run: () => go(response.older) },
    { key: 'k', label: t('keyNewer'), run: () => go(response.newer) },
  ]);
  const title = t('responseN', { n: response.number });
  return (
    <>
      <nav class="crumbs" aria-label={t('breadcrumb')}>
        {study.data && <><a href={`/o/${study.data.organization.id}/studies`}>{t('studies')}</a><Icon name="forward" /></>}
        <a href={withQuery(list, query)} dir="auto">{study.data?.study.title ?? t('responsesTitle')}</a>
      </nav>
      <div class="head">
        <Heading title={title} />
        <Badge state={response.progress} />
        {response.hidden && <Badge state="hidden" />}
        <p class="soft small facts">
          <time dateTime={response.createdAt}>{dateTime(response.createdAt)}</time> · {duration(response.durationSeconds)} · {response.language}
          {Object.entries(response.parameters).map(([name, value]) => <span key={name} dir="auto"> · {name} = {value}</span>)}
        </p>
        <div class="push row">
          <Neighbour href={to(response.newer)} label={t('keyNewer')} icon="back" />
          <Neighbour href={to(response.older)} label={t('keyOlder')} icon="forward" />
          {response.mayChange && <button type="button" onClick={() => void hide(link, [response.number], !response.hidden, onChanged)}>{t(response.hidden ? 'showAgain' : 'hide')}</button>}
          {response.mayChange && <button type="button" class="danger outline" onClick={() => setDeleting(true)}>{t('delete')}</button>}
        </div>
      </div>
      <div class="review">
        <div class="aside">
          {response.outdated && <Outdated link={link} number={response.number} mayChange={response.mayChange} />}
          <Summary numbered={numbered} writtenBy={response.writtenBy} tags={response.tags} shown={shown} onMark={show} />
          <AnnotationList annotations={annotating.annotations} vocabulary={annotating.vocabulary} mayChange={response.mayChange}
            onShow={({ row, from, to }) => { if (row !== null && from !== null && to !== null) show({ n: 0, row, from, to }); }}
            onEdit={(annotation) => annotating.open({ words: null, annotation, focus: 'note' })} onRemove={(annotation) => void annotating.remove(annotation)}
            onNote={() => annotating.open({ words: null, annotation: null, focus: 'note' })} />
          <Quality quality={response.quality} link={link} number={response.number} mayChange={response.mayChange} onChanged={onChanged} onRow={goTo} />
          {response.consent && (
            <details class="card">
              <summary>{t('consentGiven', { n: response.consent.version, language: response.consent.language, at: dateTime(response.consent.givenAt) })}</summary>
              <p class="prewrap" lang={response.consent.language} dir="auto">{response.consent.text}</p>
              <p class="soft small">SHA-256 <code class="wrap">{response.consent.hash}</code></p>
            </details>
          )}
        </div>
        <div class="conversation">
          {timeline.segments.length > 0 && <Player playback={playback} timeline={timeline} />}
          {response.rows.length === 0 ? <div class="empty"><h2>{t('noAnswers')}</h2></div>
            : <Answers rows={response.rows} timeline={timeline} playback={playback} shown={shown} marks={marks} onMark={show} highlights={highlights} onAnnotate={(words) => annotating.open({ words, annotation: null, focus: 'note' })}
                correcting={{ link, number: response.number, mayChange: response.mayChange, onChanged: () => Promise.all([onChanged(), cache.invalidateQueries({ queryKey: ['annotations', link] })]) }} />}
        </div>
      </div>
      <MarkingBar onHighlight={(words) => void annotating.highlight(words)} onOpen={(words, focus) => annotating.open({ words, annotation: null, focus })} />
      {annotating.dialog}
      {deleting && <Deletion link={link} numbers={[response.number]} onClose={() => setDeleting(false)} onDeleted={async () => {
        await Promise.all([cache.invalidateQueries({ queryKey: ['responses'] }), cache.invalidateQueries({ queryKey: ['study'] })]);
        route(withQuery(list, query));
      }} />}
    </>
  );
}

/** Returns a function that tells the server which recordings are played, each at most once in some minutes: the audit log has them by the hour. */
function playNoter(link: string, number: number): (row: number, kind: Schemas['Recording']['kind']) => void {
  const told = new Map<string, number>();
  return (row, kind) => {
    const [name, now] = [`${row} ${kind}`, Date.now()];
    if (now - (told.get(name) ?? 0) < 300_000) return;
    told.set(name, now);
    ask(api.POST('/api/dashboard/studies/{studyRef}/responses/{number}/plays', { params: { path: { studyRef: link, number: String(number) } }, body: { row, kind } }))
      .catch(() => told.delete(name)); // the next time it plays
  };
}

function Neighbour({ href, label, icon }: { href: string | null; label: string; icon: 'back' | 'forward' }) {
  return href
    ? <a class="button square" href={href} aria-label={label} title={label}><Icon name={icon} /></a>
    : <span class="button square off" aria-hidden="true"><Icon name={icon} /></span>;
}

/** Asks for new links before the old ones expire. What plays goes on with the old one. */
function useRenewal(expires: string | null, refresh: () => Promise<unknown>): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    if (!expires) return undefined;
    const timer = setTimeout(() => void latest.current(), Math.max(1_000, Date.parse(expires) - Date.now() - renewBefore));
    return () => clearTimeout(timer);
  }, [expires]);
}

/** Returns where the words of a mark are in the row's recording, in seconds; the beginning if their time is not known. */
function secondsOfMark(rows: readonly Row[], mark: Mark): number {
  const row = rows.find(({ index }) => index === mark.row);
  const transcript = row?.recordings.find((r) => r.transcript)?.transcript;
  if (!row || !transcript) return 0;
  if (transcript.isAnswer) return secondsOf(transcript.words, mark) ?? 0;
  if (transcript.answerWords.length > 0) return secondsOf(transcript.answerWords, mark) ?? 0;
  const from = transcript.text.indexOf(row.answer.slice(mark.from, mark.to));
  return from < 0 ? 0 : (secondsOf(transcript.words, { from, to: from + mark.to - mark.from }) ?? 0);
}

/** Shows and plays, once, the words that the address cites: `#row-7=the words`. */
function useCited(rows: readonly Row[], show: (mark: Mark) => void): void {
  const latest = useRef({ rows, show });
  latest.current = { rows, show };
  useEffect(() => {
    const { rows, show } = latest.current;
    const cited = parseQuote(location.hash);
    const row = rows.find(({ index }) => index === cited?.row);
    if (!cited || !row) return;
    const from = Math.max(0, row.answer.indexOf(cited.quote));
    show({ n: 0, row: row.index, from, to: row.answer.includes(cited.quote) ? from + cited.quote.length : from });
  }, []);
}

/** Scrolls to a row. */
function goTo(row: number): void {
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
  document.getElementById(`row-${row}`)?.scrollIntoView({ block: 'center', behavior });
}
