import { useEffect, useRef } from 'preact/hooks';
import { fill, paragraphs, type Words } from '../shared/words';
import type { Boot } from './boot';
import { Foot } from './foot';
import { Front } from './front';
import { Interview } from './interview';
import { notice, step, view } from './session';

/** The page, whichever of its four views is on. */
export function App({ boot }: { boot: Boot }) {
  switch (view.value) {
    case 'front':
      return <Front boot={boot} />;
    case 'step':
      return <Interview boot={boot} />;
    case 'end':
      return (
        <>
          <Closing title={fill(boot.words, step.value?.kind === 'complete' ? 'completeTitle' : 'screenedTitle')}
            text={step.value?.message ?? ''} words={boot.words} mark />
          <Foot words={boot.words} pausing={false} />
        </>
      );
    case 'notice':
      return <Closing title={fill(boot.words, `${notice.value}Title`)} text={fill(boot.words, `${notice.value}Text`)} words={boot.words} />;
  }
}

interface ClosingProps {
  title: string;
  text: string;
  words: Words;
  mark?: boolean;
}

function Closing({ title, text, words, mark = false }: ClosingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    heading.current?.focus();
  }, [title]);
  return (
    <main class="sheet quiet">
      {mark && <div class="mark" aria-hidden="true" />}
      <h1 ref={heading} tabIndex={-1}>{title}</h1>
      <div class="lead" dir="auto">{paragraphs(text).map((line, i) => <p key={i}>{line}</p>)}</div>
      {mark && <p class="note">{words.close}</p>}
    </main>
  );
}
