// The state of the page, and every function that changes it. Components read the signals and call the functions.
import { signal } from '@preact/signals';
import type { Draft, FieldError, Recording } from '../shared/draft';
import { answerLanguages, answerLines, answerOf, validate } from '../shared/draft';
import type { Seen } from '../shared/media';
import type { Answer, Standing, Started, Step } from '../shared/protocol';
import { ended, widgetOf } from '../shared/protocol';
import { backoffDelay } from '../shared/retry';
import { noticeOf } from '../shared/rules';
import type { Bootstrap } from './bootstrap';
import * as storage from './browser_storage';
import { fieldErrorsOf } from './field_errors';
import * as recordings from './recordings';
import type { Reply, Send } from './send';
import { send } from './send';
import { AnswerTelemetry } from './telemetry';

export const view = signal<'front' | 'step' | 'end' | 'notice'>('front');
export const step = signal<Step | null>(null);
export const draft = signal<Draft>({});
export const turns = signal<storage.Turn[]>([]);
export const seen = signal<Record<string, Seen>>({});
export const fieldErrors = signal<FieldError[]>([]);
/** Whether an answer is being sent. 'offline' and 'trouble' keep trying. */
export const sending = signal<'no' | 'yes' | 'offline' | 'trouble'>('no');
/** The key of the remark above the question; empty when there is none. */
export const remark = signal('');
/** The follow-up that the moderator is writing while the answer is being sent, shown below that answer's turn. */
export const streamedFollowUp = signal<{ turn: storage.Turn; text: string } | null>(null);
/** The prefix of the keys of a notice page's words. */
export const notice = signal('');
/** The token of an interview that was started from this link before and can be continued; empty when there is none. */
export const earlierInterview = signal('');
/** How the participant last chose to answer; empty before the first choice. */
export const inputMode = signal<'' | 'voice' | 'text'>('');

let page: Bootstrap;
let request: Send = send; // replaced in a preview
let isPreview = false;
let token = '';
let channel: BroadcastChannel | undefined;
let wake: (() => void) | undefined;
let startKey = ''; // for browsers that store nothing
const telemetry = new AnswerTelemetry();

/** Starts the app with the page's bootstrap data, and with what was entered in the page's form before the app loaded. */
export function open(bootstrap: Bootstrap, entered: Draft): void {
  page = bootstrap;
  storage.deleteExpired();
  telemetry.watch();
  addEventListener('online', () => wake?.());
  addEventListener('pageshow', (e) => { if (e.persisted) void refresh(); });
  document.addEventListener('visibilitychange', () => { // the interview may have continued on another device
    if (document.visibilityState === 'visible' && sending.value === 'no' && view.value === 'step') void refresh('otherTab');
  });
  if (bootstrap.step) {
    enterInterview(bootstrap.token, bootstrap.step);
    const fresh = Object.entries(entered).filter(([name]) => !draft.value[name as keyof Draft]);
    if (fresh.length > 0) change(Object.fromEntries(fresh));
    const unsent = bootstrap.step.stepId && storage.pending(token, bootstrap.step.stepId);
    if (unsent) void deliver(bootstrap.step, unsent.answer, draft.value);
    return;
  }
  view.value = 'front';
  const before = storage.startedInterview(bootstrap.linkId, bootstrap.query);
  if (before) void offerToContinue(before);
}

/** Shows an interview that is not stored: transport answers the requests in place of the server. It may be called again. */
export function openPreview(bootstrap: Bootstrap, itsToken: string, transport: Send): void {
  [page, request, isPreview] = [bootstrap, transport, true];
  storage.deleteInterview(token);
  storage.deleteInterview(itsToken); // of an earlier visit
  remark.value = '';
  streamedFollowUp.value = null;
  if (bootstrap.step) {
    enterInterview(itsToken, bootstrap.step);
    return;
  }
  token = itsToken;
  step.value = null;
  sending.value = 'no';
  view.value = 'front';
}

/** Offers to continue an interview if it has not ended. */
async function offerToContinue(before: string): Promise<void> {
  const reply = await request<Standing>('GET', `/i/${before}`);
  if (reply.kind === 'ok' && !ended(reply.body.step)) earlierInterview.value = before;
  else if (reply.kind !== 'retry') storage.deleteInterview(before);
}

function enterInterview(itsToken: string, at: Step): void {
  token = itsToken;
  recordings.resume(token);
  turns.value = storage.turns(token);
  seen.value = storage.seen(token);
  if ('BroadcastChannel' in window) {
    channel?.close();
    channel = new BroadcastChannel(`verbatim.${token}`);
    channel.onmessage = () => void refresh('otherTab');
  }
  show(at);
}

