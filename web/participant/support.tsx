import type { Step } from '../shared/protocol';
import { paragraphs } from '../shared/words';
import type { Bootstrap } from './bootstrap';
import { openDialog } from './footer';

/** The study's message to a participant whose last answer speaks of distress, with a break and the way out beside it. */
export function Support({ bootstrap: { words, tags }, at, pausing }: { bootstrap: Bootstrap; at: Step; pausing: boolean }) {
  if (!at.support) return null;
  return (
    <section class="sheet support" aria-labelledby="support">
      <h2 id="support" tabIndex={-1}>{words.supportTitle}</h2>
      <div lang={tags.content} dir="auto">{paragraphs(at.support).map((line, i) => <p key={i}>{line}</p>)}</div>
      {pausing && <p>{words.supportText}</p>}
      <div class="go">
        {pausing && <button type="button" class="second" onClick={() => openDialog('pause')}>{words.pause}</button>}
        <button type="button" class="second" onClick={() => openDialog('sure')}>{words.withdraw}</button>
      </div>
    </section>
  );
}
