import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { duration } from '../format';
import { Icon } from '../parts/icon';
import type { Playback } from '../playback';
import type { Timeline } from '../timeline';
import { t } from '../words';

const rates = [1, 1.25, 1.5, 1.75, 2];

/** The player over all rows: one timeline, with the rows on it. */
export function Player({ playback, timeline }: { playback: Playback; timeline: Timeline }) {
  const main = useRef<HTMLVideoElement>(null);
  const screen = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    playback.attach(main.current, screen.current);
    return () => {
      playback.pause();
      playback.attach(null, null);
    };
  }, [playback]);
  const segment = timeline.segments[playback.segment.value];
  const seen = segment?.recording.kind !== 'audio';
  return (
    <section class="player" aria-label={t('player')}>
      <div class={`screens${seen ? '' : ' sound'}${segment?.screen ? ' two' : ''}`}>
        <video ref={main} hidden={!seen} playsInline preload="metadata" tabIndex={-1} aria-label={t('kind_video')}
          onLoadedMetadata={playback.onMetadata} onPlay={playback.onPlay} onPause={playback.onPause} onTimeUpdate={playback.onTime}
          onSeeked={playback.onTime} onEnded={playback.onEnded} onError={() => void playback.onError()} />
        <video ref={screen} hidden={!segment?.screen} playsInline muted preload="metadata" tabIndex={-1} aria-label={t('kind_screenVideo')} />
      </div>
      {playback.failed.value && <p class="wrong small message" role="alert">{t('cannotPlay')}</p>}
      <div class="controls">
        <button type="button" class="primary square" aria-label={playback.playing.value ? t('pause') : t('play')} onClick={() => playback.toggle()}><Icon name={playback.playing.value ? 'pause' : 'play'} /></button>
        <Track playback={playback} timeline={timeline} />
        <Clock playback={playback} total={timeline.duration} />
        <select aria-label={t('speed')} value={String(playback.rate.value)} onChange={(event) => playback.setRate(Number(event.currentTarget.value))}>
          {rates.map((rate) => <option key={rate} value={String(rate)}>{rate}×</option>)}
        </select>
      </div>
    </section>
  );
}

function Clock({ playback, total }: { playback: Playback; total: number }) {
  return <span class="number soft clock">{duration(playback.time.value)} / {duration(total)}</span>;
}

/** The timeline: a slider, and above it the rows by their lengths. */
function Track({ playback, timeline }: { playback: Playback; timeline: Timeline }) {
  const held = useSignal(false);
  const seconds = playback.time.value;
  const row = (timeline.segments[playback.segment.value]?.row ?? 0) + 1;
  return (
    <div class="track">
      <svg class="segments" preserveAspectRatio="none" viewBox={`0 0 ${Math.max(timeline.duration, 1)} 1`} aria-hidden="true">
        {timeline.segments.map((segment, i) => (
          <rect key={segment.row} class={i === playback.segment.value ? 'now' : undefined} x={segment.start} y="0" height="1" width={Math.max(segment.duration - timeline.duration / 300, timeline.duration / 600)} />
        ))}
      </svg>
      <input type="range" min={0} max={Math.max(timeline.duration, 0.1)} step={0.1} value={seconds} aria-label={t('position')}
        aria-valuetext={t('positionText', { time: duration(seconds), total: duration(timeline.duration), n: row })}
        onPointerDown={() => { held.value = true; }} onPointerUp={() => { held.value = false; }} onInput={(event) => playback.seek(Number(event.currentTarget.value))} />
    </div>
  );
}
