import { useEffect, useState } from 'preact/hooks';
import type { Exit } from '../shared/protocol';
import { fill, type Words } from '../shared/words';
import * as storage from './browser_storage';
import { interviewToken } from './session';

/** The link back to the panel. */
export function PanelLink({ words, url }: { words: Words; url: string }) {
  return <p><a class="button" href={url} rel="noreferrer">{words.panelBack}</a></p>;
}

/**
 * What the participant takes along at the end: the completion code, and the way back to the panel. The page goes back by itself once, after
 * the time that the server names, unless the participant stays; while sending is true it waits.
 */
export function PanelExit({ words, exit, sending }: { words: Words; exit: Exit; sending: boolean }) {
  const [left, setLeft] = useState(() => (storage.hasLeft(interviewToken()) ? null : exit.seconds));
  const [stayed, setStayed] = useState(false);
  const counting = exit.url !== null && left !== null && !sending;

  useEffect(() => {
    if (!counting) return;
    const timer = setInterval(() => {
      const busy = document.hidden || document.querySelector('dialog[open]');
      if (!busy) setLeft((n) => n && n - 1);
    }, 1000);
    return () => clearInterval(timer);
  }, [counting]);
  useEffect(() => {
    if (left !== 0 || exit.url === null) return;
    storage.markLeft(interviewToken()); // who comes back by the browser's button is not sent away again
    setLeft(null);
    location.assign(exit.url);
  }, [left, exit.url]);

  return (
    <>
      {exit.code !== null && <CompletionCode words={words} code={exit.code} />}
      {exit.url !== null && <PanelLink words={words} url={exit.url} />}
      {counting && (
        <>
          <p class="note" role="timer">{fill(words, 'panelSoon', { n: left })}</p>
          <button type="button" class="link" onClick={() => { setLeft(null); setStayed(true); }}>{words.panelStay}</button>
        </>
      )}
      {stayed && <p class="note" role="status">{words.panelStayed}</p>}
    </>
  );
}

function CompletionCode({ words, code }: { words: Words; code: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard?.writeText(code).then(() => setCopied(true), () => undefined); // it is shown and can be copied by hand
  return (
    <section class="code" aria-labelledby="code">
      <h2 id="code">{words.panelCode}</h2>
      <p class="address" dir="ltr">{code}</p>
      <p>{words.panelCodeText}</p>
      <button type="button" class="second" onClick={() => void copy()}>{words.panelCopy}</button>
      <p role="status" class="note">{copied && words.panelCopied}</p>
    </section>
  );
}
