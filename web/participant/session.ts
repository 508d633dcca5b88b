// The state of the page, and everything that changes it. Components read the signals and call the functions.
import { signal } from '@preact/signals';
import type { Draft, Fault, Take } from '../shared/draft';
import { answerOf, check, said, saidIn } from '../shared/draft';
import type { Seen } from '../shared/media';
import type { Answer, Step } from '../shared/protocol';
import { ended, widgetOf } from '../shared/protocol';
import type { Boot } from './boot';
import { faultsOf } from './faults';
import * as keep from './keep';
import * as recordings from './recordings';
import type { Reply } from './send';
import { backOff, send } from './send';
import * as signs from './telemetry';

export const view = signal<'front' | 'step' | 'end' | 'notice'>('front');
export const step = signal<Step | null>(null);
export const draft = signal<Draft>({});
export const turns = signal<keep.Turn[]>([]);
export const seen = signal<Record<string, Seen>>({});
export const faults = signal<Fault[]>([]);
/** How sending stands: 'offline' and 'trouble' go on trying. */
export const sending = signal<'no' | 'yes' | 'offline' | 'trouble'>('no');
/** The phrase of a remark above the question; empty when there is none. */
export const remark = signal('');
/** What the moderator writes while the answer is on its way, below what was said. */
export const writing = signal<{ turn: keep.Turn; text: string } | null>(null);
/** The phrases of a notice page begin with this. */
export const notice = signal('');
/** The interview that was begun from this link before and can be gone on with. */
export const earlier = signal('');
/** How the participant chose to answer last; empty before that. */
export const way = signal<'' | 'voice' | 'text'>('');

let page: Boot;
let token = '';
let channel: BroadcastChannel | undefined;
let wake: (() => void) | undefined;

const standing = { interview_gone: 'gone', interview_not_found: 'lost', not_found: 'lost', study_not_found: 'unknown', not_taking_participants: 'full' };

/** Begins with what the server has put into the page, and with what was put into its fields before the app came. */
export function open(boot: Boot, given: Draft): void {
  page = boot;
  keep.tidy();
  signs.watch();
  addEventListener('online', () => wake?.());
  addEventListener('pageshow', (e) => { if (e.persisted) void refresh(); });
  document.addEventListener('visibilitychange', () => { // on another device the interview may have gone on
    if (document.visibilityState === 'visible' && sending.value === 'no' && view.value === 'step') void refresh('otherTab');
  });
  if (boot.step) {
    enter(boot.token, boot.step);
    const fresh = Object.entries(given).filter(([name]) => !draft.value[name as keyof Draft]);
    if (fresh.length > 0) change(Object.fromEntries(fresh));
    const lost = boot.step.stepId && keep.pending(token, boot.step.stepId);
    if (lost) void deliver(boot.step, lost.answer, draft.value);
    return;
  }
  view.value = 'front';
  const before = keep.begun(boot.linkId, boot.query);
  if (before) void offer(before);
}

/** Offers to go on with an interview, when it still waits for an answer. */
async function offer(before: string): Promise<void> {
  const reply = await send<{ step: Step }>('GET', `/i/${before}`);
  if (reply.kind === 'ok' && !ended(reply.body.step)) earlier.value = before;
  else if (reply.kind !== 'again') keep.forget(before);
}

function enter(its: string, at: Step): void {
  token = its;
  recordings.recall(token);
  turns.value = keep.turns(token);
  seen.value = keep.seen(token);
  if ('BroadcastChannel' in window) {
    channel?.close();
    channel = new BroadcastChannel(`verbatim.${token}`);
    channel.onmessage = () => void refresh('otherTab');
  }
  show(at);
}

function show(next: Step): void {
  signs.reset();
  faults.value = [];
  sending.value = 'no';
  step.value = next;
  if (ended(next)) {
    view.value = 'end';
    keep.forget(token);
    recordings.finish(token);
    return;
  }
  draft.value = keep.draft(token, next.stepId ?? '');
  view.value = 'step';
}

function tell(name: string): void {
  notice.value = name;
  view.value = 'notice';
  sending.value = 'no';
  keep.forget(token);
  recordings.drop(token);
}

/**
 * Consents and begins. It goes on trying while the service cannot be reached, which tell says meanwhile; under its key a begin makes
 * one interview, however often it is sent. The phrase that says what went wrong comes back, empty when nothing did.
 */
export async function start(tellPhrase: (phrase: string) => void): Promise<string> {
  const { linkId, query, language } = page;
  const address = `/s/${linkId}/interviews${query ? `?${query}` : ''}`;
  for (let attempt = 0; ; attempt++) {
    const key = { 'Idempotency-Key': keep.beginKey(linkId, query, language) };
    const reply = await send<{ token: string; step: Step }>('POST', address, { language }, key);
    if (reply.kind === 'ok') {
      history.replaceState(null, '', `/i/${reply.body.token}`);
      keep.keepBegun(linkId, query, reply.body.token);
      keep.forgetBegin(linkId, query, language);
      enter(reply.body.token, reply.body.step);
      return '';
    }
    if (reply.kind === 'again' && !reply.crowded) {
      tellPhrase('startTrouble');
      await pause(backOff(attempt, reply.after));
      continue;
    }
    if (reply.kind === 'again') return 'crowdedText';
    keep.forgetBegin(linkId, query, language);
    if (reply.kind !== 'refused' || !(reply.code in standing)) return 'startFailed';
    if (reply.code === 'interview_gone') continue; // it was deleted since; the next one is another
    tell(standing[reply.code as keyof typeof standing]);
    return '';
  }
}

/** The address that leads back to this interview. */
export const address = (): string => `${location.origin}/i/${token}`;

/** The right to this interview. */
export const key = (): string => token;

