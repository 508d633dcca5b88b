// The recorder of a step: the device check, recording, and the recorded takes. It is loaded when a step is to be spoken.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Draft, Take } from '../../shared/draft';
import type { Capture } from '../../shared/protocol';
import type { Words } from '../../shared/words';
import * as storage from '../browser_storage';
import { recording } from '../recording_state';
import { DeviceCheck, PermissionIntro } from './device_check';
import { DeviceProblemCard } from './device_problem';
import { canShareScreen, type ChosenDevices, type DeviceProblem, openMicrophone, problemOf, release, shareScreen, unsupportedReason } from './devices';
import { Icon } from './icons';
import { Level } from './level';
import { LiveRecording } from './live_recording';
import { RecordingSession } from './recording_session';
import './style';
import { Takes } from './takes';
import { beginSegment, discard, resume, segmentById } from './uploader';
import { VideoPreview } from './video_preview';

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

type Phase = 'waiting' | 'intro' | 'check' | 'ready' | 'live' | 'takes';

// A screen stays shared from one answer to the next, so that the participant chooses it once. It is recorded only during an answer.
let sharedScreen: MediaStream | null = null;
const liveScreen = (): MediaStream | null => (sharedScreen?.getVideoTracks().some((track) => track.readyState === 'live') ? sharedScreen : null);

