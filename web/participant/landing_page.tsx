import { useState } from 'preact/hooks';
import { Paragraphs } from '../shared/inline';
import { limits } from '../shared/rules';
import { fill } from '../shared/words';
import type { Bootstrap } from './bootstrap';
import { OrganizationLogo } from './organization_logo';
import { PanelLink } from './panel_exit';
import { consentPart, earlierInterview, refuse, start } from './session';

const languageParam = '_language';

/** The languages of the study, as buttons or as a list. Choosing one opens this page again, with the same parameters. */
function Languages({ bootstrap: { words, languages, linkId, query } }: { bootstrap: Bootstrap }) {
  const params = [...new URLSearchParams(query)].filter(([name]) => name !== languageParam);
  return (
    <form class="languages" method="get" action={`/s/${linkId}`} aria-label={words.language}>
      {params.map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)}
      {languages.length > limits.languageButtons ? (
        <>
          <label for="language">{words.language}</label>
          <select id="language" name={languageParam} autocomplete="off">
            {languages.map((l) => <option key={l.code} value={l.code} lang={l.tag} selected={l.current}>{l.name}</option>)}
          </select>
          <button type="submit">{words.continue}</button>
        </>
      ) : languages.map((l) => (
        <button type="submit" key={l.code} name={languageParam} value={l.code} lang={l.tag} aria-current={l.current || undefined}>{l.name}</button>
      ))}
    </form>
  );
}

/** The link back to an interview that was started in this browser. */
function Resume({ words }: { words: Bootstrap['words'] }) {
  if (!earlierInterview.value) return null;
  return (
    <section class="resume" aria-labelledby="resume">
      <h2 id="resume">{words.resumeTitle}</h2>
      <p>{words.resumeText}</p>
      <a class="button" href={`/i/${earlierInterview.value}`}>{words.resume}</a>
    </section>
  );
}

/** Says that no interview can be started now. One that was started before may go on. */
export function ClosedPage({ bootstrap, closed }: { bootstrap: Bootstrap; closed: NonNullable<Bootstrap['closed']> }) {
  const { words } = bootstrap;
  return (
    <main class="sheet quiet">
      <OrganizationLogo organization={bootstrap.organization} />
      <h1>{closed.title}</h1>
      <div class="lead" dir="auto"><Paragraphs text={closed.text} /></div>
      <Resume words={words} />
      {closed.back && <PanelLink words={words} url={closed.back} />}
    </main>
  );
}

/** Welcome, disclosure and consent, and the link back to an interview that was started in this browser. */
export function LandingPage({ bootstrap }: { bootstrap: Bootstrap }) {
  const { words, tags } = bootstrap;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const welcome = bootstrap.front?.welcomeMessage;
  const minutes = bootstrap.front?.minutes;
  const heading = welcome?.title ?? bootstrap.title;
  const consent = bootstrap.front?.consent;
  const part = consentPart.value;
  const [oldEnough, setOldEnough] = useState<boolean | null>(null);
  const [missing, setMissing] = useState(false);

  const begin = async () => {
    if (busy) return;
    setMissing(Boolean(consent?.age) && oldEnough === null);
    if (consent?.age && oldEnough === null) return;
    if (consent?.age && !oldEnough) {
      refuse('tooYoung');
      return;
    }
    setBusy(true);
    setError(await start(setError, consent ? { consent: consent.version, ...(consent.age && { oldEnough: true }) } : {}));
    setBusy(false);
  };

  return (
    <main class="sheet">
      <OrganizationLogo organization={bootstrap.organization} />
      {bootstrap.languages.length > 1 && <Languages bootstrap={bootstrap} />}
      {heading !== bootstrap.title && <p class="overline" lang={tags.content} dir="auto">{bootstrap.title}</p>}
      <h1 lang={tags.content} dir="auto">{heading}</h1>
      <div class="lead" lang={welcome?.message ? tags.content : tags.page} dir="auto">
        <Paragraphs text={welcome?.message ?? words.welcomeText ?? ''} />
      </div>
      {minutes && <p class="note duration">{fill(words, 'duration', { n: minutes.from, total: minutes.to })}</p>}
      <Resume words={words} />
      <section class="disclosure" aria-labelledby="disclosure">
        <h2 id="disclosure">{words.disclosureTitle}</h2>
        <p>{bootstrap.disclosure}</p>
        {bootstrap.front && bootstrap.front.interviewMode !== 'text' && (bootstrap.voice || !consent) && <p>{bootstrap.voice ? words.hfFront : words.recFront}</p>}
        <p>{words.rights}</p>
      </section>
      {consent && part && <part.ConsentText consent={consent} content={tags.content} />}
      {consent?.age && part && <part.Age age={consent.age} value={oldEnough} missing={missing} onChange={setOldEnough} />}
      <p class="failed" role="alert">{error && words[error]}</p>
      <button type="button" class={earlierInterview.value ? 'second' : undefined} aria-busy={busy} onClick={() => void begin()}>{words.consent}</button>
    </main>
  );
}
