// The state of the page, and everything that changes it. Components read the signals and call the functions.
import { signal } from '@preact/signals';
import type { Draft, Fault } from '../shared/draft';
import { answerOf, check, said } from '../shared/draft';
import type { Seen } from '../shared/media';
import type { Answer, Step } from '../shared/protocol';
import { ended } from '../shared/protocol';
import type { Boot } from './boot';
import { faultsOf } from './faults';
import * as keep from './keep';
import type { Reply } from './send';
import { backOff, send } from './send';

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
/** The phrases of a notice page begin with this. */
export const notice = signal('');
/** The interview that was begun from this link before and can be gone on with. */
export const earlier = signal('');

let page: Boot;
let token = '';
let channel: BroadcastChannel | undefined;
let wake: (() => void) | undefined;

const standing = { interview_gone: 'gone', interview_not_found: 'lost', not_found: 'lost', study_not_found: 'unknown', not_taking_participants: 'full' };

/** Begins with what the server has put into the page, and with what was typed into it before the app came. */
export function open(boot: Boot, typed: string): void {
  page = boot;
  keep.tidy();
  addEventListener('online', () => wake?.());
  addEventListener('pageshow', (e) => { if (e.persisted) void refresh(); });
  if (boot.step) {
    enter(boot.token, boot.step);
    if (typed && !draft.value.text) change({ text: typed });
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
  faults.value = [];
  sending.value = 'no';
  step.value = next;
  if (ended(next)) {
    view.value = 'end';
    keep.forget(token);
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
}

/** Consents and begins. The phrase that says what went wrong comes back, empty when nothing did. */
export async function start(): Promise<string> {
  const reply = await send<{ token: string; step: Step }>('POST', `/s/${page.linkId}/interviews${page.query ? `?${page.query}` : ''}`, { language: page.language });
  if (reply.kind === 'ok') {
    history.replaceState(null, '', `/i/${reply.body.token}`);
    keep.keepBegun(page.linkId, page.query, reply.body.token);
    enter(reply.body.token, reply.body.step);
    return '';
  }
  if (reply.kind === 'refused' && reply.code in standing) {
    tell(standing[reply.code as keyof typeof standing]);
    return '';
  }
  return 'startFailed';
}

/** The address that leads back to this interview. */
export const address = (): string => `${location.origin}/i/${token}`;

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
  if (faults.value.length === 0) await deliver(at, answerOf(at, draft.value), draft.value);
}

/** Sends an answer until it has arrived, the server refuses it, or the interview has gone on elsewhere. */
async function deliver(at: Step, answer: Answer, from: Draft): Promise<void> {
  const id = at.stepId ?? '';
  sending.value = 'yes';
  keep.keepPending(token, id, answer);
  for (let attempt = 0; step.value === at; attempt++) {
    const reply = await send<{ step: Step }>('POST', `/i/${token}/answers`, { stepId: id, ...answer });
    if (step.value !== at) return;
    if (reply.kind !== 'again') {
      settle(at, reply, from);
      return;
    }
    sending.value = navigator.onLine ? 'trouble' : 'offline';
    await pause(backOff(attempt, reply.after));
  }
}

function settle(at: Step, reply: Exclude<Reply<{ step: Step }>, { kind: 'again' }>, from: Draft): void {
  switch (reply.kind) {
    case 'ok':
      turns.value = [...turns.value, { asked: at.moderator ?? '', said: said(at, from, page.words) }];
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