/** Where the files of this interview are sent. */
export const uploads = (): string => `/i/${token}/uploads`;

export function change(part: Draft): void {
  const at = step.value;
  if (!at?.stepId) return;
  draft.value = { ...draft.value, ...part };
  keep.keepDraft(token, at.stepId, draft.value);
  if (faults.value.length > 0 && check(at, draft.value).length === 0) faults.value = [];
}

export function watched(url: string, how: Seen): void {
  seen.value = { ...seen.value, [url]: how };
  keep.keepSeen(token, seen.value);
}

/** Sends what is in the fields, once: a second call while the first is under way does nothing. */
export async function submit(): Promise<void> {
  const at = step.value;
  if (!at?.stepId || sending.value !== 'no') return;
  remark.value = '';
  faults.value = check(at, draft.value);
  if (faults.value.length > 0) return;
  const answer = { ...answerOf(at, draft.value), ...(widgetOf(at) === 'open_ended' ? signs.telemetry() : {}) };
  if (draft.value.takes?.length && !(await name(at, answer, draft.value.takes))) return;
  await deliver(at, answer, draft.value);
}

/** Puts the uploads of what was recorded into an answer, once the server knows them; false when there is no answer any more. */
async function name(at: Step, answer: Answer, takes: Take[]): Promise<boolean> {
  sending.value = 'yes';
  const wait = setTimeout(() => { sending.value = navigator.onLine ? 'trouble' : 'offline'; }, 5000);
  const named = await recordings.handOver(token, takes).catch(() => undefined);
  clearTimeout(wait);
  if (step.value !== at) return false;
  if (named && Object.keys(named).length > 0) answer.recordings = named;
  else if (!answer.text?.trim()) {
    sending.value = 'no';
    faults.value = faultsOf([{ path: ['recordings'], code: '' }]);
    return false;
  }
  return true;
}

/** Sends an answer until it has arrived, the server refuses it, or the interview has gone on elsewhere. */
async function deliver(at: Step, answer: Answer, from: Draft): Promise<void> {
  const id = at.stepId ?? '';
  sending.value = 'yes';
  keep.keepPending(token, id, answer);
  for (let attempt = 0; step.value === at; attempt++) {
    const enough = overhear(at, from);
    const reply = await send<{ step: Step }>('POST', `/i/${token}/answers`, { stepId: id, ...answer });
    enough();
    if (step.value !== at) return;
    if (reply.kind !== 'again') {
      settle(at, reply, from);
      return;
    }
    sending.value = navigator.onLine ? 'trouble' : 'offline';
    await pause(backOff(attempt, reply.after));
  }
}

const patience = 400; // ms, before it is worth listening

/** Listens to what is written while an answer is on its way, until the function that comes back is called. */
function overhear(at: Step, from: Draft): () => void {
  let over = false;
  let close = (): void => undefined;
  const stop = (): void => {
    over = true;
    clearTimeout(timer);
    close();
    writing.value = null;
  };
  const begin = ({ listen }: typeof import('./listen')): void => {
    if (over) return;
    close = listen(`/i/${token}/events`, {
      words(stepId, text) {
        if (stepId === at.stepId) writing.value = { turn: turnOf(at, from), text };
      },
      step(next) {
        if (next.stepId === at.stepId || step.value !== at) return;
        stop();
        settle(at, { kind: 'ok', body: { step: next } }, from);
      },
    });
  };
  const timer = setTimeout(() => {
    if ('EventSource' in window) import('./listen').then(begin, () => undefined);
  }, patience);
  return stop;
}

const turnOf = (at: Step, from: Draft): keep.Turn => ({
  asked: at.moderator ?? '',
  said: said(at, from, page.words),
  tags: { asked: at.kind === 'follow_up' ? page.tags.moderator : page.tags.content, said: saidIn(at, from, page.tags) },
});

function settle(at: Step, reply: Exclude<Reply<{ step: Step }>, { kind: 'again' }>, from: Draft): void {
  switch (reply.kind) {
    case 'ok':
      turns.value = [...turns.value, turnOf(at, from)];
      keep.keepTurns(token, turns.value);
      show(reply.body.step);
      channel?.postMessage('moved');
      return;
    case 'stale':
      show(reply.step);
      remark.value = 'otherTab';
      return;
    case 'wrong':
      sending.value = 'no';
      keep.keepPending(token, at.stepId ?? '', null);
      faults.value = faultsOf(reply.issues);
      return;
    case 'refused':
      if (reply.code === 'not_taking_participants') { // later it may be: what was given stays in the fields
        sending.value = 'no';
        keep.keepPending(token, at.stepId ?? '', null);
        remark.value = 'fullKept';
        return;
      }
      tell(standing[reply.code as keyof typeof standing] ?? 'failed');
  }
}

/** Waits, and no longer than until the network is back or somebody wants to try now. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

export const tryNow = (): void => wake?.();

/** Asks where the interview stands, and goes there when it is elsewhere. */
async function refresh(why = ''): Promise<void> {
  if (!token) return;
  const reply = await send<{ step: Step }>('GET', `/i/${token}`);
  if (reply.kind === 'refused') tell(standing[reply.code as keyof typeof standing] ?? 'failed');
  if (reply.kind !== 'ok' || reply.body.step.stepId === step.value?.stepId) return;
  show(reply.body.step);
  remark.value = why;
}

/** Takes everything back; false when the server could not be asked. */
export async function withdraw(): Promise<boolean> {
  const reply = await send<null>('POST', `/i/${token}/withdraw`, {});
  if (reply.kind === 'again' || reply.kind === 'wrong') return false;
  tell(reply.kind === 'ok' ? 'withdrawn' : 'gone');
  channel?.postMessage('moved');
  return true;
}
