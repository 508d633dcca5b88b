import { useEffect, useRef, useState } from 'preact/hooks';
import { Image } from './image';
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
  lang: string | undefined;
}

/** Images and videos of a question or concept. lang is the language of the page's own words. */
export function Media({ media, words, seen, onSeen, lang }: Props) {
  return (
    <>
      {media.map((m) => {
        const width = m.widthPercentage ? `${m.widthPercentage}%` : undefined;
        return (
          <figure key={m.url}>
            {m.type === 'image'
              ? <Image medium={m} width={width} words={words} lang={lang} />
              : m.forceWatching
                ? <RequiredVideo medium={m} width={width} words={words} seen={seen[m.url]} onSeen={(how) => onSeen(m.url, how)} lang={lang} />
                : <FreeVideo medium={m} width={width} words={words} lang={lang} />}
          </figure>
        );
      })}
    </>
  );
}

interface VideoProps {
  medium: Medium;
  width: string | undefined;
  words: Words;
  lang: string | undefined;
}

/** A video that may be watched. */
function FreeVideo({ medium, width, words, lang }: VideoProps) {
  const [failed, setFailed] = useState(false);
  const [captioned, setCaptioned] = useState(medium.captions.length > 0);
  const fail = () => (captioned ? setCaptioned(false) : setFailed(true));
  return (
    <>
      <Video key={String(captioned)} medium={medium} width={width} lang={lang} captioned={captioned} onError={fail} />
      <figcaption class="note" lang={lang}><p role="status">{failed && words.watchFailed}</p></figcaption>
    </>
  );
}

interface ElementProps {
  medium: Medium;
  width: string | undefined;
  lang: string | undefined;
  element?: { current: HTMLVideoElement | null };
  captioned: boolean;
  onError?(): void;
}

/**
 * The element of a video, with its captions. Captions of another site are read only with its permission, and then the video needs it, too:
 * where it is not given, the video is shown again without them.
 */
function Video({ medium, width, lang, element, captioned, onError }: ElementProps) {
  return (
    <video
      {...(element ? { ref: element } : {})}
      src={medium.url}
      controls
      preload="metadata"
      playsInline
      aria-label={medium.name}
      width={width}
      {...(captioned ? { crossOrigin: 'anonymous' as const } : {})}
      {...(onError ? { onError } : {})}
    >
      {captioned && medium.captions.map((c) => (
        <track key={c.url} kind="captions" src={c.url} srcLang={c.language} label={c.label} default={c.language === lang} />
      ))}
    </video>
  );
}

const stallTimeout = 20_000; // ms without progress until a video counts as unplayable

interface RequiredVideoProps extends VideoProps {
  seen: Seen | undefined;
  onSeen(how: Seen): void;
}

/** A video that has to be watched to its end, without skipping ahead. One that cannot be played or stalls does not block the answer. */
function RequiredVideo({ medium, width, words, seen, onSeen, lang }: RequiredVideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  const [captioned, setCaptioned] = useState(medium.captions.length > 0);
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
    const fail = () => (captioned ? setCaptioned(false) : report.current('unplayable'));
    on(['error'], fail);
    on(['ended'], () => report.current('watched'));
    on(['loadedmetadata', 'pause', 'suspend'], () => { if (video.paused && video.readyState > 0) cancelTimeout(); });
    on(['play', 'waiting', 'stalled'], () => { if (!video.paused) restartTimeout(); });
    on(['timeupdate'], () => {
      if (!video.seeking) furthest.current = Math.max(furthest.current, video.currentTime);
      if (!video.paused) restartTimeout();
    });
    on(['seeking'], () => { if (video.currentTime > furthest.current + 1) video.currentTime = furthest.current; });
    if (video.error) fail();
    return () => {
      cancelTimeout();
      listening.abort();
    };
  }, [medium.url, seen, captioned]);

  return (
    <>
      <Video key={String(captioned)} medium={medium} width={width} lang={lang} element={element} captioned={captioned} />
      <figcaption class="note" lang={lang}>
        <p role="status">{seen === undefined ? fill(words, 'watch') : seen === 'unplayable' ? fill(words, 'watchFailed') : ''}</p>
      </figcaption>
    </>
  );
}

/** Returns the videos that still have to be watched. */
export const unwatched = (media: Medium[], seen: Record<string, Seen>): Medium[] =>
  media.filter((m) => m.type === 'video' && m.forceWatching && !seen[m.url]);
