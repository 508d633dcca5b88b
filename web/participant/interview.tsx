import { useEffect, useRef } from 'preact/hooks';
import { fill } from '../shared/words';
import type { Boot } from './boot';
import { Foot } from './foot';
import { Sheet } from './sheet';
import { sending, step, tryNow, turns } from './session';

/** One question at a time, with what was said before above it. */
export function Interview({ boot }: { boot: Boot }) {
  const at = step.value;
  const first = useRef(true);
  const head = useRef<HTMLElement>(null);
  const { words, tags } = boot;
  const progress = at ? fill(words, 'progress', { n: at.progress.done, total: at.progress.total }) : '';

  useEffect(() => {
    document.title = `${progress} – ${boot.title}`;
    if (first.current) {
      first.current = false;
      if (turns.value.length === 0 && boot.view === 'step') return; // the page was just opened: nothing has changed
    }
    const heading = document.getElementById('question');
    heading?.focus({ preventScroll: true });
    const below = (head.current?.offsetHeight ?? 0) + 16;
    const sheet = heading?.closest('.sheet');
    if (sheet) scrollTo({ top: turns.value.length > 0 ? sheet.getBoundingClientRect().top + scrollY - below : 0 });
  }, [at?.stepId]);

  if (!at) return null;
  const waiting = sending.value === 'offline' || sending.value === 'trouble';
  return (
    <>
      <header class="top" ref={head}>
        <p lang={tags.content} dir="auto">{boot.title}</p>
        <p class="count">{progress}</p>
        <progress value={at.progress.done} max={at.progress.total} aria-label={progress} />
      </header>
      {turns.value.length > 0 && (
        <section class="turns" aria-label={words.earlier}>
          <ol>
            {turns.value.map((turn, i) => (
              <li key={i}>
                <p class="asked" dir="auto" lang={tags.content}>{turn.asked}</p>
                {turn.said.length > 0 && (
                  <p class="said" dir="auto" lang={tags.moderator}>
                    <span class="unseen" lang={tags.page}>{words.you}: </span>
                    {turn.said.map((line, j) => <span key={j}>{line}</span>)}
                  </p>
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
      <Sheet key={at.stepId} boot={boot} at={at} />
      <div class="banner" role="status" hidden={!waiting}>
        {waiting && (
          <>
            <p>{words[sending.value]}</p>
            <button type="button" class="second" onClick={tryNow}>{words.tryNow}</button>
          </>
        )}
      </div>
      <Foot words={words} pausing />
    </>
  );
}
