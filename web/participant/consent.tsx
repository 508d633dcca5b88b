import { useState } from 'preact/hooks';
import { Paragraphs } from '../shared/inline';
import type { Consent } from '../shared/protocol';
import type { Bootstrap } from './bootstrap';
import { Footer } from './footer';
import { OrganizationLogo } from './organization_logo';
import { agree } from './session';

/** What the study tells participants before they agree. */
export function ConsentText({ consent, content }: { consent: Consent; content: string }) {
  return (
    <div class="consent">
      {consent.sections.map((section, i) => (
        <section key={i}>
          {section.title && <h2>{section.title}</h2>}
          {section.text && <div lang={content} dir="auto"><Paragraphs text={section.text} /></div>}
          {section.list.length > 0 && <ul>{section.list.map((entry) => <li key={entry} dir="auto">{entry}</li>)}</ul>}
          {section.link && <p><a href={section.link.url} target="_blank" rel="noopener noreferrer">{section.link.text}</a></p>}
        </section>
      ))}
    </div>
  );
}

interface AgeProps {
  age: NonNullable<Consent['age']>;
  value: boolean | null;
  missing: boolean;
  onChange: (oldEnough: boolean) => void;
}

/** Asks whether the participant is old enough. */
export function Age({ age, value, missing, onChange }: AgeProps) {
  const option = (text: string, means: boolean) => (
    <label class="choice"><input type="radio" name="oldEnough" checked={value === means} aria-invalid={missing || undefined} onChange={() => onChange(means)} /> <span>{text}</span></label>
  );
  return (
    <fieldset class="age" aria-describedby={missing ? 'age-missing' : undefined}>
      <legend>{age.question}</legend>
      {option(age.yes, true)}
      {option(age.no, false)}
      <p class="failed" id="age-missing" role="alert">{missing && age.needed}</p>
    </fieldset>
  );
}

/** Asks for the consent again, because its text has changed since the participant began. */
export function ConsentAgain({ bootstrap, consent }: { bootstrap: Bootstrap; consent: Consent }) {
  const { words, tags } = bootstrap;
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const go = async () => {
    if (busy) return;
    setBusy(true);
    setFailed(!(await agree(consent.version)));
    setBusy(false);
  };
  return (
    <>
      <main class="sheet">
        <OrganizationLogo organization={bootstrap.organization} />
        <p class="overline" lang={tags.content} dir="auto">{bootstrap.title}</p>
        <h1>{consent.again?.title}</h1>
        <div class="lead"><p>{consent.again?.text}</p></div>
        <section class="disclosure" aria-labelledby="disclosure">
          <h2 id="disclosure">{words.disclosureTitle}</h2>
          <p>{bootstrap.disclosure}</p>
          <p>{words.rights}</p>
        </section>
        <ConsentText consent={consent} content={tags.content} />
        <p class="failed" role="alert">{failed && words.failedText}</p>
        <button type="button" aria-busy={busy} onClick={() => void go()}>{consent.again?.button}</button>
      </main>
      <Footer words={words} pausing={false} />
    </>
  );
}
