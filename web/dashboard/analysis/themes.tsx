import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { api, ask, failureOf, type Schemas } from '../api';
import { ago, number } from '../format';
import { Confirm } from '../parts/confirm';
import { Icon } from '../parts/icon';
import { reason } from '../parts/loaded';
import { cache } from '../state/session';
import { notify } from '../state/notices';
import { quoteAddress } from '../quote';
import { type Cell, numeric, type Section, tableOf, text } from './report';
import { t } from './words';

type Frame = Schemas['ThemedQuestion'];
export type Edit = Omit<Schemas['StudyThemeEdit'], 'version'>;

interface Props {
  section: Section;
  /** The themes as they are now; undefined where none are stored. */
  frame: Frame | undefined;
  link: string;
  /** Called after a change, so that the numbers are counted again. */
  onChanged: () => void;
}

interface Shown {
  number: number | null;
  name: string;
  meaning: string;
  namedBy: string | null;
  count: Cell;
  base: Cell;
  quotes: { number: number; row: number | null; quote: string; concept: string }[];
}

/** The themes of a report in its order, with their names of today. Those that were merged into others since are left out. */
export function themesOf(section: Section, frame: Frame | undefined): Shown[] {
  const meanings = tableOf(section, 'meanings')?.rows ?? [];
  const quotes = tableOf(section, 'quotes')?.rows ?? [];
  const counted = (tableOf(section, 'themes')?.rows ?? []).flatMap((row): Shown[] => {
    const meaning = meanings.find(({ label }) => label === row.label);
    const now = frame?.themes.find(({ theme }) => theme === meaning?.theme);
    if (!meaning || (frame && !now)) return []; // "Other or none", or merged since
    return [{
      number: numeric(meaning.theme), name: now?.name ?? text(row.label), meaning: now?.meaning ?? text(meaning.meaning), namedBy: now?.namedBy ?? null, count: row.count ?? null, base: row.base ?? null,
      quotes: quotes.filter(({ label }) => label === row.label).map((quote) => ({ number: numeric(quote.response) ?? 0, row: numeric(quote.row), quote: text(quote.quote), concept: text(quote.concept) })),
    }];
  });
  const fresh = (frame?.themes ?? []).filter(({ theme }) => !meanings.some((meaning) => meaning.theme === theme));
  return [...counted, ...fresh.map(({ theme, name, meaning, namedBy }) => ({ number: theme, name, meaning, namedBy, count: null, base: null, quotes: [] }))];
}

/** The themes of an open question with the words behind them. They can be renamed, merged, split, and answers moved. */
export function Themes({ section, frame, link, onChanged }: Props) {
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const [resetting, setResetting] = useState(false);
  const shown = themesOf(section, frame);
  if (shown.length === 0) return null;
  const change = async (edit: Edit): Promise<boolean> => {
    if (!frame || busy) return false;
    setBusy(true);
    setFailure('');
    try {
      const made = await ask(api.POST('/api/dashboard/studies/{studyRef}/themes/{questionId}', {
        params: { path: { studyRef: link, questionId: frame.questionId } }, body: { version: frame.version, ...edit },
      }));
      cache.setQueryData(['themes', link], (all: Schemas['StudyThemes'] | undefined) => all && {
        questions: all.questions.map((each) => (each.questionId === made.questionId ? { ...each, ...made } : each)),
      });
      setPicked(new Set());
      notify(t('themesSaved'));
      onChanged();
      return true;
    } catch (error) {
      const failed = failureOf(error);
      setFailure(failed.code === 'conflict' ? t('conflict') : reason(failed));
      return false;
    } finally {
      setBusy(false);
      void cache.invalidateQueries({ queryKey: ['themes', link] });
    }
  };
  const pick = (theme: number, on: boolean) => setPicked((before) => { const next = new Set(before); if (on) next.add(theme); else next.delete(theme); return next; });
  const names = shown.flatMap(({ number: n, name }) => (n === null ? [] : [{ theme: n, name }]));
  return (
    <div class="themes">
      <h3>{t('themes')}</h3>
      {failure && <p class="wrong" role="alert">{failure}</p>}
      {picked.size > 1 && <Merging picked={[...picked]} names={names} busy={busy} onMerge={(themes, into) => change({ action: 'merge', themes, into })} />}
      <ul>
        {shown.map((theme) => (
          <Theme key={theme.number ?? theme.name} theme={theme} names={names} link={link} busy={busy} editable={frame !== undefined}
            picked={theme.number !== null && picked.has(theme.number)} onPick={pick} onChange={change} />
        ))}
      </ul>
      {frame && frame.changes.length > 0 && (
        <details class="theme-changes">
          <summary>{t('changes')} <span class="soft number">{frame.changes.length}</span></summary>
          <ol reversed>
            {[...frame.changes].reverse().map((each, i) => <li key={frame.changes.length - i}><b dir="auto">{each.by}</b>, <time dateTime={each.at}>{ago(each.at, Date.now())}</time>: <span dir="auto">{each.detail}</span></li>)}
          </ol>
          <p><button type="button" class="small" disabled={busy} onClick={() => setResetting(true)}>{t('reset')}</button></p>
        </details>
      )}
      {resetting && <Confirm title={t('resetTitle')} submit={t('reset')} onClose={() => setResetting(false)} onConfirm={() => change({ action: 'reset' })}><p>{t('resetText')}</p></Confirm>}
    </div>
  );
}

type Name = { theme: number; name: string };