export function Recorder({ words, capture, token, stepId, address, draft, describedBy, wrong, change, type }: Props) {
  const [phase, setPhase] = useState<Phase>('waiting');
  const [opening, setOpening] = useState(false);
  const [problem, setProblem] = useState<DeviceProblem | null>(null);
  const [voice, setVoice] = useState<MediaStream | null>(null);
  const [level, setLevel] = useState<Level | null>(null);
  const [sharing, setSharing] = useState(liveScreen() !== null);
  const [announced, setAnnounced] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const clicked = useRef(false);
  const unmounted = useRef(false);
  const session = useRef<RecordingSession | null>(null);
  const openStream = useRef<MediaStream | null>(null);
  const latest = useRef(draft);
  latest.current = draft;
  const devices = useRef(storage.devices(token));
  const camera = capture.camera && !devices.current.withoutCamera;
  const screen = capture.screen && !devices.current.withoutScreen && canShareScreen();

  const saveDevices = (part: storage.Devices) => {
    devices.current = { ...devices.current, ...part };
    storage.saveDevices(token, devices.current);
  };
  const setStream = (stream: MediaStream | null) => {
    if (openStream.current !== stream) release(openStream.current);
    openStream.current = stream;
    setVoice(stream);
  };
  useEffect(() => {
    if (!voice) return undefined;
    const created = new Level(voice);
    setLevel(created);
    return () => created.close();
  }, [voice]);

  /** Opens microphone and camera. Returns false when that failed, and shows the problem. */
  const open = async (): Promise<boolean> => {
    const unsupported = unsupportedReason();
    if (unsupported) {
      setProblem(unsupported);
      return false;
    }
    setOpening(true);
    setProblem(null);
    try {
      const stream = await openMicrophone(capture.camera && !devices.current.withoutCamera, devices.current);
      if (unmounted.current) {
        release(stream);
        return false;
      }
      for (const track of stream.getTracks()) track.onended = () => loseDevice();
      setStream(stream);
      return true;
    } catch (e) {
      setProblem(problemOf(e));
      return false;
    } finally {
      setOpening(false);
    }
  };
  const loseDevice = () => {
    setStream(null);
    setProblem('gone');
  };

  useEffect(() => {
    void resume(token).then(async () => {
      const takes = (latest.current.takes ?? []).filter((take) => Object.values(take.tapes).some((id) => segmentById(id)));
      if (unmounted.current) return;
      if (takes.length !== (latest.current.takes ?? []).length) change({ takes });
      if (takes.length > 0) setPhase('takes');
      else if (!devices.current.checked) setPhase('intro');
      else if (await open()) setPhase('ready');
      else setPhase('intro');
    });
    const flushWhenHidden = () => {
      if (document.visibilityState === 'hidden') session.current?.flush();
    };
    document.addEventListener('visibilitychange', flushWhenHidden);
    return () => {
      unmounted.current = true;
      document.removeEventListener('visibilitychange', flushWhenHidden);
      if (session.current) void abandon();
      release(openStream.current);
      for (const id of (latest.current.takes ?? []).flatMap((take) => Object.values(take.tapes))) segmentById(id)?.release();
    };
  }, []);

  // Keyboard users find the focus on the next action.
  useEffect(() => {
    if (clicked.current) root.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, [phase, problem]);

  const chooseScreen = async (): Promise<boolean> => {
    try {
      sharedScreen = await shareScreen();
      const track = sharedScreen.getVideoTracks()[0];
      if (track) track.onended = () => setSharing(false);
      setSharing(true);
      setProblem(null);
      return true;
    } catch {
      setProblem('screen');
      return false;
    }
  };

  const start = async () => {
    if (screen && !liveScreen() && !(await chooseScreen())) return;
    if (!openStream.current?.active && !(await open())) return;
    const stream = openStream.current;
    if (!stream || unmounted.current) return;
    level?.wake();
    const take: Take = { seconds: 0, tapes: {} };
    try {
      session.current = new RecordingSession(stream, screen ? liveScreen() : null, {
        maxBytes: capture.maxBytes,
        beginSegment: (kind, type) => {
          const segment = beginSegment(token, stepId, kind, type);
          take.tapes[kind] = segment.stored.id;
          return segment;
        },
        onFull: () => void stop(true),
        onGone: (device) => {
          if (device === 'voice') void stop(false).then(loseDevice);
          else {
            setSharing(false);
            void session.current?.stop('screenVideo');
          }
        },
      });
    } catch (e) {
      discard([take]);
      setProblem(problemOf(e));
      return;
    }
    recording.value = true;
    change({ takes: [...(latest.current.takes ?? []), take] });
    setProblem(null);
    setAnnounced(words.recRunning ?? '');
    setPhase('live');
  };

  /** Saves the length of the last take in the draft. */
  const saveLength = (seconds: number) => {
    const takes = latest.current.takes ?? [];
    const last = takes.at(-1);
    if (last) change({ takes: [...takes.slice(0, -1), { ...last, seconds }] });
  };

  const stop = async (full: boolean) => {
    const ending = session.current;
    if (!ending) return;
    session.current = null;
    await ending.stop();
    const seconds = ending.seconds();
    recording.value = false;
    saveLength(seconds);
    if (ending.parts.every((part) => part.segment.buffer.size === 0)) return discardLast();
    setAnnounced(full ? words.recLimitReached ?? '' : '');
    setPhase('takes');
  };
  const discardLast = () => {
    discard((latest.current.takes ?? []).slice(-1));
    change({ takes: (latest.current.takes ?? []).slice(0, -1) });
    setPhase(latest.current.takes?.length ? 'takes' : 'ready');
  };

  /** Stops because the interview has continued in another window. That window's answer may name the uploads of this one; if not, they expire. */
  const abandon = async () => {
    const ending = session.current;
    session.current = null;
    await ending?.stop();
    recording.value = false;
  };

  const again = async () => {
    discard(latest.current.takes ?? []);
    change({ takes: [], ...(latest.current.text === latest.current.heard ? { text: '' } : {}), heard: '' });
    await more();
  };
  const more = async () => {
    if (openStream.current?.active || await open()) setPhase('ready');
  };
  const typeInstead = async () => {
    const takes = latest.current.takes ?? [];
    const ending = session.current;
    session.current = null;
    await ending?.stop();
    recording.value = false;
    discard(takes);
    change({ takes: [] });
    type();
  };

  const allow = async () => {
    if (!(await open())) return;
    setPhase(devices.current.checked ? 'ready' : 'check');
  };
  const choose = async (part: ChosenDevices) => {
    saveDevices(part);
    await open();
  };
  const without = problem === 'screen'
    ? { label: words.recWithoutScreen, go: () => { saveDevices({ withoutScreen: true }); setProblem(null); } }
    : camera && (problem === 'none' || problem === 'busy' || problem === 'denied')
      ? { label: words.recWithoutCamera, go: () => { saveDevices({ withoutCamera: true }); void allow(); } }
      : null;
  const retry = () => void (problem === 'screen' ? chooseScreen() : phase === 'takes' ? more() : allow());
  const screenStream = liveScreen();

  return (
    <div class="recorder" ref={root} onClickCapture={() => { clicked.current = true; }}>
      <p class="unseen" role="status">{announced}</p>
      {problem && <DeviceProblemCard problem={problem} words={words} again={retry} type={() => void typeInstead()} without={without} />}
      {phase === 'waiting' && <p class="note" role="status">{words.moment}</p>}
      {phase === 'intro' && !problem && <PermissionIntro capture={{ ...capture, camera, screen }} words={words} opening={opening} allow={() => void allow()} type={() => void typeInstead()} />}
      {phase === 'check' && !problem && voice && (
        <DeviceCheck words={words} voice={voice} screen={screenStream} level={level} wantsScreen={screen} choose={(part) => void choose(part)} share={() => void chooseScreen()}
          done={() => { saveDevices({ checked: true }); setPhase('ready'); }} type={() => void typeInstead()} />
      )}
      {phase === 'ready' && !problem && (
        <div class="rec-card rec-ready">
          <div class="rec-pictures">
            {voice && voice.getVideoTracks().length > 0 && <VideoPreview stream={voice} label={words.recPreview} mirrored />}
            {screen && screenStream && <VideoPreview stream={screenStream} label={words.recScreenPreview} />}
          </div>
          <button type="button" id="answer" class="rec-start" data-first aria-describedby={describedBy} onClick={() => void start()}>
            <Icon name={camera ? 'camera' : 'microphone'} />{screen && !sharing ? words.recStartShare : words.recStart}
          </button>
          <button type="button" class="link" onClick={() => void typeInstead()}>{words.recType}</button>
        </div>
      )}
      {phase === 'live' && session.current && voice && (
        <LiveRecording words={words} session={session.current} level={level} voice={voice} sharing={!screen || sharing} onLength={saveLength}
          stop={(full) => void stop(full)} type={() => void typeInstead()} />
      )}
      {phase === 'takes' && (
        <Takes words={words} draft={draft} takes={draft.takes ?? []} address={address} describedBy={describedBy} wrong={wrong} change={change}
          again={() => void again()} more={() => void more()} type={() => void typeInstead()} />
      )}
    </div>
  );
}
