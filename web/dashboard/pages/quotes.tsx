import { useLocation } from 'preact-iso/router';
import { useEffect, useRef, useState } from 'preact/hooks';
import { themesOf } from '../analysis/themes';
import type { Report } from '../analysis/report';
import { api, ask, type Schemas } from '../api';
import { withQuery } from '../filter';
import { ago, dateTime } from '../format';
import { Select } from '../parts/form';
import { Icon } from '../parts/icon';
import { Loaded } from '../parts/loaded';
import { PageLinks } from '../parts/pages';
import { StudyHead } from '../parts/study_head';
import { useStudyPage } from '../parts/study_page';
import { useQuery } from '../query';
import { quoteAddress } from '../quote';
import { useTags } from '../review/marking';
import { TagChips } from '../review/tag_chips';
import { TagsDialog } from '../review/tags_dialog';
import { t } from '../review/words';
import { t as main } from '../words';

type Quote = Schemas['Quote'];

/** The quotes of a study: what people highlighted, and what its report quotes under a theme. The filter stands in the address. */
export function Quotes() {
  const { study, search } = useStudyPage();
  return <Loaded page of={study} what={main('whatStudy')}>{(detail) => <StudyQuotes detail={detail} search={search} />}</Loaded>;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function StudyQuotes({ detail, search }: { detail: Schemas['StudyDetail']; search: string }) {
  const { route } = useLocation();
  const link = detail.study.linkId;
  const here = `/p/${encodeURIComponent(link)}/quotes`;
  const query = new URLSearchParams(search);
  const id = (name: string) => { const given = query.get(name) ?? ''; return uuid.test(given) ? given : ''; };
  const [tag, by, after, theme] = [id('tag'), id('by'), id('after'), query.get('theme') ?? ''];
  const number = /^[1-9]\d{0,8}$/.test(query.get('number') ?? '') ? Number(query.get('number')) : 0;
  const vocabulary = useTags(link);
  const [managing, setManaging] = useState(false);
  const quotes = useQuery({
    key: ['annotations', link, 'quotes', tag, by, number, after],
    load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/quotes', { params: { path: { studyRef: link }, query: { ...(tag && { tag }), ...(by && { by }), ...(number && { number }), ...(after && { after }) } }, signal })),
    keepBefore: true,
  });
  const report = useQuery({ key: ['report', link, 'quotes'], load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/report', { params: { path: { studyRef: link } }, signal })) });
  const themes = themesIn((report.data?.report ?? null) as Report | null);
  const set = (name: string, value: string) => {
    const next = new URLSearchParams({ ...(tag && { tag }), ...(by && { by }), ...(number && { number: String(number) }), ...(theme && { theme }), [name]: value });
    for (const [key, text] of [...next]) if (!text) next.delete(key);
    route(withQuery(here, next.toString()), true);
  };
  const filtered = Boolean(tag || by || number || after || theme);
  const themed = themes.find(({ key }) => key === theme);
  return (
    <>
      <StudyHead detail={detail} here="quotes"><button type="button" class="push" onClick={() => setManaging(true)}>{t('manageTags')}</button></StudyHead>
      <search class="bar">
        <Select label={t('byTag')} quiet value={tag} options={[['', t('anyTag')], ...vocabulary.map((each) => [each.id, each.name] as const)]} onChange={(value) => set('tag', value)} />
        {themes.length > 0 && <Select label={t('byTheme')} quiet value={themed ? theme : ''} options={[['', t('anyTheme')], ...themes.map((each) => [each.key, each.name] as const)]} onChange={(value) => set('theme', value)} />}
        <Select label={t('byPerson')} quiet value={by} options={[['', t('anybody')], ...(quotes.data?.people ?? []).map((person) => [person.userId, person.userName] as const)]} onChange={(value) => set('by', value)} />
        {number > 0 && <button type="button" class="chip" aria-label={main('removeFilter', { text: t('response', { n: number }) })} onClick={() => set('number', '')}>{t('response', { n: number })}<Icon name="cross" /></button>}
        {filtered && <a class="button quiet" href={here}>{t('clear')}</a>}
      </search>
      {themed && !tag && !by && (
        <section class="card" aria-labelledby="themed">
          <h2 id="themed" dir="auto">{themed.name}</h2>
          <ul class="quotes">{themed.quotes.filter((quote) => !number || quote.number === number).map((quote) => (
            <li key={`${quote.number} ${quote.quote}`}><q dir="auto">{quote.quote}</q> <a class="source" href={quoteAddress(link, quote.number, quote.row, quote.quote)} aria-label={`${t('play', { words: quote.quote })}`}><Icon name="play" />#{quote.number}</a></li>
          ))}</ul>
        </section>
      )}
      {(!themed || tag || by) && (
        <Loaded of={quotes} what={t('whatQuotes')}>
          {(page) => (page.quotes.length === 0
            ? <div class="empty"><h2>{t(filtered ? 'quotesNotFound' : 'quotesNone')}</h2><p>{filtered ? <a class="button" href={here}>{t('clear')}</a> : t('quotesNoneText')}</p></div>
            : <QuoteCards quotes={page.quotes} link={link} vocabulary={vocabulary} onNumber={(n) => set('number', String(n))} />)}
        </Loaded>
      )}
      {quotes.data && !themed && <PageLinks label={t('quotes')} first={after ? withQuery(here, new URLSearchParams({ ...(tag && { tag }), ...(by && { by }) }).toString()) : null}
        next={quotes.data.next ? withQuery(here, new URLSearchParams({ ...(tag && { tag }), ...(by && { by }), ...(number && { number: String(number) }), after: quotes.data.next }).toString()) : null} />}
      {managing && <TagsDialog link={link} vocabulary={vocabulary} mayChange={detail.mayChange} onClose={() => setManaging(false)} />}
    </>
  );
}

/** The themes of a report with their quotes. */
function themesIn(report: Report | null) {
  return (report?.sections ?? []).flatMap((section) => themesOf(section, undefined).filter(({ quotes }) => quotes.length > 0)
    .map((theme) => ({ key: `${section.key}/${theme.number}`, name: theme.name, quotes: theme.quotes })));
}

interface CardsProps {
  quotes: readonly Quote[];
  link: string;
  vocabulary: readonly Schemas['GivenTag'][];
  onNumber: (n: number) => void;
}

/** Quotes as cards. One of them plays at a time, from its first word to its last. */
function QuoteCards({ quotes, link, vocabulary, onNumber }: CardsProps) {
  const [playing, setPlaying] = useState('');
  const [failed, setFailed] = useState('');
  return (
    <ul class="quote-cards">
      {quotes.map((quote) => {
        const playable = quote.url !== null && quote.begins !== null && quote.ends !== null;
        return (
          <li key={quote.id} class="card">
            <blockquote dir="auto" class={quote.from === null ? 'struck' : undefined}>{quote.words}</blockquote>
            {quote.from === null && <p class="soft small">{t('wordsLost')}</p>}
            {quote.note && <p dir="auto" class="note">{quote.note}</p>}
            <p class="row small soft">
              {playable && <button type="button" class="play-row" aria-pressed={playing === quote.id} aria-label={playing === quote.id ? t('stop') : t('play', { words: quote.words })} onClick={() => { setFailed(''); setPlaying(playing === quote.id ? '' : quote.id); }}><Icon name={playing === quote.id ? 'pause' : 'play'} /></button>}
              <a href={quoteAddress(link, quote.number, quote.row, quote.from === null ? '' : quote.words)}>{t('response', { n: quote.number })}</a>
              <button type="button" class="quiet small" onClick={() => onNumber(quote.number)}>{t('byResponse')} {quote.number}</button>
              <TagChips ids={quote.tags} vocabulary={vocabulary} />
              <span><bdi>{quote.userName}</bdi>, <time dateTime={quote.createdAt} title={dateTime(quote.createdAt)}>{ago(quote.createdAt, Date.now())}</time></span>
            </p>
            {playing === quote.id && playable && <Excerpt quote={quote} onEnd={() => setPlaying('')} onFail={() => { setPlaying(''); setFailed(quote.id); }} />}
            {failed === quote.id && <p class="wrong small" role="alert">{t('cannotPlay')}</p>}
          </li>
        );
      })}
    </ul>
  );
}

/** Plays the words of a quote. */
function Excerpt({ quote, onEnd, onFail }: { quote: Quote; onEnd: () => void; onFail: () => void }) {
  const media = useRef<HTMLVideoElement>(null);
  const end = useRef(onEnd);
  end.current = onEnd;
  const { begins, ends } = quote;
  useEffect(() => {
    let frame = 0;
    const watch = () => {
      if (media.current && media.current.currentTime >= (ends ?? 0)) end.current();
      else frame = requestAnimationFrame(watch);
    };
    frame = requestAnimationFrame(watch);
    return () => cancelAnimationFrame(frame);
  }, [ends]);
  const begin = () => {
    const element = media.current;
    if (!element) return;
    element.currentTime = begins ?? 0;
    element.play().catch(() => {}); // onError says what cannot be played
  };
  return <video ref={media} class="excerpt" hidden={!quote.mediaType.startsWith('video/')} src={quote.url ?? ''} playsInline preload="auto" tabIndex={-1} aria-label={quote.words} onLoadedMetadata={begin} onEnded={onEnd} onError={onFail} />;
}
