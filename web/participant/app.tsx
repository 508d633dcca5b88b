import { useEffect, useRef } from 'preact/hooks';
import { Paragraphs } from '../shared/inline';
import type { Exit } from '../shared/protocol';
import { fill, type Words } from '../shared/words';
import type { Bootstrap } from './bootstrap';
import { Footer } from './footer';
import { Interview } from './interview';
import { KeptText } from './kept_text';
import { ClosedPage, LandingPage } from './landing_page';
import { OrganizationLogo } from './organization_logo';
import { PanelExit, PanelLink } from './panel_exit';
import { lost, unsent } from './recording_state';
import { consentDue, consentPart, goodbye, notice, step, view } from './session';
import { Support } from './support';
import { isUnsupportedDevice, UnsupportedDevice } from './unsupported_device';

/** The page in its current view. */
export function App({ bootstrap }: { bootstrap: Bootstrap }) {
  switch (view.value) {
    case 'front':
      if (bootstrap.closed) return <ClosedPage bootstrap={bootstrap} closed={bootstrap.closed} />;
      return isUnsupportedDevice(bootstrap) ? <UnsupportedDevice bootstrap={bootstrap} /> : <LandingPage bootstrap={bootstrap} />;
    case 'step':
      if (consentDue.value && consentPart.value) return <consentPart.value.ConsentAgain bootstrap={bootstrap} consent={consentDue.value} />;
      return <Interview bootstrap={bootstrap} />;
    case 'end':
      return (
        <>
          {step.value && <Support bootstrap={bootstrap} at={step.value} pausing={false} />}
          <Closing title={fill(bootstrap.words, step.value?.kind === 'complete' ? 'completeTitle' : 'screenedTitle')}
            text={step.value?.message ?? ''} bootstrap={bootstrap} mark exit={step.value?.exit ?? null} showUploads />
          {step.value && <KeptText bootstrap={bootstrap} at={step.value} />}
          <Footer words={bootstrap.words} pausing={false} />
        </>
      );
    case 'notice':
      return <Closing title={fill(bootstrap.words, `${notice.value}Title`)} text={fill(bootstrap.words, `${notice.value}Text`)} bootstrap={bootstrap} back={goodbye.value} />;
  }
}

interface ClosingProps {
  title: string;
  text: string;
  bootstrap: Bootstrap;
  mark?: boolean;
  /** What the participant takes along; null for nothing. */
  exit?: Exit | null;
  /** The address of the panel, where nothing else is taken along; empty for none. */
  back?: string;
  /** Whether to show the progress of recordings that are still being sent. */
  showUploads?: boolean;
}

function Closing({ title, text, bootstrap, mark = false, exit = null, back = '', showUploads = false }: ClosingProps) {
  const { words } = bootstrap;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    heading.current?.focus();
  }, [title]);
  return (
    <main class="sheet quiet">
      <OrganizationLogo organization={bootstrap.organization} />
      {mark && <div class="mark" aria-hidden="true" />}
      <h1 ref={heading} tabIndex={-1}>{title}</h1>
      <div class="lead" dir="auto"><Paragraphs text={text} /></div>
      {showUploads && <UploadProgress words={words} />}
      {exit && <PanelExit words={words} exit={exit} sending={unsent.value !== null} />}
      {back && <PanelLink words={words} url={back} />}
      {mark && !unsent.value && !exit?.url && <p class="note">{words.close}</p>}
    </main>
  );
}

/** The progress of the recordings that are still being sent; nothing if there were none. */
function UploadProgress({ words }: { words: Words }) {
  const still = unsent.value;
  const begun = useRef(false);
  begun.current ||= still !== null;
  const percent = still ? Math.floor(100 * (1 - still.left / (still.of || 1))) : 100;
  if (!begun.current) return null;
  return (
    <div class="unsent">
      <p role="status">{still ? fill(words, 'recUnsent', { n: percent }) : words[lost.value > 0 ? 'recLost' : 'recSent']}</p>
      {still && <progress value={percent} max={100} aria-label={fill(words, 'recUnsent', { n: percent })} />}
    </div>
  );
}