function show(next: Step): void {
  telemetry.reset();
  fieldErrors.value = [];
  sending.value = 'no';
  step.value = next;
  if (ended(next)) {
    view.value = 'end';
    storage.deleteInterview(token);
    recordings.finish(token);
    return;
  }
  draft.value = storage.draft(token, next.stepId ?? '');
  view.value = 'step';
}

/** Leaves the interview for a notice page, and deletes what the browser has stored of it. */
function showNotice(name: string): void {
  notice.value = name;
  view.value = 'notice';
  sending.value = 'no';
  storage.deleteInterview(token);
  recordings.deleteAll(token);
}

/**
 * Consents and starts an interview. It keeps trying while the server cannot be reached, and reports that to onTrouble; the Idempotency-Key
 * makes it one interview, however often the request is sent. Returns the key of the error message, or "" when it succeeded or a notice is
 * shown.
 */
export async function start(onTrouble: (key: string) => void): Promise<string> {
  const { linkId, query, language } = page;
  const address = `/s/${linkId}/interviews${query ? `?${query}` : ''}`;
  for (let attempt = 0; ; attempt++) {
    const headers = { 'Idempotency-Key': currentStartKey() };
    const reply = await request<Started>('POST', address, { language }, headers);
    if (reply.kind === 'ok') {
      if (!isPreview) {
        history.replaceState(null, '', `/i/${reply.body.token}`);
        storage.saveStartedInterview(linkId, query, reply.body.token);
      }
      deleteStartKey();
      enterInterview(reply.body.token, reply.body.step);
      return '';
    }
    if (reply.kind === 'retry' && !reply.rateLimited) {
      onTrouble('startTrouble');
      await pause(backoffDelay(attempt, reply.after));
      continue;
    }
    if (reply.kind === 'retry') return 'crowdedText';
    deleteStartKey();
    const name = reply.kind === 'refused' ? noticeOf(reply.code) : undefined;
    if (reply.kind !== 'refused' || !name) return 'startFailed';
    if (reply.code === 'interview_gone') continue; // the interview under this key was deleted since; the next key starts another
    showNotice(name);
    return '';
  }
}

/**
 * Returns the Idempotency-Key for starting an interview. It stays the same until the start is known to have succeeded, so that one interview
 * is started however often the request is sent.
 */
function currentStartKey(): string {
  const { linkId, query, language } = page;
  const stored = storage.startKey(linkId, query, language);
  if (stored) return stored;
  if (!startKey) {
    startKey = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    storage.saveStartKey(linkId, query, language, startKey);
  }
  return startKey;
}

function deleteStartKey(): void {
  startKey = '';
  storage.deleteStartKey(page.linkId, page.query, page.language);
}

/** Returns the address of this interview. */
export const address = (): string => `${location.origin}/i/${token}`;

/** Returns the token of this interview. */
export const interviewToken = (): string => token;

/** Returns the path where this interview's uploads are created. */
export const uploadsPath = (): string => `/i/${token}/uploads`;

export function change(part: Draft): void {
  const at = step.value;
  if (!at?.stepId) return;
  draft.value = { ...draft.value, ...part };
  storage.saveDraft(token, at.stepId, draft.value);
  if (fieldErrors.value.length > 0 && validate(at, draft.value).length === 0) fieldErrors.value = [];
}

export function markSeen(url: string, how: Seen): void {
  seen.value = { ...seen.value, [url]: how };
  storage.saveSeen(token, seen.value);
}

/** Validates the draft and sends it as the answer. A second call while the first is under way does nothing. */
export async function submit(): Promise<void> {
  const at = step.value;
  if (!at?.stepId || sending.value !== 'no') return;
  remark.value = '';
  fieldErrors.value = validate(at, draft.value);
  if (fieldErrors.value.length > 0) return;
  const answer = { ...answerOf(at, draft.value), ...(widgetOf(at) === 'open_ended' ? telemetry.read() : {}) };
  if (draft.value.takes?.length && !(await attachRecordings(at, answer, draft.value.takes))) return;
  await deliver(at, answer, draft.value);
}

