import { useEffect, useId, useState } from 'preact/hooks';
import { ConsentFields } from './consent_fields';
import { settings, useEditing, withField } from './editing';
import { Area, CardProblems, Line, Pick, Tick } from './fields';
import type { Config, Guide } from './guide';
import { ProblemList, ProblemMark } from './item_card';
import { languageName, languages } from './languages';
import { brokenAt } from './lines';
import type { Problem } from './problems';
import { same } from './table';
import { te } from './words';

const modes = ['text', 'audio', 'audio_text', 'audio_screen', 'video', 'video_screen'] as const;
const platforms = ['desktop', 'android', 'ios'] as const;


/** Returns a nested object without what is empty, or undefined. */
const orNothing = <T extends object>(value: T): T | undefined => (Object.keys(value).length > 0 ? value : undefined);

/** What holds for the whole study. */
export function SettingsCard({ guide, open, problems }: { guide: Guide; open: boolean; problems: readonly Problem[] }) {
  const editing = useEditing();
  return (
    <section class={open ? 'item settings open' : 'item settings'} id="card-" aria-label={te('settings')}>
      <h3>
        <button type="button" class="quiet toggle" aria-expanded={open} data-field="" onClick={() => (open ? editing.shut() : editing.go(settings, 'title'))}>
          <span class="kind">{te('settings')}</span>{!open && <span class="words soft" dir="auto">{guide.studyGoal || te('noGoal')}</span>}
        </button>
        <ProblemMark problems={problems} />
      </h3>
      {open && <CardProblems.Provider value={problems}><fieldset class="body" disabled={!editing.mayChange} aria-label={te('settings')}><Settings guide={guide} problems={problems} /></fieldset></CardProblems.Provider>}
    </section>
  );
}

function Settings({ guide, problems }: { guide: Guide; problems: readonly Problem[] }) {
  const editing = useEditing();
  const config = guide.config ?? {};
  const welcome = guide.welcomeMessage ?? {};
  const setConfig = <F extends keyof Config>(field: F, value: Config[F] | undefined) => editing.setGuide('config', orNothing(withField(config, field, value)), field);
  const setWelcome = (field: 'title' | 'message', value: string | undefined) => editing.setGuide('welcomeMessage', orNothing(withField(welcome, field, value)), field);
  return (
    <>
      <ProblemList problems={problems} />
      <Line label={te('studyTitle')} at="title" required value={guide.title} max={500} hint={te('studyTitleHint')} onInput={(text = '') => editing.setGuide('title', text)} />
      <Line label={te('externalTitle')} at="externalTitle" value={guide.externalTitle} max={500} placeholder={guide.title} onInput={(text) => editing.setGuide('externalTitle', text)} />
      <Area label={te('goal')} at="studyGoal" value={guide.studyGoal} hint={te('goalHint')} onInput={(text) => editing.setGuide('studyGoal', text)} />
      <Area label={te('background')} at="background" value={guide.background} max={50_000} hint={te('backgroundHint')} onInput={(text) => editing.setGuide('background', text)} />
      <div class="fields">
        <Pick label={te('mode')} at="config.interviewMode" value={config.interviewMode ?? ''} options={[['', te('modeDefault')], ...modes.map((mode) => [mode, te(`mode_${mode}`)] as const)]}
          onChange={(mode) => setConfig('interviewMode', mode || undefined)} />
        <Pick label={te('language')} at="config.questionLanguage" value={config.questionLanguage ?? ''} options={[['', te('languageDefault')], ...languages.map((code) => [code, languageName(code)] as const)]}
          onChange={(code) => setConfig('questionLanguage', code || undefined)} />
      </div>
      <Several label={te('availableLanguages')} at="config.availableLanguages" nothing={te('languagesNone')} values={config.availableLanguages ?? []} options={languages.map((code) => [code, languageName(code)])}
        onChange={(codes) => setConfig('availableLanguages', codes.length > 0 ? codes : undefined)} />
      {(config.availableLanguages?.length ?? 0) > 0 && <p><a href={`/p/${encodeURIComponent(editing.link)}/edit/translations`}>{te('translations')}</a></p>}
      <fieldset class="ticks fields" data-field="config.targetPlatforms">
        <legend>{te('platforms')}</legend>
        {platforms.map((platform) => (
          <Tick key={platform} at={`config.targetPlatforms ${platform}`} label={te(`platform_${platform}`)} value={config.targetPlatforms?.includes(platform)} onChange={(on) => {
            const rest = (config.targetPlatforms ?? []).filter((other) => other !== platform);
            setConfig('targetPlatforms', on ? [...rest, platform] : rest.length > 0 ? rest : undefined);
          }} />
        ))}
        <span class="soft small">{te('platformsHint')}</span>
      </fieldset>
      <Line label={te('welcomeTitle')} at="welcomeMessage.title" value={welcome.title} max={500} onInput={(text) => setWelcome('title', text)} />
      <Area label={te('welcomeMessage')} at="welcomeMessage.message" value={welcome.message} onInput={(text) => setWelcome('message', text)} />
      <Area label={te('closing')} at="closingMessage" value={guide.closingMessage} onInput={(text) => editing.setGuide('closingMessage', text)} />
      <ConsentFields guide={guide} link={editing.link} onChange={(consent) => {
        const own = { ...(config.verbatim as object | undefined) } as Record<string, unknown>;
        if (consent) own.consent = consent;
        else delete own.consent;
        setConfig('verbatim', orNothing(own) as Config['verbatim']);
      }} />
      <JsonField label={te('verbatim')} at="config.verbatim" hint={te('verbatimHint')} value={config.verbatim} onChange={(value) => setConfig('verbatim', value)} />
    </>
  );
}