function Merging({ picked, names, busy, onMerge }: { picked: number[]; names: Name[]; busy: boolean; onMerge: (themes: string[], into: string) => Promise<boolean> }) {
  const those = names.filter(({ theme }) => picked.includes(theme));
  const [into, setInto] = useState('');
  const id = useId();
  const target = those.find(({ theme }) => String(theme) === into) ?? those[0];
  if (!target) return null;
  return (
    <fieldset class="merging row" aria-label={t('merge')}>
      <span role="status">{t('selected', { n: number(those.length) })}</span>
      <label for={id}>{t('mergeInto')}</label>
      <select id={id} value={String(target.theme)} onChange={(event) => setInto(event.currentTarget.value)}>
        {those.map(({ theme, name }) => <option key={theme} value={String(theme)}>{name}</option>)}
      </select>
      <button type="button" class="primary" disabled={busy} onClick={() => void onMerge(those.filter((each) => each !== target).map(({ theme }) => String(theme)), String(target.theme))}>{t('merge')}</button>
    </fieldset>
  );
}

interface ThemeProps {
  theme: Shown;
  names: Name[];
  link: string;
  busy: boolean;
  editable: boolean;
  picked: boolean;
  onPick: (theme: number, on: boolean) => void;
  onChange: (edit: Edit) => Promise<boolean>;
}

function Theme({ theme, names, link, busy, editable, picked, onPick, onChange }: ThemeProps) {
  const [form, setForm] = useState<'' | 'rename' | 'split'>('');
  const opener = useRef<HTMLButtonElement>(null);
  const own = theme.number;
  const before = useRef(form);
  useEffect(() => {
    if (form === '' && before.current !== '') opener.current?.focus();
    before.current = form;
  }, [form]);
  const close = () => setForm('');
  return (
    <li>
      <div class="theme row">
        {editable && own !== null && <label class="pick"><input type="checkbox" checked={picked} aria-label={t('select', { name: theme.name })} onChange={(event) => onPick(own, event.currentTarget.checked)} /></label>}
        {form === 'rename'
          ? <NameForm label={t('newName')} value={theme.name} busy={busy} onCancel={close} onSave={async (name) => { if (await onChange({ action: 'rename', theme: String(own), name })) close(); }} />
          : <b dir="auto" title={theme.meaning}>{theme.name}</b>}
        {theme.count !== null && <span class="soft number">{t('mentions', { count: text(theme.count), base: text(theme.base) })}</span>}
        {theme.namedBy && <span class="soft small" dir="auto">{t('byHand', { name: theme.namedBy })}</span>}
        {editable && own !== null && form === '' && (
          <span class="row push">
            <button ref={opener} type="button" class="quiet small" aria-label={t('renameTheme', { name: theme.name })} onClick={() => setForm('rename')}>{t('rename')}</button>
            <button type="button" class="quiet small" aria-label={t('splitTheme', { name: theme.name })} onClick={() => setForm('split')}>{t('split')}</button>
          </span>
        )}
      </div>
      {form === 'split' && (
        <NameForm label={t('newName')} value="" phrases busy={busy} onCancel={close} onSave={async (name, phrases) => { if (await onChange({ action: 'split', theme: String(own), name, phrases })) close(); }} />
      )}
      <p class="soft small" dir="auto">{theme.meaning}</p>
      <ul class="quotes">
        {theme.quotes.map((quote) => (
          <li key={`${quote.number} ${quote.quote}`}>
            <q dir="auto">{quote.quote}</q>{' '}
            <a class="source" href={quoteAddress(link, quote.number, quote.row, quote.quote)} aria-label={t('playQuote', { n: number(quote.number) })}><Icon name="play" />#{quote.number}</a>
            {editable && own !== null && (
              <select class="small" aria-label={t('move', { n: number(quote.number) })} value="" disabled={busy} onChange={(event) => {
                const to = event.currentTarget.value;
                event.currentTarget.value = '';
                const about = quote.concept ? { conceptId: quote.concept } : {};
                void onChange(to === 'out' ? { action: 'recode', number: quote.number, theme: String(own), remove: true, ...about }
                  : { action: 'recode', number: quote.number, theme: to, from: String(own), ...about });
              }}>
                <option value="">{t('moveTo')}</option>
                {names.filter((each) => each.theme !== own).map((each) => <option key={each.theme} value={String(each.theme)}>{each.name}</option>)}
                <option value="out">{t('moveOut')}</option>
              </select>
            )}
          </li>
        ))}
      </ul>
    </li>
  );
}

interface NameFormProps {
  label: string;
  value: string;
  busy: boolean;
  /** Whether it asks for phrases, too. */
  phrases?: boolean;
  onSave: (name: string, phrases: string[]) => Promise<void>;
  onCancel: () => void;
}

function NameForm({ label, value, busy, phrases = false, onSave, onCancel }: NameFormProps) {
  const [name, setName] = useState(value);
  const [words, setWords] = useState('');
  const said = words.split(',').map((each) => each.trim()).filter(Boolean);
  const save = (event: Event) => { event.preventDefault(); if (name.trim() && (!phrases || said.length > 0)) void onSave(name.trim(), said); };
  return (
    <form class="row naming" onSubmit={save} onKeyDown={(event) => { if (event.key === 'Escape') onCancel(); }}>
      <input aria-label={label} placeholder={label} value={name} maxLength={60} required ref={(field) => { if (field && field.dataset.begun !== 'yes') { field.dataset.begun = 'yes'; field.focus(); field.select(); } }} onInput={(event) => setName(event.currentTarget.value)} />
      {phrases && <input aria-label={t('splitWords')} placeholder={t('splitWords')} value={words} maxLength={800} required onInput={(event) => setWords(event.currentTarget.value)} />}
      <button type="submit" class="primary small" disabled={busy}>{t('save')}</button>
      <button type="button" class="small" onClick={onCancel}>{t('cancel')}</button>
    </form>
  );
}
