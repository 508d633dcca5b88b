import { useState } from 'preact/hooks';
import { paragraphs } from '../shared/words';
import type { Boot } from './boot';
import { earlier, start } from './session';
import { Who } from './who';

const few = 12; // languages that have a button each, as fewLanguages in page.go
const languageParam = '_language';

/** The languages of the study: each leads to this page again, with the same parameters. */
function Languages({ boot: { words, languages, linkId, query } }: { boot: Boot }) {
  const params = [...new URLSearchParams(query)].filter(([name]) => name !== languageParam);
  return (
    <form class="languages" method="get" action={`/s/${linkId}`} aria-label={words.language}>
      {params.map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)}
      {languages.length > few ? (
        <>
          <label for="language">{words.language}</label>
          <select id="language" name={languageParam} autocomplete="off">
            {languages.map((l) => <option key={l.code} value={l.code} lang={l.tag} selected={l.current}>{l.name}</option>)}
          </select>
          <button>{words.continue}</button>
        </>
      ) : languages.map((l) => (
        <button key={l.code} name={languageParam} value={l.code} lang={l.tag} aria-current={l.current || undefined}>{l.name}</button>
      ))}
    </form>
  );
}

/** Welcome, disclosure, consent; and the way back into an interview that was begun here. */
export function Front({ boot }: { boot: Boot }) {
  const { words, tags } = boot;
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState('');
  const welcome = boot.front?.welcomeMessage;
  const heading = welcome?.title ?? boot.title;

  const begin = async () => {
    if (busy) return;
    setBusy(true);
    setWrong(await start(setWrong));
    setBusy(false);
  };

  return (
    <main class="sheet">
      <Who who={boot.organization} />
      {boot.languages.length > 1 && <Languages boot={boot} />}
      {heading !== boot.title && <p class="overline" lang={tags.content} dir="auto">{boot.title}</p>}
      <h1 lang={tags.content} dir="auto">{heading}</h1>
      <div class="lead" lang={welcome?.message ? tags.content : tags.page} dir="auto">
        {paragraphs(welcome?.message ?? words.welcomeText ?? '').map((line, i) => <p key={i}>{line}</p>)}
      </div>
      {earlier.value && (
        <section class="resume" aria-labelledby="resume">
          <h2 id="resume">{words.resumeTitle}</h2>
          <p>{words.resumeText}</p>
          <a class="button" href={`/i/${earlier.value}`}>{words.resume}</a>
        </section>
      )}
      <section class="disclosure" aria-labelledby="disclosure">
        <h2 id="disclosure">{words.disclosureTitle}</h2>
        <p>{boot.disclosure}</p>
        {boot.front && boot.front.interviewMode !== 'text' && <p>{words.recFront}</p>}
        <p>{words.rights}</p>
      </section>
      <p class="failed" role="alert">{wrong && words[wrong]}</p>
      <button type="button" class={earlier.value ? 'second' : undefined} aria-busy={busy} onClick={() => void begin()}>{words.consent}</button>
    </main>
  );
}
