import { type ReadonlySignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { canPaint, caretAt, paint, type Paint } from '../highlight';
import type { Colour } from '../review/colours';
import { fragments, secondsAt, type Span, spanOf, uncertain, type Word } from '../transcript';

interface Props {
  text: string;
  /** The words with their times, if the text is a transcript. */
  words: readonly Word[];
  evidence: Span | null;
  /** The index of the word that is being said, or -1. */
  spoken: ReadonlySignal<number>;
  onSeek: (seconds: number) => void;
  /** The index of the row whose answer this is; left out for other texts, in which nothing can be highlighted. */
  answer?: number;
  /** What people highlighted. */
  highlights?: readonly Highlighted[];
}

export interface Highlighted extends Span {
  colour: Colour;
}

const none: readonly Highlighted[] = [];

/** What a participant said or wrote: the spoken word, cited words and uncertain ones are marked, and a click on a word plays it. */
export function Passage(props: Props) {
  const { words, onSeek } = props;
  const passage = useRef<HTMLParagraphElement>(null);
  const press = (event: MouseEvent) => {
    if (words.length === 0 || getSelection()?.isCollapsed === false) return;
    const caret = caretAt(event.clientX, event.clientY);
    if (!caret || !passage.current?.contains(caret.node)) return;
    const offset = Number(caret.node.parentElement?.dataset.from ?? 0) + caret.offset;
    const seconds = secondsAt(words, offset);
    if (seconds !== undefined) onSeek(seconds);
  };
  return (
    // Everybody else uses the row's button and the timeline.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <p ref={passage} class={words.length > 0 ? 'passage heard' : 'passage'} dir="auto" onClick={press} data-answer={props.answer}>
      {canPaint ? <Painted {...props} /> : <Marked {...props} />}
    </p>
  );
}

/** The text as one node, painted. */
function Painted({ text, words, evidence, spoken, highlights = none }: Props) {
  const host = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const undo = highlights.map((each) => paintIn(host.current, `marked-${each.colour}`, [each]));
    return () => { for (const each of undo) each?.(); };
  }, [text, highlights]);
  useEffect(() => paintIn(host.current, 'uncertain', uncertain(words)), [text, words]);
  useEffect(() => (evidence ? paintIn(host.current, 'evidence', [evidence]) : undefined), [text, evidence]);
  useSignalEffect(() => {
    const word = words[spoken.value];
    return word ? paintIn(host.current, 'spoken', [spanOf(word)]) : undefined;
  });
  return <span ref={host}>{text}</span>;
}

function paintIn(host: Element | null, kind: Paint, spans: readonly Span[]): (() => void) | undefined {
  const node = host?.firstChild;
  return node instanceof Text && spans.length > 0 ? paint(kind, node, spans) : undefined;
}

/** The text as elements, for browsers that cannot paint. */
function Marked({ text, words, evidence, spoken, highlights = none }: Props) {
  const dotted = useMemo(() => uncertain(words), [words]);
  const word = words[spoken.value];
  const spans = [
    ...highlights.map(({ from, to, colour }) => ({ from, to, kind: `marked-${colour}` })),
    ...dotted.map((span) => ({ ...span, kind: 'uncertain' })),
    ...(evidence ? [{ ...evidence, kind: 'evidence' }] : []),
    ...(word ? [{ ...spanOf(word), kind: 'spoken' }] : []),
  ];
  return <>{fragments(text, spans).map((fragment) => (fragment.kinds.length > 0
    ? <mark key={fragment.from} class={fragment.kinds.join(' ')} data-from={fragment.from}>{fragment.text}</mark>
    : <span key={fragment.from} data-from={fragment.from}>{fragment.text}</span>))}</>;
}
