import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Step } from '../shared/protocol';
import { fill } from '../shared/words';
import type { Boot } from './boot';
import { Foot } from './foot';
import { Sheet } from './sheet';
import { sending, step, tryNow, turns, writing } from './session';
import { Who } from './who';
import { Writing } from './writing';

/** One question at a time, with what was said before above it. */
export function Interview({ boot }: { boot: Boot }) {
  const at = step.value;
  const first = useRef(true);
  const head = useRef<HTMLElement>(null);
  const { words, tags } = boot;
  const written = writing.value;
  const past = written ? [...turns.value, written.turn] : turns.value;
  const [Aloud, haveAloud] = useState<ComponentType<{ boot: Boot; at: Step }> | null>(null);
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
  useEffect(() => {
    if (!written) return;
    const below = (head.current?.offsetHeight ?? 0) + 16;
    const sheet = document.querySelector('.writing');
    if (sheet) scrollTo({ top: sheet.getBoundingClientRect().top + scrollY - below });
  }, [written === null]);
  useEffect(() => {
    if ('speechSynthesis' in window) import('./aloud').then((m) => haveAloud(() => m.Aloud), () => undefined);
  }, []);

  if (!at) return null;
  const waiting = sending.value === 'offline' || sending.value === 'trouble';
  return (
    <>
      <header class="top" ref={head}>
        <Who who={boot.organization} />
        <p class="title" lang={tags.content} dir="auto">{boot.title}</p>
        <p class="count">{progress}</p>
        <progress value={at.progress.done} max={at.progress.total} aria-label={progress} />
      </header>
      {past.length > 0 && (
        <section class="turns" aria-label={words.earlier}>
          <ol>
            {past.map((turn, i) => (
              <li key={i}>
                <p class="asked" dir="auto" lang={turn.tags?.asked}>{turn.asked}</p>
                {turn.said.length > 0 && (
                  <p class="said">
                    <span class="unseen">{words.you}: </span>
                    {turn.said.map((line, j) => <span key={j} dir="auto" lang={turn.tags?.said[j]}>{line}</span>)}
                  </p>
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
      {written ? <Writing boot={boot} at={at} text={written.text} /> : <Sheet key={at.stepId} boot={boot} at={at} arrives={!first.current || boot.view === 'front'} />}
      <div class="banner" role="status" hidden={!waiting}>
        {waiting && (
          <>
            <p>{words[sending.value]}</p>
            <button type="button" class="second" onClick={tryNow}>{words.tryNow}</button>
          </>
        )}
      </div>
      <Foot words={words} pausing>{Aloud && <Aloud boot={boot} at={at} />}</Foot>
    </>
  );
}
