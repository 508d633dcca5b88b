import { useEffect, useRef } from 'preact/hooks';
import type { Media as Medium } from './protocol';
import { fill, type Words } from './words';

/** Why a film no longer holds the participant back. */
export type Seen = 'watched' | 'unplayable';

interface Props {
  media: Medium[];
  words: Words;
  /** The films that were seen, by address. */
  seen: Record<string, Seen>;
  onSeen(url: string, how: Seen): void;
}

/** Pictures and films of a question or concept. */
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
                ? <Film medium={m} width={width} words={words} seen={seen[m.url]} onSeen={(how) => onSeen(m.url, how)} />
                : <video src={m.url} controls preload="metadata" playsInline aria-label={m.name} width={width} />}
          </figure>
        );
      })}
    </>
  );
}

const patience = 20_000; // ms without any sign of life until a film counts as one that cannot be played

interface FilmProps {
  medium: Medium;
  width: string | undefined;
  words: Words;
  seen: Seen | undefined;
  onSeen(how: Seen): void;
}

/** A film to be watched to its end, without skipping ahead. One that cannot be played, or gets stuck, holds nobody back. */
function Film({ medium, width, words, seen, onSeen }: FilmProps) {
  const film = useRef<HTMLVideoElement>(null);
  const furthest = useRef(0);
  const report = useRef(onSeen);
  report.current = onSeen;

  useEffect(() => {
    const video = film.current;
    if (!video || seen) return undefined;
    const listening = new AbortController();
    const on = (names: string[], act: () => void) => {
      for (const name of names) video.addEventListener(name, act, { signal: listening.signal });
    };
    let timer = 0;
    const calm = () => clearTimeout(timer);
    const wait = () => {
      calm();
      timer = window.setTimeout(() => report.current('unplayable'), patience);
    };
    wait(); // for the first sign of the film
    on(['error'], () => report.current('unplayable'));
    on(['ended'], () => report.current('watched'));
    on(['loadedmetadata', 'pause', 'suspend'], () => { if (video.paused && video.readyState > 0) calm(); });
    on(['play', 'waiting', 'stalled'], () => { if (!video.paused) wait(); });
    on(['timeupdate'], () => {
      if (!video.seeking) furthest.current = Math.max(furthest.current, video.currentTime);
      if (!video.paused) wait();
    });
    on(['seeking'], () => { if (video.currentTime > furthest.current + 1) video.currentTime = furthest.current; });
    if (video.error) report.current('unplayable');
    return () => {
      calm();
      listening.abort();
    };
  }, [medium.url, seen]);

  return (
    <>
      <video ref={film} src={medium.url} controls preload="metadata" playsInline aria-label={medium.name} width={width} />
      <figcaption class="note">
        <p role="status">{seen === undefined ? fill(words, 'watch') : seen === 'unplayable' ? fill(words, 'watchFailed') : ''}</p>
      </figcaption>
    </>
  );
}

/** The films that still have to be watched. */
export const unseen = (media: Medium[], seen: Record<string, Seen>): Medium[] =>
  media.filter((m) => m.type === 'video' && m.forceWatching && !seen[m.url]);
