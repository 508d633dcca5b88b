import { useState } from 'preact/hooks';
import { api, ask, failureOf, type Failure } from '../api';
import { reason } from '../parts/loaded';
import type { components } from '../../shared/participant_api';
import { useEditing, withField } from './editing';
import { Area, Integer, Line, Tick } from './fields';
import type { Guide } from './guide';
import { te } from './words';

type Consent = components['schemas']['Consent'];

interface Settings {
  text?: string;
  contact?: string;
  privacyUrl?: string;
  retention?: string;
  minimumAge?: number;
}

interface Props {
  guide: Guide;
  link: string;
  /** Called with undefined where the study asks for no consent of its own. */
  onChange: (consent: Settings | undefined) => void;
}

/** What participants read before they agree, and what the page adds by itself. */
export function ConsentFields({ guide, link, onChange }: Props) {
  const editing = useEditing();
  const consent = (guide.config?.verbatim as { consent?: Settings } | undefined)?.consent;
  const set = <F extends keyof Settings>(field: F, value: Settings[F] | undefined) => onChange(withField(consent ?? {}, field, value));
  const at = (field: keyof Settings) => `config.verbatim.consent.${field}`;
  return (
    <fieldset class="consent-fields">
      <legend>{te('consent')}</legend>
      <Tick label={te('consentOwn')} at="config.verbatim.consent" value={consent !== undefined} onChange={(on) => onChange(on ? {} : undefined)} />
      <p class="soft small">{te('consentHint')}</p>
      {consent && (
        <>
          <Area label={te('consentText')} at={at('text')} value={consent.text} hint={te('consentTextHint')} onInput={(text) => set('text', text)} />
          <Area label={te('consentContact')} at={at('contact')} max={1000} value={consent.contact} onInput={(text) => set('contact', text)} />
          <Line label={te('consentPrivacy')} at={at('privacyUrl')} value={consent.privacyUrl} placeholder="https://" onInput={(text) => set('privacyUrl', text)} />
          <Area label={te('consentRetention')} at={at('retention')} max={10_000} value={consent.retention} onInput={(text) => set('retention', text)} />
          <Integer label={te('consentAge')} at={at('minimumAge')} max={120} value={consent.minimumAge} hint={te('consentAgeHint')} onInput={(age) => set('minimumAge', age)} />
          <ConsentPreview guide={guide} link={link} key={String(editing.mayChange)} />
        </>
      )}
    </fieldset>
  );
}

/** What participants read, as the server makes it from the guide as it stands here. */
function ConsentPreview({ guide, link }: { guide: Guide; link: string }) {
  const [shown, setShown] = useState<Consent | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const show = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const preview = await ask(api.POST('/api/dashboard/studies/{studyRef}/preview', { params: { path: { studyRef: link } }, body: { guide: guide as never, seed: 1 } }));
      setShown((preview.bootstrap as { front?: { consent?: Consent } }).front?.consent ?? null);
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
  };
  return (
    <div class="consent-preview">
      <button type="button" disabled={busy} onClick={() => void show()}>{te('consentShow')}</button>
      {failure && <p class="wrong" role="alert">{reason(failure)}</p>}
      {shown && (
        <section class="card" aria-label={te('consentPreview')} role="status">
          {shown.sections.map((section, i) => (
            <div key={i}>
              {section.title && <h4>{section.title}</h4>}
              {section.text && <p class="prewrap" dir="auto">{section.text}</p>}
              {section.list.length > 0 && <ul>{section.list.map((entry) => <li key={entry} dir="auto">{entry}</li>)}</ul>}
              {section.link && <p>{section.link.text}: <span class="mono">{section.link.url}</span></p>}
            </div>
          ))}
          {shown.age && <p><strong>{shown.age.question}</strong> {shown.age.yes} / {shown.age.no}</p>}
        </section>
      )}
    </div>
  );
}
