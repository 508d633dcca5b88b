import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { OpenEnded } from '../shared/open_ended';
import type { Step } from '../shared/protocol';
import type { WidgetProps } from '../shared/widget';
import type { Props as RecorderProps } from './recorder/recorder';
import { awaitingRecording, handsFree, speaksAnswer } from './recording_state';
import { loadUploader } from './recordings';
import { inputMode, uploadsPath } from './session';

type Recorder = (props: RecorderProps) => preact.JSX.Element;

/** The field of an open answer: the recorder, which is loaded on demand, or a text area. The participant can switch between them at any time. */
export function OpenAnswer({ at, token, ...props }: WidgetProps & { at: Step; token: string }) {
  const { words, draft, change, wrong, describedBy } = props;
  const [Loaded, setLoaded] = useState<{ Recorder: Recorder } | 'failed' | null>(null);
  const [chosen, setChosen] = useState(false);
  const hands = handsFree.value && speaksAnswer(at);
  const speaks = !hands && at.capture !== null && inputModeOf(at, draft) === 'voice' && Loaded !== 'failed';

  useEffect(() => {
    if (!speaks || Loaded) return;
    Promise.all([import('./recorder/recorder'), loadUploader()]).then(([m]) => setLoaded({ Recorder: m.Recorder }), () => setLoaded('failed'));
  }, [speaks, Loaded]);
  const empty = !draft.takes?.length;
  useLayoutEffect(() => {
    awaitingRecording.value = hands || speaks && empty;
    return () => { awaitingRecording.value = false; };
  }, [hands, speaks, empty]);
  useEffect(() => {
    if (chosen && !speaks) document.getElementById('answer')?.focus();
  }, [chosen, speaks]);

  const choose = (mode: 'voice' | 'text') => {
    setChosen(true);
    inputMode.value = mode;
    change({ way: mode });
  };
  if (hands) return null;
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
    <Loaded.Recorder words={words} capture={at.capture} token={token} stepId={at.stepId ?? ''} address={uploadsPath()} draft={draft}
      describedBy={describedBy} wrong={wrong} change={change} type={() => choose('text')} />
  );
}

/** Returns how a step is answered: as the participant chose for this step, else as chosen last, else as the study offers it first. */
export const inputModeOf = (at: Step, draft: WidgetProps['draft']): 'voice' | 'text' => draft.way ?? (inputMode.value || at.capture?.first) ?? 'text';
