import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Step } from '../shared/protocol';
import { fill } from '../shared/words';
import type { Bootstrap } from './bootstrap';
import { focusStep, scrollBelow } from './focus_step';
import { Footer } from './footer';
import { KeptText } from './kept_text';
import { OrganizationLogo } from './organization_logo';
import { QuestionForm } from './question_form';
import { handsFree } from './recording_state';
import { sending, step, streamedFollowUp, tryNow, turns } from './session';
import { Stimulus } from './stimulus';
import { StreamedFollowUp } from './streamed_follow_up';
import { Support } from './support';

/** The interview: one question at a time, below the turns before it. */
export function Interview({ bootstrap }: { bootstrap: Bootstrap }) {
  const at = step.value;
  const first = useRef(true);
  const head = useRef<HTMLElement>(null);
  const { words, tags } = bootstrap;
  const streamed = streamedFollowUp.value;
  const past = streamed ? [...turns.value, streamed.turn] : turns.value;
  const [ReadAloud, setReadAloud] = useState<ComponentType<{ bootstrap: Bootstrap; at: Step }> | null>(null);
  const progress = at ? fill(words, 'progress', { n: at.progress.done, total: at.progress.total }) : '';

  // biome-ignore lint/correctness/useExhaustiveDependencies: focus and page move when another step is shown, and at no other time
  useEffect(() => {
    document.title = `${progress} – ${bootstrap.title}`;
    if (first.current) {
      first.current = false;
      if (turns.value.length <= (at?.conversation?.length ?? 0) && bootstrap.view === 'step') return; // the page was just opened, so nothing has changed
    }
    if (at && handsFree.value && !at.support) scrollBelow(head.current, document.querySelector('.work')); // a screen reader would speak over the moderator
    else if (at) focusStep(at, head.current, turns.value.length > 0);
  }, [at?.stepId]);
  // The page moves when the moderator begins to write, and focus returns to the form when sending failed.
  useEffect(() => {
    if (streamed) scrollBelow(head.current, document.querySelector('.writing'));
    else if (document.activeElement === document.body && !handsFree.value && sending.value !== 'no') document.querySelector<HTMLElement>('main form [type=submit]')?.focus({ preventScroll: true });
  }, [streamed === null]);
  useEffect(() => {
    if ('speechSynthesis' in window) import('./read_aloud').then((m) => setReadAloud(() => m.ReadAloud), () => undefined);
  }, []);

  const [HandsFree, setHandsFree] = useState<ComponentType<{ bootstrap: Bootstrap; at: Step }> | null>(null);
  useEffect(() => {
    if (bootstrap.voice) import('./handsfree/panel').then((m) => setHandsFree(() => m.HandsFree), () => undefined); // without it the page works as usual
  }, [bootstrap.voice]);

  if (!at) return null;
  const waiting = sending.value === 'offline' || sending.value === 'trouble';
  return (
    <>
      <header class="top" ref={head}>
        <OrganizationLogo organization={bootstrap.organization} />
        <p class="title" lang={tags.content} dir="auto">{bootstrap.title}</p>
        <p class="count">{progress}</p>
        <progress value={at.progress.share} max={1} aria-label={progress} aria-valuetext={progress} />
      </header>
      {past.length > 0 && (
        <section class="turns" aria-label={words.earlier}>
          <ol>
            {past.map((turn, i) => (
              <li key={i}>
                {turn.about && turn.about !== past[i - 1]?.about && <p class="about" dir="auto" lang={tags.content}>{turn.about}</p>}
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
      <p class="unseen" role="status">{streamed && words.writing}</p>
      {!streamed && <Support bootstrap={bootstrap} at={at} pausing />}
      {!streamed && <KeptText bootstrap={bootstrap} at={at} />}
      <div class={at.concept ? 'work shows' : 'work'}>
        {at.concept && <Stimulus key={at.concept.id} bootstrap={bootstrap} concept={at.concept} />}
        {streamed && <StreamedFollowUp bootstrap={bootstrap} at={at} text={streamed.text} />}
        <QuestionForm key={at.stepId} bootstrap={bootstrap} at={at} animated={!first.current || bootstrap.view === 'front'} hidden={streamed !== null} />
      </div>
      {HandsFree && <HandsFree bootstrap={bootstrap} at={at} />}
      <div class="banner" role="status" hidden={!waiting}>
        {waiting && (
          <>
            <p>{words[sending.value]}</p>
            <button type="button" class="second" onClick={tryNow}>{words.tryNow}</button>
          </>
        )}
      </div>
      <Footer words={words} pausing>{ReadAloud && !handsFree.value && <ReadAloud bootstrap={bootstrap} at={at} />}</Footer>
    </>
  );
}
