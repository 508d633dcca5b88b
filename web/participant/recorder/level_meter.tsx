import { useEffect, useRef, useState } from 'preact/hooks';
import type { Words } from '../../shared/words';
import type { Level } from './level';

const bars = 20;
const audible = .3; // level from which a voice is loud enough

/** Shows the current level in bars, and a confirmation once a voice was loud enough. */
export function LevelMeter({ level, words }: { level: Level | null; words: Words }) {
  const row = useRef<HTMLDivElement>(null);
  const [loudEnough, setLoudEnough] = useState(false);
  useEffect(() => {
    if (!level) return undefined;
    const update = () => {
      level.wake();
      const current = level.read();
      [...(row.current?.children ?? [])].forEach((bar, i) => { bar.classList.toggle('on', i < current * bars); });
      if (current > audible) setLoudEnough(true);
    };
    const timer = setInterval(update, 80);
    return () => clearInterval(timer);
  }, [level]);
  return (
    <div class="rec-meter">
      <div ref={row} aria-hidden="true">{Array.from({ length: bars }, (_, i) => <i key={i} />)}</div>
      <p role="status" class={loudEnough ? 'good' : undefined}>{loudEnough ? words.recHear : words.recSay}</p>
    </div>
  );
}
