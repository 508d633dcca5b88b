import { useState } from 'preact/hooks';
import type { Step } from '../shared/protocol';
import { widgetOf, ended } from '../shared/protocol';
import type { Bootstrap } from './bootstrap';
import { dropKept, kept, useKept } from './session';
import { answeredTurn } from './turns';

/** What the participant wrote for a step that another page or device answered first: whose answer stands, and the text to use or copy. */
export function KeptText({ bootstrap, at }: { bootstrap: Bootstrap; at: Step }) {
  const { words, tags } = bootstrap;
  const [copied, setCopied] = useState(false);
  const own = kept.value;
  if (!own) return null;
  const stands = own.answered && answeredTurn(own.answered, bootstrap);
  const copy = () => navigator.clipboard.writeText(own.text).then(() => setCopied(true), () => undefined); // or by hand: the text is shown
  return (
    <section class="sheet kept" aria-labelledby="kept">
      {stands && (
        <>
          <p>{words.overtaken}</p>
          <blockquote lang={stands.tags?.said[0]} dir="auto">{stands.said.map((line, i) => <p key={i}>{line}</p>)}</blockquote>
        </>
      )}
      <h2 id="kept">{words.keptTitle}</h2>
      <blockquote lang={tags.moderator} dir="auto">{own.text.split('\n').map((line, i) => <p key={i}>{line}</p>)}</blockquote>
      <p role="status" class="note">{copied && words.keptCopied}</p>
      <div class="go">
        {!ended(at) && widgetOf(at) === 'open_ended' && <button type="button" class="second" onClick={useKept}>{words.keptUse}</button>}
        <button type="button" class="second" onClick={() => void copy()}>{words.keptCopy}</button>
        <button type="button" class="link" onClick={dropKept}>{words.keptDrop}</button>
      </div>
    </section>
  );
}
