import { paragraphs } from '../shared/words';
import type { Step } from '../shared/protocol';
import type { Bootstrap } from './bootstrap';

/** A follow-up while the moderator writes it: a sign at first, then its words. Screen readers announce it when it is complete, not word by word. */
export function StreamedFollowUp({ bootstrap, at, text }: { bootstrap: Bootstrap; at: Step; text: string }) {
  const { tags } = bootstrap;
  return (
    <main class="sheet writing">
      {text ? (
        <>
          <p class="overline" lang={tags.content} dir="auto">{at.question?.text}</p>
          <div aria-live="polite" aria-busy="true">
            <h1 lang={tags.moderator} dir="auto">
              {paragraphs(text).map((line, i) => <span key={i}>{line}</span>)}
            </h1>
          </div>
        </>
      ) : <p class="dots" aria-hidden="true"><span /><span /><span /></p>}
    </main>
  );
}
