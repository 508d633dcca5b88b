import { useEffect, useState } from 'preact/hooks';
import { clock } from '../../shared/draft';
import { fill, type Words } from '../../shared/words';
import type { Level } from './level';
import type { Machine } from './machine';
import { Picture } from './picture';
import { Wave } from './wave';

interface Props {
  words: Words;
  machine: Machine;
  level: Level | null;
  voice: MediaStream;
  sharing: boolean;
  /** Told now and then how much there is, in seconds. */
  passed(seconds: number): void;
  stop(full: boolean): void;
  type(): void;
}

const tick = 250; // ms
const warning = 60; // seconds before the end of what fits

/** While it records: how long, how loud, and the ways to pause and to stop. */
export function Live({ words, machine, level, voice, sharing, passed, stop, type }: Props) {
  const [seconds, setSeconds] = useState(0);
  const [left, setLeft] = useState(Infinity);
  const [paused, setPaused] = useState(false);
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    let told = 0;
    const timer = setInterval(() => {
      const is = machine.seconds();
      setSeconds(Math.floor(is));
      const fits = machine.left();
      setLeft(fits);
      setOnline(navigator.onLine);
      if (is - told >= 2) passed(told = is);
      if (fits <= 0) stop(true);
    }, tick);
    return () => clearInterval(timer);
  }, [machine]);
  const turn = () => {
    if (paused) machine.goOn();
    else machine.pause();
    setPaused(!paused);
  };
  return (
    <div class={`rec-card rec-live${paused ? ' paused' : ''}`}>
      {voice.getVideoTracks().length > 0 && <Picture stream={voice} label={words.recPreview} mirrored />}
      <p class="rec-state">
        <i class="rec-dot" aria-hidden="true" />
        <span role="status">{paused ? words.recPaused : words.recRunning}</span>
        <span class="rec-clock" role="timer" aria-live="off">{clock(seconds)}</span>
      </p>
      <Wave level={level} still={paused} />
      {!sharing && <p class="note" role="status">{words.recScreenEnded}</p>}
      <p class="note" role="status">{!online && words.recOffline}</p>
      <p class="rec-limit" role="status">{left < warning && fill(words, 'recLimit', { n: Math.max(Math.ceil(left / 10) * 10, 10) })}</p>
      <div class="go">
        <button type="button" id="answer" class="rec-stop" data-first onClick={() => stop(false)}><i aria-hidden="true" />{words.recStop}</button>
        <button type="button" class="second" onClick={turn}>{paused ? words.recGoOn : words.recPause}</button>
        <button type="button" class="link" onClick={type}>{words.recTypeOnly}</button>
      </div>
    </div>
  );
}
