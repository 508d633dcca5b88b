import { useEffect, useRef, useState } from 'preact/hooks';
import type { Words } from '../../shared/words';
import type { Level } from './level';

const bars = 20;
const audible = .3;

/** How loud it is now, in bars; and in words, once something was heard. */
export function Meter({ level, words }: { level: Level | null; words: Words }) {
  const row = useRef<HTMLDivElement>(null);
  const [heard, setHeard] = useState(false);
  useEffect(() => {
    if (!level) return undefined;
    const look = () => {
      level.wake();
      const loud = level.read();
      [...(row.current?.children ?? [])].forEach((bar, i) => bar.classList.toggle('on', i < loud * bars));
      if (loud > audible) setHeard(true);
    };
    const timer = setInterval(look, 80);
    return () => clearInterval(timer);
  }, [level]);
  return (
    <div class="rec-meter">
      <div ref={row} aria-hidden="true">{Array.from({ length: bars }, (_, i) => <i key={i} />)}</div>
      <p role="status" class={heard ? 'good' : undefined}>{heard ? words.recHear : words.recSay}</p>
    </div>
  );
}
