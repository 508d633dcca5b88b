// Reads the moderator's words aloud, if switched on. Loaded only where the browser has a speech synthesis.
import { useEffect, useState } from 'preact/hooks';
import type { Step } from '../shared/protocol';
import type { Bootstrap } from './bootstrap';
import { readsAloud, saveReadsAloud } from './browser_storage';
import { Speech } from './speech';

/** The switch for reading aloud, and a button that stops the voice. Renders nothing where there is no voice in the interview's language. */
export function ReadAloud({ bootstrap, at }: { bootstrap: Bootstrap; at: Step }) {
  const { words, tags } = bootstrap;
  const [speech] = useState(() => new Speech());
  const [on, setOn] = useState(readsAloud);
  const tag = at.kind === 'follow_up' ? tags.moderator : tags.content;
  const say = (): void => speech.speak(at.moderator ?? '', tag);
  useEffect(() => speech.watch(), [speech]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: speaks when another step is shown; toggle speaks when it is switched on
  useEffect(() => {
    if (on) say();
    return () => speech.stop();
  }, [at.stepId]);
  if (!speech.voiceFor(tags.moderator)) return null;
  const toggle = (): void => {
    setOn(!on);
    saveReadsAloud(!on);
    if (on) speech.stop();
    else say();
  };
  return (
    <div class="aloud">
      <button type="button" class="link" aria-pressed={on} onClick={toggle}>{words.aloud}</button>
      {speech.speaking && <button type="button" class="link" onClick={() => speech.stop()}>{words.aloudStop}</button>}
    </div>
  );
}
