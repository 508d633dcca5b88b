import { useEffect, useRef, useState } from 'preact/hooks';
import type { Segment } from './segment';

/** Plays a segment from the browser's memory. */
export function Player({ segment, label }: { segment: Segment; label: string | undefined }) {
  const [address, setAddress] = useState('');
  const [failures, setFailures] = useState(0);
  const player = useRef<HTMLMediaElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(segment.buffer.toBlob());
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [segment]);
  useEffect(() => {
    const media = player.current;
    if (!media || failures > 0) return undefined;
    // A MediaRecorder does not write the duration into its file. The browser finds it when it seeks behind the end; where that fails, the
    // file is played without a duration.
    const findDuration = () => {
      if (media.duration !== Infinity) return;
      media.addEventListener('timeupdate', () => { media.currentTime = 0; }, { once: true });
      media.currentTime = 1e7;
    };
    media.addEventListener('loadedmetadata', findDuration);
    return () => media.removeEventListener('loadedmetadata', findDuration);
  }, [address, failures]);
  if (!address || failures > 1) return null;
  const props = { src: address, controls: true, preload: 'metadata' as const, 'aria-label': label, onError: () => setFailures(failures + 1) };
  return segment.stored.kind === 'audio'
    ? <audio key={failures} ref={player as { current: HTMLAudioElement | null }} {...props} />
    : <video key={failures} ref={player as { current: HTMLVideoElement | null }} {...props} playsInline class="rec-picture" />;
}
