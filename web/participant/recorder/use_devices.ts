import { useEffect, useRef, useState } from 'preact/hooks';
import type { Capture } from '../../shared/protocol';
import * as storage from '../browser_storage';
import { sharedScreen } from '../recording_state';
import { canShareScreen, type DeviceProblem, openMicrophone, problemOf, release, shareScreen, unsupportedReason } from './devices';
import { Level } from './level';

/**
 * The microphone, camera and screen of a recorder: which are wanted, which are open, and what went wrong. close releases microphone and
 * camera, and must be called before the recorder is gone.
 */
export function useDevices(capture: Capture, token: string) {
  const [opening, setOpening] = useState(false);
  const [problem, setProblem] = useState<DeviceProblem | null>(null);
  const [voice, setVoice] = useState<MediaStream | null>(null);
  const [level, setLevel] = useState<Level | null>(null);
  const closed = useRef(false);
  const openStream = useRef<MediaStream | null>(null);
  const chosen = useRef(storage.devices(token));

  useEffect(() => {
    if (!voice) return undefined;
    const created = new Level(voice);
    setLevel(created);
    return () => created.close();
  }, [voice]);

  const setStream = (stream: MediaStream | null) => {
    if (openStream.current !== stream) release(openStream.current);
    openStream.current = stream;
    setVoice(stream);
  };
  const lose = () => {
    setStream(null);
    setProblem('gone');
  };

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
      const stream = await openMicrophone(capture.camera && !chosen.current.withoutCamera, chosen.current);
      if (closed.current) {
        release(stream);
        return false;
      }
      for (const track of stream.getTracks()) track.onended = lose;
      setStream(stream);
      return true;
    } catch (e) {
      setProblem(problemOf(e));
      return false;
    } finally {
      setOpening(false);
    }
  };

  /** Asks for a screen to share. Returns false when the participant shares none, and shows the problem. */
  const chooseScreen = async (): Promise<boolean> => {
    try {
      const stream = await shareScreen();
      const track = stream.getVideoTracks()[0];
      if (track) track.onended = loseScreen;
      sharedScreen.value = stream;
      setProblem(null);
      return true;
    } catch {
      setProblem('screen');
      return false;
    }
  };
  const loseScreen = () => { sharedScreen.value = null; };

  return {
    /** Whether a camera, and a screen, is to be recorded. */
    camera: capture.camera && !chosen.current.withoutCamera,
    screen: capture.screen && !chosen.current.withoutScreen && canShareScreen(),
    /** The open stream of microphone and camera, as it was rendered last; stream returns it as it is now. */
    voice,
    stream: () => openStream.current,
    /** Measures voice. */
    level,
    /** Whether the browser is asking for permission. */
    opening,
    problem,
    setProblem,
    /** Whether the participant has checked the devices before. */
    isChecked: () => chosen.current.checked === true,
    save(part: storage.Devices): void {
      chosen.current = { ...chosen.current, ...part };
      storage.saveDevices(token, chosen.current);
    },
    open,
    /** Opens microphone and camera unless they are open. */
    openIfClosed: async (): Promise<boolean> => openStream.current?.active || open(),
    lose,
    chooseScreen,
    loseScreen,
    close(): void {
      closed.current = true;
      release(openStream.current);
    },
    isClosed: () => closed.current,
  };
}

export type Devices = ReturnType<typeof useDevices>;

/** Returns the shared screen where it is still shared. */
export const liveScreen = (): MediaStream | null =>
  (sharedScreen.value?.getVideoTracks().some((track) => track.readyState === 'live') ? sharedScreen.value : null);