interface SeveralProps {
  label: string;
  at: string;
  nothing: string;
  values: readonly string[];
  options: readonly (readonly [string, string])[];
  onChange: (values: string[]) => void;
}

/** Several of many, in a list that opens. */
function Several({ label, at, nothing, values, options, onChange }: SeveralProps) {
  const text = values.map((value) => options.find(([key]) => key === value)?.[1] ?? value).join(', ');
  return (
    <div class="field">
      <span class="label">{label}</span>
      <details class="picker">
        <summary data-field={at} aria-label={`${label}: ${text || nothing}`}>{text || nothing}</summary>
        <ul>
          {options.map(([value, name]) => (
            <li key={value}><label class="check"><input type="checkbox" checked={values.includes(value)} onChange={(event) => onChange(event.currentTarget.checked ? [...values, value] : values.filter((other) => other !== value))} />{name}</label></li>
          ))}
        </ul>
      </details>
    </div>
  );
}

interface JsonProps {
  label: string;
  at: string;
  hint: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

const write = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** A part of the guide as JSON. What is no JSON yet stays in the field, and the guide has what was there before. */
function JsonField({ label, at, hint, value, onChange }: JsonProps) {
  const id = useId();
  const [text, setText] = useState(write(value));
  const broken = text.trim() === '' ? null : brokenAt(text);
  useEffect(() => {
    setText((before) => (before.trim() !== '' && (brokenAt(before) || same(JSON.parse(before), value)) ? before : write(value)));
  }, [value]);
  const type = (next: string) => {
    setText(next);
    if (next.trim() === '') onChange(undefined);
    else if (!brokenAt(next)) onChange(JSON.parse(next));
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea id={id} class="mono" data-field={at} data-own-undo rows={Math.min(14, Math.max(2, text.split('\n').length))} spellcheck={false} value={text} aria-invalid={broken ? true : undefined} aria-describedby={`${id}-hint`} onInput={(event) => type(event.currentTarget.value)} />
      <p id={`${id}-hint`} class={broken ? 'wrong small' : 'soft small'}>{broken ? te('brokenJson', { line: broken.line, column: broken.column }) : hint}</p>
    </div>
  );
}
