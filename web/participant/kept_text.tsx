import { useState } from 'preact/hooks';
import { formatDuration } from '../shared/draft';
import type { Step } from '../shared/protocol';
import { ended, widgetOf } from '../shared/protocol';
import { fill } from '../shared/words';
import type { Bootstrap } from './bootstrap';
import { dropKept, kept, useKept } from './session';
import { answeredTurn } from './turns';

/**
 * What the participant said for a step that another page or device answered first: whose answer stands, and the text to use or copy. At the steps
 * after the one where that was shown, it is folded.
 */
export function KeptText({ bootstrap, at }: { bootstrap: Bootstrap; at: Step }) {
  const { words, tags } = bootstrap;
  const [copied, setCopied] = useState(false);
  const own = kept.value;
  if (!own) return null;
  const stands = own.answered && answeredTurn(own.answered, bootstrap);
  const mine = own.text || (own.seconds > 0 ? fill(words, 'recSaid', { text: formatDuration(own.seconds) }) : '');
  const copy = () => navigator.clipboard.writeText(own.text).then(() => setCopied(true), () => undefined); // or by hand: the text is shown
  const folded = own.at !== at.stepId;
  const content = (
    <>
      {mine && !folded && <h2 id="kept">{words.keptTitle}</h2>}
      {mine && <blockquote lang={own.text ? tags.moderator : tags.page} dir="auto">{mine.split('\n').map((line, i) => <p key={i}>{line}</p>)}</blockquote>}
      <p role="status" class="note">{copied && words.keptCopied}</p>
      <div class="go">
        {own.text && !ended(at) && widgetOf(at) === 'open_ended' && <button type="button" class="second" onClick={useKept}>{words.keptUse}</button>}
        {own.text && <button type="button" class="second" onClick={() => void copy()}>{words.keptCopy}</button>}
        <button type="button" class={own.text ? 'link' : 'second'} onClick={dropKept}>{mine ? words.keptDrop : words.goOn}</button>
      </div>
    </>
  );
  if (folded) return <details class="sheet kept"><summary>{words.keptTitle}</summary>{content}</details>;
  return (
    <section class="sheet kept" aria-labelledby={mine ? 'kept' : undefined}>
      {stands && (
        <>
          <p>{words.overtaken}</p>
          <blockquote lang={stands.tags?.said[0]} dir="auto">{stands.said.map((line, i) => <p key={i}>{line}</p>)}</blockquote>
        </>
      )}
      {content}
    </section>
  );
}
