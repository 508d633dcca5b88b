import { useEffect, useRef, useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { save } from '../analysis/picture';
import { formatCsv, parseCsv } from '../csv';
import { languageName } from '../editor/languages';
import { counte, knownHere, te } from '../editor/words';
import { Select, useAction } from '../parts/form';
import { Icon } from '../parts/icon';
import { Loaded, reason } from '../parts/loaded';
import { SearchField } from '../parts/search_field';
import { StudyHead } from '../parts/study_head';
import { useStudyPage } from '../parts/study_page';
import { useQuery } from '../query';
import { notify } from '../state/notices';
import { cache } from '../state/session';
import { t } from '../words';

type Text = Schemas['TranslatedText'];
type Progress = Schemas['TranslationProgress'];
type Column = { language: string; texts: ReadonlyMap<string, Text> };

const filters = ['all', 'missing', 'review', 'approved'] as const;
type Filter = (typeof filters)[number];
const shownAtOnce = 100;

const overviewKey = (link: string) => ['translations', link];
const textsKey = (link: string, language: string) => ['translation', link, language];
const path = (link: string, language: string) => ({ params: { path: { studyRef: link, language } } });

/** The texts of a guide beside what they are in its other languages. */
export function Translations() {
  const { study } = useStudyPage();
  return <Loaded page of={study} what={t('whatStudy')}>{(detail) => <Opened key={detail.study.id} detail={detail} />}</Loaded>;
}

function Opened({ detail }: { detail: Schemas['StudyDetail'] }) {
  const { linkId } = detail.study;
  const overview = useQuery({
    key: overviewKey(linkId), every: 4_000,
    load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/translations', { params: { path: { studyRef: linkId } }, signal })),
  });
  return (
    <>
      <StudyHead detail={detail} here="edit" />
      <p class="crumbs"><a href={`/p/${encodeURIComponent(linkId)}/edit`}><Icon name="back" />{te('backToGuide')}</a></p>
      <h2>{te('translations')}</h2>
      <Loaded of={overview} what={te('whatTranslations')}>
        {(all) => all.languages.length === 0
          ? <div class="empty"><h3>{te('noLanguages')}</h3><p>{te('noLanguagesText')}</p><p><a class="button primary" href={`/p/${encodeURIComponent(linkId)}/edit#settings`}>{te('toSettings')}</a></p></div>
          : <Grid link={linkId} from={all.from} machine={all.machine} languages={all.languages} mayChange={detail.mayChange} live={detail.study.state !== 'draft'} published={all.published} />}
      </Loaded>
    </>
  );
}

interface GridProps {
  link: string;
  from: string;
  machine: boolean;
  languages: readonly Progress[];
  mayChange: boolean;
  live: boolean;
  published: boolean;
}

function Grid({ link, from, machine, languages, mayChange, live, published }: GridProps) {
  const [shown, setShown] = useState<readonly string[]>(languages.slice(0, 2).map(({ language }) => language));
  const [filter, setFilter] = useState<Filter>('all');
  const [words, setWords] = useState('');
  const [limit, setLimit] = useState(shownAtOnce);
  const there = shown.filter((code) => languages.some(({ language }) => language === code));
  const columns = useQuery({
    key: [...textsKey(link, there.join(' ')), languages.filter(({ language }) => there.includes(language)).map(({ untranslated, draft, edited, approved }) => [untranslated, draft, edited, approved].join()).join(' ')],
    load: (signal) => Promise.all(there.map(async (language) => ({ language, ...(await ask(api.GET('/api/dashboard/studies/{studyRef}/translations/{language}', { ...path(link, language), signal }))) }))),
    keepBefore: true,
  });
  const toggle = (language: string) => setShown(there.includes(language) ? there.filter((other) => other !== language) : [...there, language]);
  return (
    <>
      {live && !published && <p class="badge warn">{te('translationsUnpublished')}</p>}
      <ul class="languages">
        {languages.map((progress) => <Language key={progress.language} link={link} progress={progress} machine={machine} mayChange={mayChange} shown={there.includes(progress.language)} onToggle={() => toggle(progress.language)} />)}
      </ul>
      <search class="bar">
        <SearchField label={te('searchTexts')} name="q" value={words} onSearch={(next) => { setWords(next); setLimit(shownAtOnce); }} />
        <Select label={te('show')} quiet value={filter} options={filters.map((name) => [name, te(`texts_${name}`)])} onChange={(next) => { setFilter(next as Filter); setLimit(shownAtOnce); }} />
        <CsvButtons link={link} languages={languages} mayChange={mayChange} />
      </search>
      <Loaded of={columns} what={te('whatTranslations')}>
        {(loaded) => <Rows link={link} from={from} columns={loaded.map(({ language, texts }) => ({ language, texts: new Map(texts.map((text) => [text.key, text])) }))} all={loaded[0]?.texts ?? []} filter={filter} words={words} limit={limit} onMore={() => setLimit(limit + shownAtOnce)} mayChange={mayChange} />}
      </Loaded>
    </>
  );
}

const refresh = () => Promise.all(['translations', 'translation'].map((name) => cache.invalidateQueries({ queryKey: [name] })));

function Language({ link, progress, machine, mayChange, shown, onToggle }: { link: string; progress: Progress; machine: boolean; mayChange: boolean; shown: boolean; onToggle: () => void }) {
  const { language, texts, untranslated, draft, edited, approved, offered, waiting } = progress;
  const { busy, failure, run } = useAction();
  const name = languageName(language);
  const translate = () => run(async () => {
    await ask(api.POST('/api/dashboard/studies/{studyRef}/translations/{language}/machine', path(link, language)));
    await refresh();
  });
  const approve = () => run(async () => {
    await ask(api.POST('/api/dashboard/studies/{studyRef}/translations/{language}/approval', { ...path(link, language), body: {} }));
    await refresh();
  });
  return (
    <li class="card">
      <label class="check"><input type="checkbox" checked={shown} onChange={onToggle} /><b>{name}</b></label>
      <p class="soft small">{te('progress', { approved, texts })}{untranslated > 0 && ` · ${counte('missingTexts', untranslated)}`}{draft > 0 && ` · ${counte('draftTexts', draft)}`}{edited > 0 && ` · ${counte('editedTexts', edited)}`}</p>
      <p><span class={offered ? 'badge good' : 'badge warn'}>{te(offered ? 'languageOffered' : 'languageNotOffered')}</span></p>
      {waiting && <p role="status" class="small">{te('translating')}</p>}
      {failure && <p class="wrong small" role="alert">{reason(failure)}</p>}
      {mayChange && (
        <p class="row">
          {machine && untranslated > 0 && !waiting && <button type="button" disabled={busy} onClick={() => void translate()}>{te('translateMachine')}</button>}
          {draft + edited > 0 && <button type="button" disabled={busy} aria-label={te('approveAllOf', { name })} onClick={() => void approve()}>{te('approveAll')}</button>}
        </p>
      )}
    </li>
  );
}

interface RowsProps {
  link: string;
  from: string;
  columns: readonly Column[];
  all: readonly Text[];
  filter: Filter;
  words: string;
  limit: number;
  onMore: () => void;
  mayChange: boolean;
}

/** Returns whether a text is to be seen. */
function passes(key: string, columns: readonly Column[], filter: Filter): boolean {
  const states = columns.map(({ texts }) => texts.get(key)?.state);
  if (filter === 'missing') return states.includes('untranslated');
  if (filter === 'review') return states.includes('draft') || states.includes('edited');
  return filter === 'all' || states.every((state) => state === 'approved');
}

function Rows({ link, from, columns, all, filter, words, limit, onMore, mayChange }: RowsProps) {
  // What is missing comes first as the grid is opened, and stays where it is while it is written.
  const kept = useRef({ of: '', keys: new Set<string>() });
  const shown = columns.map(({ language }) => language).join();
  if (kept.current.of !== shown) kept.current = { of: shown, keys: new Set(all.filter(({ key }) => passes(key, columns, 'missing')).map(({ key }) => key)) };
  const first = kept.current.keys;
  const wanted = words.toLowerCase();
  const found = all.filter(({ key, source }) => passes(key, columns, filter) && (!wanted || source.toLowerCase().includes(wanted) || columns.some(({ texts }) => texts.get(key)?.text.toLowerCase().includes(wanted))));
  const rows = [...found.filter(({ key }) => first.has(key)), ...found.filter(({ key }) => !first.has(key))];
  if (columns.length === 0) return <p class="soft">{te('chooseLanguage')}</p>;
  if (rows.length === 0) return <div class="empty"><h3>{te('noTexts')}</h3></div>;
  return (
    <>
      <div class="scroll">
        <table class="list grid">
          <caption class="unseen">{te('translations')}</caption>
          <thead><tr><th scope="col">{languageName(from)}</th>{columns.map(({ language }) => <th key={language} scope="col">{languageName(language)}</th>)}</tr></thead>
          <tbody>
            {rows.slice(0, limit).map((row) => (
              <tr key={row.key}>
                <th scope="row"><span class="soft small">{knownHere(`segment_${row.kind.replaceAll(' ', '_')}`) ?? row.kind}</span><span class="source" dir="auto" lang={from}>{row.source}</span></th>
                {columns.map(({ language, texts }) => {
                  const text = texts.get(row.key);
                  return <td key={language} data-label={languageName(language)}>{text && <Cell link={link} language={language} text={text} mayChange={mayChange} />}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > limit && <p class="pages"><button type="button" onClick={onMore}>{counte('moreTexts', rows.length - limit)}</button></p>}
    </>
  );
}

function Cell({ link, language, text, mayChange }: { link: string; language: string; text: Text; mayChange: boolean }) {
  const [typed, setTyped] = useState(text.text);
  const [refused, setRefused] = useState('');
  const { busy, failure, run } = useAction();
  const before = useRef(text.text);
  useEffect(() => {
    setTyped((now) => (now === before.current ? text.text : now));
    before.current = text.text;
  }, [text.text]);
  const store = () => typed.trim() !== text.text && run(async () => {
    const reply = await ask(api.PATCH('/api/dashboard/studies/{studyRef}/translations/{language}', { ...path(link, language), body: { texts: { [text.key]: typed } } }));
    setRefused(reply.refused[0]?.message ?? '');
    if (reply.refused.length === 0) await refresh();
  });
  const approve = () => run(async () => {
    await ask(api.POST('/api/dashboard/studies/{studyRef}/translations/{language}/approval', { ...path(link, language), body: { keys: [text.key] } }));
    await refresh();
  });
  const label = te('textIn', { language: languageName(language), text: text.source.slice(0, 80) });
  const dirty = typed.trim() !== text.text;
  return (
    <>
      <textarea dir="auto" lang={language} rows={1} value={typed} readOnly={!mayChange} aria-label={label} aria-invalid={refused ? true : undefined} aria-busy={busy} onInput={(event) => setTyped(event.currentTarget.value)} onBlur={() => void store()} />
      <p class="cell-state small">
        <span class={text.state === 'approved' && !dirty ? 'good' : text.state === 'untranslated' ? 'wrong' : 'warned'}>{dirty ? te('typed') : te(`text_${text.state}`)}</span>
        {mayChange && !dirty && (text.state === 'draft' || text.state === 'edited') && <button type="button" class="quiet" aria-label={te('approveOf', { text: label })} onClick={() => void approve()}><Icon name="check" />{te('approve')}</button>}
        {text.note && <span class="soft" dir="auto">{text.note}</span>}
      </p>
      {(refused || failure) && <p class="wrong small" role="alert">{refused ? te('textRefused', { why: refused }) : failure && reason(failure)}</p>}
    </>
  );
}

function CsvButtons({ link, languages, mayChange }: { link: string; languages: readonly Progress[]; mayChange: boolean }) {
  const picker = useRef<HTMLInputElement>(null);
  const { busy, failure, run } = useAction();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const load = (language: string) => ask(api.GET('/api/dashboard/studies/{studyRef}/translations/{language}', path(link, language)));
  const write = () => run(async () => {
    const all = await Promise.all(languages.map(({ language }) => load(language)));
    const texts = all.map((one) => new Map(one.texts.map((text) => [text.key, text.text])));
    const rows = (all[0]?.texts ?? []).map(({ key, kind, of, source }) => [key, kind, of, source, ...texts.map((of) => of.get(key) ?? '')]);
    save(`${link}-translations.csv`, 'text/csv;charset=utf-8', formatCsv([['key', 'kind', 'belongs to', 'source', ...languages.map(({ language }) => language)], ...rows]));
  });
  const read = (file: File | undefined) => file && run(async () => {
    setProblems([]);
    const [head = [], ...rows] = parseCsv(await file.text());
    const [key, source] = [head.indexOf('key'), head.indexOf('source')];
    const known = languages.map(({ language }) => language).filter((language) => head.includes(language));
    if (key < 0 || known.length === 0) {
      setProblems([te('csvHead')]);
      return;
    }
    const wrong: string[] = [];
    let stored = 0;
    for (const language of known) {
      const now = new Map((await load(language)).texts.map((text) => [text.key, text]));
      const texts: Record<string, string> = {};
      for (const [i, row] of rows.entries()) {
        const [id = '', text = ''] = [row[key], row[head.indexOf(language)]];
        const there = now.get(id);
        if (!there) wrong.push(te('csvUnknown', { n: i + 2, key: id }));
        else if (source >= 0 && row[source] !== undefined && row[source] !== there.source) wrong.push(te('csvChanged', { n: i + 2, key: id }));
        else if (text.trim() !== '' && text.trim() !== there.text) texts[id] = text;
      }
      const reply = await ask(api.PATCH('/api/dashboard/studies/{studyRef}/translations/{language}', { ...path(link, language), body: { texts } }));
      stored += Object.keys(texts).length - reply.refused.length;
      wrong.push(...reply.refused.map((each) => `${languageName(language)}, ${each.key}: ${each.message}`));
    }
    setProblems([...new Set(wrong)]);
    notify(counte('csvStored', stored));
    await refresh();
  });
  return (
    <>
      <button type="button" disabled={busy} onClick={() => void write()}>{te('csvExport')}</button>
      {mayChange && (
        <>
          <button type="button" disabled={busy} onClick={() => picker.current?.click()}>{te('csvImport')}</button>
          <input ref={picker} class="unseen" type="file" tabIndex={-1} aria-hidden="true" accept=".csv,text/csv" onChange={(event) => { void read(event.currentTarget.files?.[0]); event.currentTarget.value = ''; }} />
        </>
      )}
      {failure && <p class="wrong" role="alert">{reason(failure)}</p>}
      {problems.length > 0 && (
        <div class="failure" role="alert"><Icon name="warning" /><div><p><strong>{te('csvProblems')}</strong></p><ul>{problems.slice(0, 20).map((text) => <li key={text} dir="auto">{text}</li>)}{problems.length > 20 && <li>{te('csvMore', { n: problems.length - 20 })}</li>}</ul></div></div>
      )}
    </>
  );
}