/** Adds the ids of the recordings' uploads to an answer, once the server knows them. Returns false when there is no answer to send any more. */
async function attachRecordings(at: Step, answer: Answer, made: Recording[]): Promise<boolean> {
  sending.value = 'yes';
  const timer = setTimeout(() => { sending.value = navigator.onLine ? 'trouble' : 'offline'; }, 5000);
  const ids = await recordings.uploadIds(token, made).catch(() => undefined);
  clearTimeout(timer);
  if (step.value !== at) return false;
  if (ids && Object.keys(ids).length > 0) answer.recordings = ids;
  else if (!answer.text?.trim()) {
    sending.value = 'no';
    fieldErrors.value = fieldErrorsOf([{ path: ['recordings'], code: 'custom' }]);
    return false;
  }
  return true;
}

/** Sends an answer until it has arrived, the server refuses it, or the interview has continued on another page. */
async function deliver(at: Step, answer: Answer, from: Draft): Promise<void> {
  const id = at.stepId ?? '';
  sending.value = 'yes';
  storage.savePending(token, id, answer);
  for (let attempt = 0; step.value === at; attempt++) {
    const unsubscribe = followEvents(at, from);
    const reply = await request<Standing>('POST', `/i/${token}/answers`, { stepId: id, ...answer });
    unsubscribe();
    if (step.value !== at) return;
    if (reply.kind !== 'retry') {
      applyReply(at, reply, from);
      return;
    }
    sending.value = navigator.onLine ? 'trouble' : 'offline';
    await pause(backoffDelay(attempt, reply.after));
  }
}

const eventsDelay = 400; // ms; most answers are accepted sooner, and need no event stream

/** Follows the interview's events while an answer is being sent, until the returned function is called. */
function followEvents(at: Step, from: Draft): () => void {
  let over = false;
  let close = (): void => undefined;
  const stop = (): void => {
    over = true;
    clearTimeout(timer);
    close();
    streamedFollowUp.value = null;
  };
  const begin = ({ subscribe }: typeof import('./events')): void => {
    if (over) return;
    close = subscribe(`/i/${token}/events`, {
      words(stepId, text) {
        if (stepId === at.stepId) streamedFollowUp.value = { turn: turnOf(at, from), text };
      },
      step(next) {
        if (next.stepId === at.stepId || step.value !== at) return;
        stop();
        applyReply(at, { kind: 'ok', body: { step: next } }, from);
      },
    });
  };
  const timer = setTimeout(() => {
    if ('EventSource' in window) import('./events').then(begin, () => undefined);
  }, eventsDelay);
  return stop;
}

const turnOf = (at: Step, from: Draft): storage.Turn => ({
  asked: at.moderator ?? '',
  said: answerLines(at, from, page.words),
  tags: { asked: at.kind === 'follow_up' ? page.tags.moderator : page.tags.content, said: answerLanguages(at, from, page.tags) },
});

function applyReply(at: Step, reply: Exclude<Reply<Standing>, { kind: 'retry' }>, from: Draft): void {
  switch (reply.kind) {
    case 'ok':
      turns.value = [...turns.value, turnOf(at, from)];
      storage.saveTurns(token, turns.value);
      show(reply.body.step);
      channel?.postMessage('moved');
      return;
    case 'stale':
      show(reply.step);
      remark.value = 'otherTab';
      return;
    case 'invalid':
      sending.value = 'no';
      storage.savePending(token, at.stepId ?? '', null);
      fieldErrors.value = fieldErrorsOf(reply.issues);
      return;
    case 'refused':
      if (reply.code === 'not_taking_participants') { // it may take them again later: the answer stays in the fields
        sending.value = 'no';
        storage.savePending(token, at.stepId ?? '', null);
        remark.value = 'fullKept';
        return;
      }
      showNotice(noticeOf(reply.code) ?? 'failed');
  }
}

/** Waits for the given time, or until the network is back or tryNow is called, whichever comes first. */
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

/** Fetches the current step and shows it if it is another one, with a remark. */
async function refresh(withRemark = ''): Promise<void> {
  if (!token) return;
  const reply = await request<Standing>('GET', `/i/${token}`);
  if (reply.kind === 'refused') showNotice(noticeOf(reply.code) ?? 'failed');
  if (reply.kind !== 'ok' || reply.body.step.stepId === step.value?.stepId) return;
  show(reply.body.step);
  remark.value = withRemark;
}

/** Withdraws from the interview, which erases it. Returns false when the server could not be reached. */
export async function withdraw(): Promise<boolean> {
  const reply = await request<null>('POST', `/i/${token}/withdraw`, {});
  if (reply.kind === 'retry' || reply.kind === 'invalid') return false;
  showNotice(reply.kind === 'ok' ? 'withdrawn' : 'gone');
  channel?.postMessage('moved');
  return true;
}
