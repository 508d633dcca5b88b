import { useEffect, useRef, useState } from 'preact/hooks';
import type { Tape } from './courier';

/** What was recorded, to listen to or to watch. */
export function Player({ tape, label }: { tape: Tape; label: string | undefined }) {
  const [address, setAddress] = useState('');
  const [failures, setFailures] = useState(0);
  const player = useRef<HTMLMediaElement>(null);
  useEffect(() => {
    const made = URL.createObjectURL(tape.reel.whole());
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [tape]);
  useEffect(() => {
    const at = player.current;
    if (!at || failures > 0) return undefined;
    // A recorder does not write how long its file is. A browser finds out when it is sent behind the end; where it cannot go there,
    // the file is played without that.
    const measure = () => {
      if (at.duration !== Infinity) return;
      at.addEventListener('timeupdate', () => { at.currentTime = 0; }, { once: true });
      at.currentTime = 1e7;
    };
    at.addEventListener('loadedmetadata', measure);
    return () => at.removeEventListener('loadedmetadata', measure);
  }, [address, failures]);
  if (!address || failures > 1) return null;
  const props = { src: address, controls: true, preload: 'metadata' as const, 'aria-label': label, onError: () => setFailures(failures + 1) };
  return tape.row.kind === 'audio'
    ? <audio key={failures} ref={player as { current: HTMLAudioElement | null }} {...props} />
    : <video key={failures} ref={player as { current: HTMLVideoElement | null }} {...props} playsInline class="rec-picture" />;
}
