import { useEffect, useRef } from 'preact/hooks';
import { fill, paragraphs, type Words } from '../shared/words';
import type { Boot } from './boot';
import { Devices, elsewhere } from './devices';
import { Foot } from './foot';
import { Front } from './front';
import { lost, unsent } from './recordings';
import { Interview } from './interview';
import { notice, step, view } from './session';
import { Who } from './who';

/** The page, whichever of its four views is on. */
export function App({ boot }: { boot: Boot }) {
  switch (view.value) {
    case 'front':
      return elsewhere(boot) ? <Devices boot={boot} /> : <Front boot={boot} />;
    case 'step':
      return <Interview boot={boot} />;
    case 'end':
      return (
        <>
          <Closing title={fill(boot.words, step.value?.kind === 'complete' ? 'completeTitle' : 'screenedTitle')}
            text={step.value?.message ?? ''} boot={boot} mark sending />
          <Foot words={boot.words} pausing={false} />
        </>
      );
    case 'notice':
      return <Closing title={fill(boot.words, `${notice.value}Title`)} text={fill(boot.words, `${notice.value}Text`)} boot={boot} />;
  }
}

interface ClosingProps {
  title: string;
  text: string;
  boot: Boot;
  mark?: boolean;
  /** Whether recordings may still be on their way. */
  sending?: boolean;
}

function Closing({ title, text, boot, mark = false, sending = false }: ClosingProps) {
  const { words } = boot;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    heading.current?.focus();
  }, [title]);
  return (
    <main class="sheet quiet">
      <Who who={boot.organization} />
      {mark && <div class="mark" aria-hidden="true" />}
      <h1 ref={heading} tabIndex={-1}>{title}</h1>
      <div class="lead" dir="auto">{paragraphs(text).map((line, i) => <p key={i}>{line}</p>)}</div>
      {sending && <Sending words={words} />}
      {mark && !unsent.value && <p class="note">{words.close}</p>}
    </main>
  );
}

/** How far what was recorded has come. */
function Sending({ words }: { words: Words }) {
  const still = unsent.value;
  const begun = useRef(false);
  begun.current ||= still !== null;
  const percent = still ? Math.floor(100 * (1 - still.left / (still.of || 1))) : 100;
  if (!begun.current) return null;
  return (
    <div class="unsent">
      <p role="status">{still ? fill(words, 'recUnsent', { n: percent }) : words[lost.value > 0 ? 'recLost' : 'recSent']}</p>
      {still && <progress value={percent} max={100} aria-label={fill(words, 'recUnsent', { n: percent })} />}
    </div>
  );
}
