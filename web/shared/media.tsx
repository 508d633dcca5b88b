import { useEffect, useRef } from 'preact/hooks';
import type { Media as Medium } from './protocol';
import { fill, type Words } from './words';

/** Why a video that has to be watched no longer blocks the answer. */
export type Seen = 'watched' | 'unplayable';

interface Props {
  media: Medium[];
  words: Words;
  /** The videos that were watched or cannot be played, by address. */
  seen: Record<string, Seen>;
  onSeen(url: string, how: Seen): void;
}

/** Images and videos of a question or concept. */
export function Media({ media, words, seen, onSeen }: Props) {
  return (
    <>
      {media.map((m) => {
        const width = m.widthPercentage ? `${m.widthPercentage}%` : undefined;
        return (
          <figure key={m.url}>
            {m.type === 'image'
              ? <img src={m.url} alt={m.name} width={width} />
              : m.forceWatching
                ? <RequiredVideo medium={m} width={width} words={words} seen={seen[m.url]} onSeen={(how) => onSeen(m.url, how)} />
                : <video src={m.url} controls preload="metadata" playsInline aria-label={m.name} width={width} />}
          </figure>
        );
      })}
    </>
  );
}

const stallTimeout = 20_000; // ms without progress until a video counts as unplayable

interface RequiredVideoProps {
  medium: Medium;
  width: string | undefined;
  words: Words;
  seen: Seen | undefined;
  onSeen(how: Seen): void;
}

/** A video that has to be watched to its end, without skipping ahead. One that cannot be played or stalls does not block the answer. */
function RequiredVideo({ medium, width, words, seen, onSeen }: RequiredVideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  const furthest = useRef(0);
  const report = useRef(onSeen);
  report.current = onSeen;

  useEffect(() => {
    const video = element.current;
    if (!video || seen) return undefined;
    const listening = new AbortController();
    const on = (names: string[], act: () => void) => {
      for (const name of names) video.addEventListener(name, act, { signal: listening.signal });
    };
    let timer = 0;
    const cancelTimeout = () => clearTimeout(timer);
    const restartTimeout = () => {
      cancelTimeout();
      timer = window.setTimeout(() => report.current('unplayable'), stallTimeout);
    };
    restartTimeout(); // the first event has to come in time, too
    on(['error'], () => report.current('unplayable'));
    on(['ended'], () => report.current('watched'));
    on(['loadedmetadata', 'pause', 'suspend'], () => { if (video.paused && video.readyState > 0) cancelTimeout(); });
    on(['play', 'waiting', 'stalled'], () => { if (!video.paused) restartTimeout(); });
    on(['timeupdate'], () => {
      if (!video.seeking) furthest.current = Math.max(furthest.current, video.currentTime);
      if (!video.paused) restartTimeout();
    });
    on(['seeking'], () => { if (video.currentTime > furthest.current + 1) video.currentTime = furthest.current; });
    if (video.error) report.current('unplayable');
    return () => {
      cancelTimeout();
      listening.abort();
    };
  }, [medium.url, seen]);

  return (
    <>
      <video ref={element} src={medium.url} controls preload="metadata" playsInline aria-label={medium.name} width={width} />
      <figcaption class="note">
        <p role="status">{seen === undefined ? fill(words, 'watch') : seen === 'unplayable' ? fill(words, 'watchFailed') : ''}</p>
      </figcaption>
    </>
  );
}

/** Returns the videos that still have to be watched. */
export const unwatched = (media: Medium[], seen: Record<string, Seen>): Medium[] =>
  media.filter((m) => m.type === 'video' && m.forceWatching && !seen[m.url]);
