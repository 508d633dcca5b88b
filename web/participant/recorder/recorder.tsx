// The recorder of a step: a check of the devices, recording, and what was recorded. It is loaded when a step is spoken.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Draft, Take } from '../../shared/draft';
import type { Capture } from '../../shared/protocol';
import type { Words } from '../../shared/words';
import * as keep from '../keep';
import { running } from '../recordings';
import { Check, Intro } from './check';
import { begin, discard, resume, tape } from './courier';
import { type Chosen, hindrance, listen, release, screens, share, type Trouble, troubleOf } from './devices';
import { Icon } from './icons';
import { Level } from './level';
import { Live } from './live';
import { Machine } from './machine';
import { Picture } from './picture';
import './style';
import { Takes } from './takes';
import { TroubleCard } from './trouble';

export interface Props {
  words: Words;
  capture: Capture;
  token: string;
  stepId: string;
  /** Where uploads are made. */
  address: string;
  draft: Draft;
  describedBy: string | undefined;
  wrong: boolean;
  change(part: Draft): void;
  /** Chooses to type. */
  type(): void;
}

type Phase = 'waiting' | 'intro' | 'check' | 'ready' | 'live' | 'takes';

// A shared screen stays shared from one answer to the next, so that it is chosen once. It is recorded while answering alone.
let shared: MediaStream | null = null;
const sharedNow = (): MediaStream | null => (shared?.getVideoTracks().some((track) => track.readyState === 'live') ? shared : null);

