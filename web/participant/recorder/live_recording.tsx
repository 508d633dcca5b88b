import { useEffect, useRef, useState } from 'preact/hooks';
import { formatDuration } from '../../shared/draft';
import { fill, type Words } from '../../shared/words';
import type { Level } from './level';
import type { RecordingSession } from './recording_session';
import { VideoPreview } from './video_preview';
import { Waveform } from './waveform';

interface Props {
  words: Words;
  session: RecordingSession;
  level: Level | null;
  voice: MediaStream;
  sharing: boolean;
  /** Called about every two seconds with the length so far, in seconds. */
  onLength(seconds: number): void;
  stop(full: boolean): void;
  type(): void;
}

const tick = 250; // ms
const warning = 60; // seconds before the maximum length

/** The view while recording: length and waveform, and the buttons to pause and to stop. */
export function LiveRecording({ words, session, level, voice, sharing, onLength, stop, type }: Props) {
  const [seconds, setSeconds] = useState(0);
  const [left, setLeft] = useState(Infinity);
  const [paused, setPaused] = useState(false);
  const [online, setOnline] = useState(navigator.onLine);
  const latest = useRef({ onLength, stop });
  latest.current = { onLength, stop };
  useEffect(() => {
    let reported = 0;
    const timer = setInterval(() => {
      const length = session.seconds();
      setSeconds(Math.floor(length));
      const remaining = session.left();
      setLeft(remaining);
      setOnline(navigator.onLine);
      if (length - reported >= 2) {
        reported = length;
        latest.current.onLength(length);
      }
      if (remaining <= 0) latest.current.stop(true);
    }, tick);
    return () => clearInterval(timer);
  }, [session]);
  const togglePause = () => {
    if (paused) session.resume();
    else session.pause();
    setPaused(!paused);
  };
  return (
    <div class={`rec-card rec-live${paused ? ' paused' : ''}`}>
      {voice.getVideoTracks().length > 0 && <VideoPreview stream={voice} label={words.recPreview} mirrored />}
      <p class="rec-state">
        <i class="rec-dot" aria-hidden="true" />
        <span role="status">{paused ? words.recPaused : words.recRunning}</span>
        <span class="rec-clock" role="timer" aria-live="off">{formatDuration(seconds)}</span>
      </p>
      <Waveform level={level} paused={paused} />
      {!sharing && <p class="note" role="status">{words.recScreenEnded}</p>}
      <p class="note" role="status">{!online && words.recOffline}</p>
      <p class="rec-limit" role="status">{left < warning && fill(words, 'recLimit', { n: Math.max(Math.ceil(left / 10) * 10, 10) })}</p>
      <div class="go">
        <button type="button" id="answer" class="rec-stop" data-first onClick={() => stop(false)}><i aria-hidden="true" />{words.recStop}</button>
        <button type="button" class="second" onClick={togglePause}>{paused ? words.recGoOn : words.recPause}</button>
        <button type="button" class="link" onClick={type}>{words.recTypeOnly}</button>
      </div>
    </div>
  );
}
