import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { OpenEnded } from '../shared/open_ended';
import type { Step } from '../shared/protocol';
import type { WidgetProps } from '../shared/widget';
import type { Props as RecorderProps } from './recorder/recorder';
import { awaited, ready } from './recordings';
import { uploads, way } from './session';

type Recorder = (props: RecorderProps) => preact.JSX.Element;

/** An open answer that may be spoken: the recorder, which is loaded for it, or a text. One leads to the other at any time. */
export function Spoken({ at, token, ...props }: WidgetProps & { at: Step; token: string }) {
  const { words, draft, change, wrong, describedBy } = props;
  const [Loaded, setLoaded] = useState<{ it: Recorder } | 'failed' | null>(null);
  const [chosen, setChosen] = useState(false);
  const speaks = at.capture !== null && wayOf(at, draft) === 'voice' && Loaded !== 'failed';

  useEffect(() => {
    if (!speaks || Loaded) return;
    Promise.all([import('./recorder/recorder'), ready()]).then(([m]) => setLoaded({ it: m.Recorder }), () => setLoaded('failed'));
  }, [speaks]);
  const empty = !draft.takes?.length;
  useLayoutEffect(() => {
    awaited.value = speaks && empty;
    return () => { awaited.value = false; };
  }, [speaks, empty]);
  useEffect(() => {
    if (chosen && !speaks) document.getElementById('answer')?.focus();
  }, [chosen, speaks]);

  const choose = (how: 'voice' | 'text') => {
    setChosen(true);
    way.value = how;
    change({ way: how });
  };
  if (!speaks || !at.capture) {
    return (
      <>
        {Loaded === 'failed' && <p class="note" role="status">{words.recUnavailable}</p>}
        <OpenEnded {...props} />
        {at.capture && Loaded !== 'failed' && <button type="button" class="link" onClick={() => choose('voice')}>{words.recSpeak}</button>}
      </>
    );
  }
  if (!Loaded) return <p class="note" role="status">{words.moment}</p>;
  return (
    <Loaded.it words={words} capture={at.capture} token={token} stepId={at.stepId ?? ''} address={uploads()} draft={draft}
      describedBy={describedBy} wrong={wrong} change={change} type={() => choose('text')} />
  );
}

/** How a step is answered: as it was chosen for it, or before it, or as the study has it. */
export const wayOf = (at: Step, draft: WidgetProps['draft']): 'voice' | 'text' => draft.way ?? (way.value || at.capture?.first) ?? 'text';
