// What a hands-free interview shows below the question: the state, the level, the words so far, and the way out. It is loaded on demand.
import { useEffect, useState } from 'preact/hooks';
import type { Step } from '../../shared/protocol';
import type { Words } from '../../shared/words';
import type { Bootstrap } from '../bootstrap';
import { wasHandsFree } from '../browser_storage';
import '../recorder/style';
import { VideoPreview } from '../recorder/video_preview';
import { handsFree, once, speaksAnswer } from '../recording_state';
import { interviewToken, turns } from '../session';
import { Conversation, type Phase } from './conversation';
import './style';

const state: Partial<Record<Phase, string>> = { opening: 'recAsking', speaking: 'hfSpeaking', listening: 'hfListening', speech: 'hfHearing', more: 'hfMore', writing: 'recWriting', yours: 'hfYours' };
/** What a screen reader does not say, because the moderator or the participant is speaking. */
const unsaid: Phase[] = ['speaking', 'speech', 'more'];

function conversationOf(bootstrap: Bootstrap): Conversation {
  if (once.conversation) return once.conversation;
  const conversation = new Conversation(bootstrap);
  once.conversation = conversation;
  if (wasHandsFree(interviewToken())) { // the page was left or loaded again: only a tap may go on
    handsFree.value = true;
    conversation.phase.value = 'paused';
    conversation.remark.value = 'hfBack';
  }
  return conversation;
}

/** The offer to hold the interview hands-free, or the conversation. */
export function HandsFree({ bootstrap, at }: { bootstrap: Bootstrap; at: Step }) {
  const { words, tags } = bootstrap;
  const conversation = conversationOf(bootstrap);
  const phase = conversation.phase.value;
  if (phase === 'off') {
    if (!speaksAnswer(at) && turns.value.length > 0) return null;
    return (
      <section class={turns.value.length > 0 || conversation.reason.value ? 'hands small' : 'hands'} aria-labelledby="hands">
        <h2 id="hands">{words.hfTitle}</h2>
        <div role="alert">{conversation.reason.value && <p class="hands-why">{words[conversation.reason.value]} {conversation.reason.value !== 'hfTrouble' && words.hfLeft}</p>}</div>
        {turns.value.length === 0 && !conversation.reason.value && <p>{words.hfText}</p>}
        <button type="button" onClick={() => void conversation.begin()}>{words.hfStart}</button>
      </section>
    );
  }
  const stateText = words[state[phase] ?? ''];
  const typing = <button type="button" class={phase === 'paused' ? 'second' : 'link'} onClick={() => void conversation.leave()}>{words.hfType}</button>;
  if (phase === 'paused') {
    return (
      <section class="hands" aria-labelledby="hands">
        <h2 id="hands">{words.recPaused}</h2>
        <p role="status">{words[conversation.remark.value]}</p>
        <div class="go"><button type="button" onClick={() => void conversation.begin()}>{words.hfResume}</button>{typing}</div>
      </section>
    );
  }
  const hears = phase === 'listening' || phase === 'speech' || phase === 'more';
  return (
    <section class={`hands hands-${phase}`} aria-label={words.hfTitle}>
      {hears && conversation.camera.value && <VideoPreview stream={conversation.camera.value} label={words.recPreview} mirrored />}
      <p class="hands-state">
        <i class="rec-dot" aria-hidden="true" />
        <span role="status">{unsaid.includes(phase) ? <span aria-hidden="true">{stateText}</span> : stateText}</span>
      </p>
      <Bars conversation={conversation} hears={hears} />
      {conversation.words.value && <p class="hands-words" lang={tags.moderator} dir="auto"><span class="unseen">{words.hfSoFar} </span>{conversation.words.value}</p>}
      <p class="note" role="status">{words[conversation.remark.value]}</p>
      <Offline words={words} />
      <div class="go">
        {phase === 'speaking' && <button type="button" class="second" onClick={() => conversation.interrupt()}>{words.aloudStop}</button>}
        {(phase === 'speech' || phase === 'more') && <button type="button" onClick={() => void conversation.done()}>{words.hfDone}</button>}
        {typing}
      </div>
      {hears && <Pause conversation={conversation} words={words} usual={bootstrap.voice?.pauseSeconds ?? 1.5} />}
    </section>
  );
}

/** The level of the microphone; in the second chance, the time that is left. */
function Bars({ conversation, hears }: { conversation: Conversation; hears: boolean }) {
  const left = conversation.phase.value === 'more';
  if (!hears) return null;
  return <div class={left ? 'hands-bar left' : 'hands-bar'} aria-hidden="true"><i style={{ transform: `scaleX(${left ? conversation.left.value : conversation.level.value})` }} /></div>;
}

/** How long a silence may be. */
function Pause({ conversation, words, usual }: { conversation: Conversation; words: Words; usual: number }) {
  const lengths = [['hfPauseShort', Math.max(usual * .6, .8)], ['hfPauseMedium', usual], ['hfPauseLong', Math.min(usual * 2, 5)]] as const;
  const chosen = lengths.reduce((best, one) => (Math.abs(one[1] - conversation.pauseSeconds.value) <= Math.abs(best[1] - conversation.pauseSeconds.value) ? one : best));
  return (
    <label class="hands-pause">
      <span>{words.hfPause}</span>
      <select value={chosen[0]} onChange={(e) => conversation.setPause(lengths.find(([key]) => key === e.currentTarget.value)?.[1] ?? usual)}>
        {lengths.map(([key]) => <option key={key} value={key}>{words[key]}</option>)}
      </select>
    </label>
  );
}

/** Says that what is recorded is safe while there is no network. */
function Offline({ words }: { words: Words }) {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    addEventListener('online', update);
    addEventListener('offline', update);
    return () => {
      removeEventListener('online', update);
      removeEventListener('offline', update);
    };
  }, []);
  return <p class="note" role="status">{!online && words.recOffline}</p>;
}
