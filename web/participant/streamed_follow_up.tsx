import { headingId } from '../shared/widget';
import { paragraphs } from '../shared/words';
import type { Step } from '../shared/protocol';
import type { Bootstrap } from './bootstrap';

/** A follow-up while the moderator writes it. Screen readers announce it when it is complete, not word by word. */
export function StreamedFollowUp({ bootstrap, at, text }: { bootstrap: Bootstrap; at: Step; text: string }) {
  const { words, tags } = bootstrap;
  return (
    <main class="sheet writing">
      <p class="overline" lang={tags.content} dir="auto">{at.question?.text}</p>
      <p class="unseen" role="status">{words.writing}</p>
      <div aria-live="polite" aria-busy="true">
        <h1 id={headingId} lang={tags.moderator} dir="auto">
          {paragraphs(text).map((line, i) => <span key={i}>{line}</span>)}
        </h1>
      </div>
    </main>
  );
}
