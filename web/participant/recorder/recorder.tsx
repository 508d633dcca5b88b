// The recorder of a step: the device check, recording, and what was recorded. It is loaded when a step is to be spoken.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Draft, segmentIds } from '../../shared/draft';
import type { Capture } from '../../shared/protocol';
import type { Words } from '../../shared/words';
import { DeviceCheck, PermissionIntro } from './device_check';
import { DeviceProblemNotice } from './device_problem';
import { LiveRecording } from './live_recording';
import { ReadyToRecord } from './ready_to_record';
import { RecordedAnswer } from './recorded_answer';
import './style';
import { resume, segmentById } from './uploader';
import { liveScreen, useDevices } from './use_devices';
import { useRecording } from './use_recording';

export interface Props {
  words: Words;
  capture: Capture;
  token: string;
  stepId: string;
  /** The path where uploads are created. */
  address: string;
  draft: Draft;
  describedBy: string | undefined;
  wrong: boolean;
  change(part: Draft): void;
  /** Switches to typing. */
  type(): void;
}

type Phase = 'waiting' | 'intro' | 'check' | 'ready' | 'live' | 'recorded';

export function Recorder({ words, capture, token, stepId, address, draft, describedBy, wrong, change, type }: Props) {
  const [phase, setPhase] = useState<Phase>('waiting');
  const [announced, setAnnounced] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const clicked = useRef(false);
  const devices = useDevices(capture, token);
  const { problem, camera, screen, voice, level } = devices;
  const recorder = useRecording({
    capture, token, stepId, devices, draft, change,
    onStart() {
      setAnnounced(words.recRunning ?? '');
      setPhase('live');
    },
    onStop(full) {
      setAnnounced(full ? words.recLimitReached ?? '' : '');
      setPhase('recorded');
    },
    onEmpty: (left) => setPhase(left ? 'recorded' : 'ready'),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each step, because the form of another step is another component
  useEffect(() => {
    void resume(token).then(async () => {
      const kept = recorder.recordings().filter((recording) => segmentIds([recording]).some(segmentById));
      if (devices.isClosed()) return;
      if (kept.length !== recorder.recordings().length) change({ takes: kept });
      if (kept.length > 0) setPhase('recorded');
      else if (!devices.isChecked()) setPhase('intro');
      else setPhase(await devices.open() ? 'ready' : 'intro');
    });
    const flushWhenHidden = () => {
      if (document.visibilityState === 'hidden') recorder.session()?.flush();
    };
    document.addEventListener('visibilitychange', flushWhenHidden);
    return () => {
      document.removeEventListener('visibilitychange', flushWhenHidden);
      if (recorder.session()) void recorder.abandon();
      devices.close();
      for (const id of segmentIds(recorder.recordings())) segmentById(id)?.release();
    };
  }, []);

  // Keyboard users find the focus on the next action.
  useEffect(() => {
    if (clicked.current) root.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, [phase, problem]);

  const allow = async () => {
    if (await devices.open()) setPhase(devices.isChecked() ? 'ready' : 'check');
  };
  const more = async () => {
    if (await devices.openIfClosed()) setPhase('ready');
  };
  const again = () => {
    recorder.startOver();
    void more();
  };
  const typeInstead = () => void recorder.discardAll().then(type);
  const retry = () => void (problem === 'screen' ? devices.chooseScreen() : phase === 'recorded' ? more() : allow());

  const withoutScreen = () => {
    devices.save({ withoutScreen: true });
    devices.setProblem(null);
  };
  const withoutCamera = () => {
    devices.save({ withoutCamera: true });
    void allow();
  };
  const without = problem === 'screen' ? { label: words.recWithoutScreen, go: withoutScreen }
    : camera && (problem === 'none' || problem === 'busy' || problem === 'denied') ? { label: words.recWithoutCamera, go: withoutCamera } : null;

  const session = recorder.session();
  return (
    <div class="recorder" ref={root} onClickCapture={() => { clicked.current = true; }}>
      <p class="unseen" role="status">{announced}</p>
      {problem && <DeviceProblemNotice problem={problem} words={words} again={retry} type={typeInstead} without={without} />}
      {phase === 'waiting' && <p class="note" role="status">{words.moment}</p>}
      {phase === 'intro' && !problem && (
        <PermissionIntro capture={{ ...capture, camera, screen }} words={words} opening={devices.opening} allow={() => void allow()} type={typeInstead} />
      )}
      {phase === 'check' && !problem && voice && (
        <DeviceCheck words={words} voice={voice} screen={liveScreen()} level={level} wantsScreen={screen}
          choose={(part) => { devices.save(part); void devices.open(); }} share={() => void devices.chooseScreen()}
          done={() => { devices.save({ checked: true }); setPhase('ready'); }} type={typeInstead} />
      )}
      {phase === 'ready' && !problem && (
        <ReadyToRecord words={words} devices={devices} describedBy={describedBy} start={() => void recorder.start()} type={typeInstead} />
      )}
      {phase === 'live' && session && voice && (
        <LiveRecording words={words} session={session} level={level} voice={voice} sharing={!screen || liveScreen() !== null}
          onLength={recorder.saveLength} stop={(full) => void recorder.stop(full)} type={typeInstead} />
      )}
      {phase === 'recorded' && (
        <RecordedAnswer words={words} draft={draft} recordings={draft.takes ?? []} address={address} describedBy={describedBy} wrong={wrong}
          change={change} again={again} more={() => void more()} type={typeInstead} />
      )}
    </div>
  );
}
