import { useEffect, useState } from 'preact/hooks';
import type { Capture } from '../../shared/protocol';
import type { Words } from '../../shared/words';
import { type ChosenDevices, devices } from './devices';
import { Icon } from './icons';
import type { Level } from './level';
import { LevelMeter } from './level_meter';
import { VideoPreview } from './video_preview';

interface PermissionIntroProps {
  capture: Capture;
  words: Words;
  opening: boolean;
  allow(): void;
  type(): void;
}

/** Explains what will be recorded and why, before the browser asks for permission. */
export function PermissionIntro({ capture, words, opening, allow, type }: PermissionIntroProps) {
  return (
    <div class="rec-card">
      <h2>{words.recCheckTitle}</h2>
      <p>{words.recWhy}</p>
      <ul class="rec-list">
        <li><Icon name="microphone" /><span><strong>{words.recMicrophone}</strong> {words.recKeepMicrophone}</span></li>
        {capture.camera && <li><Icon name="camera" /><span><strong>{words.recCamera}</strong> {words.recKeepCamera}</span></li>}
        {capture.screen && <li><Icon name="screen" /><span><strong>{words.recScreen}</strong> {words.recKeepScreen}</span></li>}
      </ul>
      <p class="note">{words.recKept}</p>
      <div class="go">
        <button type="button" id="answer" aria-busy={opening} onClick={allow}>{words.recAllow}</button>
        <button type="button" class="second" onClick={type}>{words.recType}</button>
      </div>
      <p class="note" role="status">{opening && words.recAsking}</p>
    </div>
  );
}

interface DeviceCheckProps {
  words: Words;
  voice: MediaStream;
  screen: MediaStream | null;
  level: Level | null;
  wantsScreen: boolean;
  choose(part: ChosenDevices): void;
  share(): void;
  done(): void;
  type(): void;
}

/** Shows that the devices work: the level of the microphone, the pictures, and which devices are used. */
export function DeviceCheck({ words, voice, screen, level, wantsScreen, choose, share, done, type }: DeviceCheckProps) {
  const hasVideo = voice.getVideoTracks().length > 0;
  return (
    <div class="rec-card">
      <h2>{words.recCheckTitle}</h2>
      <div class="rec-pictures">
        {hasVideo && <VideoPreview stream={voice} label={words.recPreview} mirrored />}
        {wantsScreen && screen && <VideoPreview stream={screen} label={words.recScreenPreview} />}
      </div>
      <LevelMeter level={level} words={words} />
      <DevicePicker kind="audioinput" label={words.recMicrophone} track={voice.getAudioTracks()[0]} choose={(microphone) => choose({ microphone })} />
      {hasVideo && <DevicePicker kind="videoinput" label={words.recCamera} track={voice.getVideoTracks()[0]} choose={(camera) => choose({ camera })} />}
      {wantsScreen && !screen && <p><button type="button" class="second" onClick={share}>{words.recShare}</button></p>}
      <div class="go">
        <button type="button" id="answer" data-first onClick={done}>{words.recWorks}</button>
        <button type="button" class="second" onClick={type}>{words.recType}</button>
      </div>
    </div>
  );
}

interface DevicePickerProps {
  kind: 'audioinput' | 'videoinput';
  label: string | undefined;
  track: MediaStreamTrack | undefined;
  choose(id: string): void;
}

/** A list of the devices of a kind, where there are several. */
function DevicePicker({ kind, label, track, choose }: DevicePickerProps) {
  const [all, setAll] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    const refresh = () => void devices(kind).then(setAll);
    refresh();
    navigator.mediaDevices.addEventListener('devicechange', refresh);
    return () => navigator.mediaDevices.removeEventListener('devicechange', refresh);
  }, [kind, track]);
  if (all.length < 2) return null;
  return (
    <label class="rec-picker">
      <span>{label}</span>
      <select value={track?.getSettings().deviceId} onChange={(e) => choose(e.currentTarget.value)}>
        {all.map((device) => <option key={device.deviceId} value={device.deviceId}>{device.label}</option>)}
      </select>
    </label>
  );
}
