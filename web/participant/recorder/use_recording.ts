import { useRef } from 'preact/hooks';
import type { Draft, Recording } from '../../shared/draft';
import type { Capture } from '../../shared/protocol';
import { isRecording } from '../recording_state';
import { problemOf } from './devices';
import { RecordingSession } from './recording_session';
import { beginSegment, discard } from './uploader';
import { type Devices, liveScreen } from './use_devices';

interface Options {
  capture: Capture;
  token: string;
  stepId: string;
  devices: Devices;
  draft: Draft;
  change(part: Draft): void;
  /** Called when a recording has begun. */
  onStart(): void;
  /** Called when a recording has ended, because it is full or for another reason. */
  onStop(full: boolean): void;
  /** Called when a recording has ended before anything was recorded. left is whether there are others. */
  onEmpty(left: boolean): void;
}

/** Starts and stops recordings, and keeps them in the draft. */
export function useRecording({ capture, token, stepId, devices, draft, change, onStart, onStop, onEmpty }: Options) {
  const session = useRef<RecordingSession | null>(null);
  const latest = useRef(draft);
  latest.current = draft;
  const recordings = () => latest.current.takes ?? [];

  /** Ends the session, and returns it once its last bytes are in their segments. */
  const end = async (): Promise<RecordingSession | null> => {
    const ending = session.current;
    session.current = null;
    await ending?.stop();
    isRecording.value = false;
    return ending;
  };

  /** Saves the length of the last recording in the draft. */
  const saveLength = (seconds: number) => {
    const last = recordings().at(-1);
    if (last) change({ takes: [...recordings().slice(0, -1), { ...last, seconds }] });
  };

  const start = async () => {
    if (devices.screen && !liveScreen() && !(await devices.chooseScreen())) return;
    if (!(await devices.openIfClosed())) return;
    const stream = devices.stream();
    if (!stream || devices.isClosed()) return;
    devices.level?.wake();
    const begun: Recording = { seconds: 0, tapes: {} };
    try {
      session.current = new RecordingSession(stream, devices.screen ? liveScreen() : null, {
        maxBytes: capture.maxBytes,
        beginSegment: (kind, type) => {
          const segment = beginSegment(token, stepId, kind, type);
          begun.tapes[kind] = segment.stored.id;
          return segment;
        },
        onFull: () => void stop(true),
        onGone: (device) => {
          if (device === 'voice') void stop(false).then(devices.lose);
          else {
            devices.loseScreen();
            void session.current?.stop('screenVideo');
          }
        },
      });
    } catch (e) {
      discard([begun]);
      devices.setProblem(problemOf(e));
      return;
    }
    isRecording.value = true;
    change({ takes: [...recordings(), begun] });
    devices.setProblem(null);
    onStart();
  };

  const stop = async (full: boolean) => {
    if (!session.current) return;
    const ended = await end();
    if (!ended) return;
    saveLength(ended.seconds());
    if (ended.parts.some((part) => part.segment.buffer.size > 0)) {
      onStop(full);
      return;
    }
    const left = recordings().slice(0, -1);
    discard(recordings().slice(-1));
    change({ takes: left });
    onEmpty(left.length > 0);
  };

  /** Stops, and discards all that was recorded for the step. */
  const discardAll = async () => {
    const made = recordings();
    await end();
    discard(made);
    change({ takes: [] });
  };

  return {
    /** The session while a recording is running. */
    session: () => session.current,
    recordings,
    start,
    stop,
    saveLength,
    discardAll,
    /** Discards all that was recorded for the step, with the transcript where the participant has not changed it. */
    startOver() {
      discard(recordings());
      change({ takes: [], ...(latest.current.text === latest.current.heard ? { text: '' } : {}), heard: '' });
    },
    /** Stops because the interview has continued in another window. That window's answer may name the uploads of this one; if not, they expire. */
    abandon: async () => void await end(),
  };
}
