import { mainField } from '../../shared/draft';
import type { Words } from '../../shared/words';
import { Icon } from './icons';
import { type Devices, liveScreen } from './use_devices';
import { VideoPreview } from './video_preview';

interface Props {
  words: Words;
  devices: Devices;
  describedBy: string | undefined;
  start(): void;
  type(): void;
}

/** The pictures that will be recorded, and the button that starts. */
export function ReadyToRecord({ words, devices: { voice, camera, screen }, describedBy, start, type }: Props) {
  const shared = liveScreen();
  return (
    <div class="rec-card rec-ready">
      <div class="rec-pictures">
        {voice && voice.getVideoTracks().length > 0 && <VideoPreview stream={voice} label={words.recPreview} mirrored />}
        {screen && shared && <VideoPreview stream={shared} label={words.recScreenPreview} />}
      </div>
      <button type="button" id={mainField} class="rec-start" data-first aria-describedby={describedBy} onClick={start}>
        <Icon name={camera ? 'camera' : 'microphone'} />{screen && !shared ? words.recStartShare : words.recStart}
      </button>
      <button type="button" class="link" onClick={type}>{words.recType}</button>
    </div>
  );
}