export function Recorder({ words, capture, token, stepId, address, draft, describedBy, wrong, change, type }: Props) {
  const [phase, setPhase] = useState<Phase>('waiting');
  const [opening, setOpening] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [voice, setVoice] = useState<MediaStream | null>(null);
  const [level, setLevel] = useState<Level | null>(null);
  const [sharing, setSharing] = useState(sharedNow() !== null);
  const [said, setSaid] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const touched = useRef(false);
  const gone = useRef(false);
  const machine = useRef<Machine | null>(null);
  const held = useRef<MediaStream | null>(null);
  const now = useRef(draft);
  now.current = draft;
  const kept = useRef(keep.devices(token));
  const camera = capture.camera && !kept.current.withoutCamera;
  const screen = capture.screen && !kept.current.withoutScreen && screens();

  const remember = (part: keep.Devices) => {
    kept.current = { ...kept.current, ...part };
    keep.keepDevices(token, kept.current);
  };
  const hold = (stream: MediaStream | null) => {
    if (held.current !== stream) release(held.current);
    held.current = stream;
    setVoice(stream);
  };
  useEffect(() => {
    if (!voice) return undefined;
    const made = new Level(voice);
    setLevel(made);
    return () => made.close();
  }, [voice]);

  /** Opens microphone and camera; false when that failed, which is said. */
  const open = async (): Promise<boolean> => {
    const never = hindrance();
    if (never) {
      setTrouble(never);
      return false;
    }
    setOpening(true);
    setTrouble(null);
    try {
      const stream = await listen(capture.camera && !kept.current.withoutCamera, kept.current);
      if (gone.current) {
        release(stream);
        return false;
      }
      for (const track of stream.getTracks()) track.onended = () => lose();
      hold(stream);
      return true;
    } catch (e) {
      setTrouble(troubleOf(e));
      return false;
    } finally {
      setOpening(false);
    }
  };
  const lose = () => {
    hold(null);
    setTrouble('gone');
  };

  useEffect(() => {
    void resume(token).then(async () => {
      const takes = (now.current.takes ?? []).filter((take) => Object.values(take.tapes).some((id) => tape(id)));
      if (gone.current) return;
      if (takes.length !== (now.current.takes ?? []).length) change({ takes });
      if (takes.length > 0) setPhase('takes');
      else if (!kept.current.checked) setPhase('intro');
      else if (await open()) setPhase('ready');
      else setPhase('intro');
    });
    const hide = () => {
      if (document.visibilityState === 'hidden') machine.current?.flush();
    };
    document.addEventListener('visibilitychange', hide);
    return () => {
      gone.current = true;
      document.removeEventListener('visibilitychange', hide);
      if (machine.current) void leave();
      release(held.current);
      for (const id of (now.current.takes ?? []).flatMap((take) => Object.values(take.tapes))) tape(id)?.leave();
    };
  }, []);

  // Who works with the keyboard stands at the next thing to do.
  useEffect(() => {
    if (touched.current) root.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, [phase, trouble]);

  const shareScreen = async (): Promise<boolean> => {
    try {
      shared = await share();
      const track = shared.getVideoTracks()[0];
      if (track) track.onended = () => setSharing(false);
      setSharing(true);
      setTrouble(null);
      return true;
    } catch {
      setTrouble('screen');
      return false;
    }
  };

  const start = async () => {
    if (screen && !sharedNow() && !(await shareScreen())) return;
    if (!held.current?.active && !(await open())) return;
    const stream = held.current;
    if (!stream || gone.current) return;
    level?.wake();
    const take: Take = { seconds: 0, tapes: {} };
    try {
      machine.current = new Machine(stream, screen ? sharedNow() : null, {
        maxBytes: capture.maxBytes,
        begin: (kind, mime) => {
          const made = begin(token, stepId, kind, mime);
          take.tapes[kind] = made.row.id;
          return made;
        },
        onFull: () => void stop(true),
        onGone: (what) => {
          if (what === 'voice') void stop(false).then(lose);
          else {
            setSharing(false);
            void machine.current?.stop('screenVideo');
          }
        },
      });
    } catch (e) {
      discard([take]);
      setTrouble(troubleOf(e));
      return;
    }
    running.value = true;
    change({ takes: [...(now.current.takes ?? []), take] });
    setTrouble(null);
    setSaid(words.recRunning ?? '');
    setPhase('live');
  };

  /** Tells the draft how long the last take is. */
  const measure = (seconds: number) => {
    const takes = now.current.takes ?? [];
    const last = takes.at(-1);
    if (last) change({ takes: [...takes.slice(0, -1), { ...last, seconds }] });
  };

  const stop = async (full: boolean) => {
    const ending = machine.current;
    if (!ending) return;
    machine.current = null;
    await ending.stop();
    const seconds = ending.seconds();
    running.value = false;
    measure(seconds);
    if (ending.parts.every((part) => part.tape.reel.size === 0)) return discardLast();
    setSaid(full ? words.recLimitReached ?? '' : '');
    setPhase('takes');
  };
  const discardLast = () => {
    discard((now.current.takes ?? []).slice(-1));
    change({ takes: (now.current.takes ?? []).slice(0, -1) });
    setPhase(now.current.takes?.length ? 'takes' : 'ready');
  };

  /** Stops, as the interview has gone on in another window. Its answer may name what was recorded here; if not, that expires. */
  const leave = async () => {
    const going = machine.current;
    machine.current = null;
    await going?.stop();
    running.value = false;
  };

  const again = async () => {
    discard(now.current.takes ?? []);
    change({ takes: [], ...(now.current.text === now.current.heard ? { text: '' } : {}), heard: '' });
    await more();
  };
  const more = async () => {
    if (held.current?.active || await open()) setPhase('ready');
  };
  const typeInstead = async () => {
    const takes = now.current.takes ?? [];
    const going = machine.current;
    machine.current = null;
    await going?.stop();
    running.value = false;
    discard(takes);
    change({ takes: [] });
    type();
  };

  const allow = async () => {
    if (!(await open())) return;
    setPhase(kept.current.checked ? 'ready' : 'check');
  };
  const choose = async (part: Chosen) => {
    remember(part);
    await open();
  };
  const without = trouble === 'screen'
    ? { label: words.recWithoutScreen, go: () => { remember({ withoutScreen: true }); setTrouble(null); } }
    : camera && (trouble === 'none' || trouble === 'busy' || trouble === 'denied')
      ? { label: words.recWithoutCamera, go: () => { remember({ withoutCamera: true }); void allow(); } }
      : null;
  const retry = () => void (trouble === 'screen' ? shareScreen() : phase === 'takes' ? more() : allow());
  const showing = sharedNow();

  return (
    <div class="recorder" ref={root} onClickCapture={() => { touched.current = true; }}>
      <p class="unseen" role="status">{said}</p>
      {trouble && <TroubleCard what={trouble} words={words} again={retry} type={() => void typeInstead()} without={without} />}
      {phase === 'waiting' && <p class="note" role="status">{words.moment}</p>}
      {phase === 'intro' && !trouble && <Intro capture={{ ...capture, camera, screen }} words={words} opening={opening} allow={() => void allow()} type={() => void typeInstead()} />}
      {phase === 'check' && !trouble && voice && (
        <Check words={words} voice={voice} screen={showing} level={level} wantsScreen={screen} choose={(part) => void choose(part)} share={() => void shareScreen()}
          done={() => { remember({ checked: true }); setPhase('ready'); }} type={() => void typeInstead()} />
      )}
      {phase === 'ready' && !trouble && (
        <div class="rec-card rec-ready">
          <div class="rec-pictures">
            {voice && voice.getVideoTracks().length > 0 && <Picture stream={voice} label={words.recPreview} mirrored />}
            {screen && showing && <Picture stream={showing} label={words.recScreenPreview} />}
          </div>
          <button type="button" id="answer" class="rec-start" data-first aria-describedby={describedBy} onClick={() => void start()}>
            <Icon name={camera ? 'camera' : 'microphone'} />{screen && !sharing ? words.recStartShare : words.recStart}
          </button>
          <button type="button" class="link" onClick={() => void typeInstead()}>{words.recType}</button>
        </div>
      )}
      {phase === 'live' && machine.current && voice && (
        <Live words={words} machine={machine.current} level={level} voice={voice} sharing={!screen || sharing} passed={measure}
          stop={(full) => void stop(full)} type={() => void typeInstead()} />
      )}
      {phase === 'takes' && (
        <Takes words={words} draft={draft} takes={draft.takes ?? []} address={address} describedBy={describedBy} wrong={wrong} change={change}
          again={() => void again()} more={() => void more()} type={() => void typeInstead()} />
      )}
    </div>
  );
}
