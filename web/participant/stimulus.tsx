import { useEffect, useRef } from 'preact/hooks';
import { Embed } from '../shared/embed';
import { Media } from '../shared/media';
import type { Step } from '../shared/protocol';
import { useMedia } from '../shared/use_media';
import { paragraphs } from '../shared/words';
import type { Bootstrap } from './bootstrap';
import { markSeen, seen } from './session';
import { pulledUp } from './stimulus_state';

const besideQuestion = '(min-width: 64rem)';
const pullDistance = 24; // px

/**
 * What the questions of a concept are about. It stays the same element through all of them, so that a prototype keeps its state and a video its
 * place. On wide screens it stands beside the question; on others it is a drawer at the bottom that can be pulled up and down.
 */
export function Stimulus({ bootstrap: { words, tags }, concept }: { bootstrap: Bootstrap; concept: NonNullable<Step['concept']> }) {
  const drawer = !useMedia(besideQuestion);
  const panel = useRef<HTMLDivElement>(null);
  const pulled = useRef<{ from: number; done: boolean }>(undefined);
  const open = !drawer || pulledUp.value;
  const title = concept.title || words.aboutThis;
  useEffect(() => { pulledUp.value = true; }, [concept.id]);
  useEffect(() => {
    if (!open) for (const video of panel.current?.querySelectorAll('video') ?? []) video.pause();
  }, [open]);
  useEffect(() => {
    if (!drawer) return undefined;
    const makeRoom = (e: FocusEvent) => { // for a keyboard on the screen
      if (e.target instanceof Element && e.target.matches('main :is(textarea, input[type=text], input[type=search])')) pulledUp.value = false;
    };
    document.addEventListener('focusin', makeRoom);
    return () => document.removeEventListener('focusin', makeRoom);
  }, [drawer]);

  const pull = (e: PointerEvent) => {
    const way = e.clientY - (pulled.current?.from ?? e.clientY);
    if (!pulled.current || pulled.current.done || Math.abs(way) < pullDistance) return;
    pulled.current.done = true;
    pulledUp.value = way < 0;
  };
  return (
    <section class={['concept', drawer ? 'pulls' : 'beside', open ? 'pulled' : ''].join(' ')} lang={tags.content} dir="auto" aria-label={title}>
      {drawer ? (
        <h2>
          <button
            type="button"
            aria-expanded={open}
            aria-controls="stimulus"
            onPointerDown={(e) => {
              pulled.current = { from: e.clientY, done: false };
              e.currentTarget.setPointerCapture(e.pointerId);
            }}
            onPointerMove={pull}
            onLostPointerCapture={() => setTimeout(() => { pulled.current = undefined; })} // after the click, if there is one
            onClick={(e) => { if (e.detail === 0 || !pulled.current?.done) pulledUp.value = !open; }} // the keyboard's clicks have no detail
          >
            {title}
          </button>
        </h2>
      ) : concept.title && <h2>{concept.title}</h2>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is scrolled by the keyboard */}
      <div class="panel" id="stimulus" ref={panel} inert={!open} tabIndex={0}>
        {paragraphs(concept.description).map((line, i) => <p key={i}>{line}</p>)}
        <Media media={concept.media} words={words} seen={seen.value} onSeen={markSeen} lang={tags.page} />
        {concept.embedUrl && <Embed address={concept.embedUrl} title={title ?? ''} words={words} />}
      </div>
    </section>
  );
}
