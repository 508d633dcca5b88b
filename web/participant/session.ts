// The state of the page, and every function that changes it. Components read the signals and call the functions.
import { signal } from '@preact/signals';
import type { Draft, FieldError, Recording } from '../shared/draft';
import { answerOf, totalSeconds, validate } from '../shared/draft';
import type { Seen } from '../shared/media';
import type { AnsweredStep, Answer, Consent, Standing, Started, Step, Taken } from '../shared/protocol';
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
import { answeredTurn, isSaid, turnOf, withAnswered, writtenIn } from './turns';

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
/**
 * The open answer that is being sent, and the follow-up as far as the moderator has written it, which is shown below. Null when no such answer
 * is on the way, or the way is broken.
 */
export const streamedFollowUp = signal<{ turn: storage.Turn; text: string } | null>(null);
/** The prefix of the keys of a notice page's words. */
export const notice = signal('');
/** The address of the panel that a participant who withdrew goes back to; empty when there is none. */
export const goodbye = signal('');
/** The token of an interview that was started from this link before and can be continued; empty when there is none. */
export const earlierInterview = signal('');
/** What was written for a step that another page or device answered, until it is used or discarded. */
export const kept = signal<storage.Kept | null>(null);
/** The consent that has to be given again before the interview goes on. */
export const consentDue = signal<Consent | null>(null);
/** The parts of the page that only studies with a consent of their own need; null until loadConsent has loaded them. */
export const consentPart = signal<typeof import('./consent') | null>(null);
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
  consentDue.value = bootstrap.consent;
  if (bootstrap.step) {
    enterInterview(bootstrap.token, bootstrap.step, bootstrap.answered);
    if (bootstrap.unsent) keep(bootstrap.step, { text: bootstrap.unsent }, bootstrap.answered);
    if (!bootstrap.accepting) remark.value = 'fullNow';
    const fresh = Object.entries(entered).filter(([name]) => !draft.value[name as keyof Draft]);
    if (fresh.length > 0) change(Object.fromEntries(fresh));
    const unsent = bootstrap.step.stepId && storage.pending(token, bootstrap.step.stepId);
    if (unsent) void deliver(bootstrap.step, unsent.answer, draft.value);
    return;
  }
  view.value = 'front';
  void offerToContinue(storage.startedInterviews(bootstrap.linkId, bootstrap.query));
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

/** Offers to continue the first of several interviews that has not ended. */
async function offerToContinue(before: string[]): Promise<void> {
  for (const one of before) {
    const reply = await request<Standing>('GET', `/i/${one}`);
    if (reply.kind === 'ok' && !ended(reply.body.step)) {
      earlierInterview.value = one;
      return;
    }
    if (reply.kind === 'ok' || (reply.kind === 'refused' && reply.code === 'interview_gone')) storage.deleteInterview(one);
  }
}

function enterInterview(itsToken: string, at: Step, answered: AnsweredStep | null = null): void {
  token = itsToken;
  recordings.resume(token);
  turns.value = storage.turns(token);
  seen.value = storage.seen(token);
  kept.value = storage.kept(token) ?? null;
  const left = storage.leftDraft(token, at.stepId ?? '');
  if (left) keep(at, left, answered);
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
  streamedFollowUp.value = null;
  turns.value = withAnswered(turns.value, next.conversation ?? [], page); // servers of an older version have none
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

/** Leaves the interview for a notice page. What the browser has stored of it is deleted when its answers are. */
function showNotice(name: string): void {
  notice.value = name;
  view.value = 'notice';
  sending.value = 'no';
  if (name !== 'gone' && name !== 'withdrawn') return;
  storage.deleteInterview(token);
  recordings.deleteAll(token);
  kept.value = null;
}

/** Shows the current step in place of one that was answered elsewhere, and keeps what was said for that one here. sent: as an answer. */
function moveOn(at: Step, { step: next, answered }: { step: Step; answered: AnsweredStep | null }, sent = false): void {
  const stands = answered?.stepId === at.stepId ? answered : null;
  const accepted = storage.turns(token).some((turn) => turn.stepId === at.stepId);
  if (!accepted) keep(next, draft.value, stands, sent);
  if (stands) turns.value = withAnswered(turns.value, [stands], page);
  show(next);
  remark.value = 'otherTab';
}

/** Keeps what a draft holds in the participant's own words, unless that is the answer that stands, and what was refused as an answer. at is shown next. */
function keep(at: Step, from: Draft, answered: AnsweredStep | null, refused = false): void {
  const text = writtenIn(from);
  const seconds = text ? 0 : totalSeconds(from.takes ?? []);
  if (!text && !seconds && !(refused && answered?.said.length)) return;
  if (text && isSaid(text, answered ? [...turns.value, answeredTurn(answered, page)] : turns.value)) return;
  const before = kept.value?.text;
  setKept({ text: before && before !== text ? `${before}\n\n${text}`.trim() : text, seconds, answered, at: at.stepId });
}

function setKept(text: storage.Kept | null): void {
  kept.value = text;
  if (view.value !== 'end') storage.saveKept(token, text);
}

/** Adds the kept text to the current answer. */
export function useKept(): void {
  const text = kept.value?.text ?? '';
  change({ way: 'text', text: draft.value.text ? `${draft.value.text}\n${text}` : text });
  dropKept();
}

export const dropKept = (): void => setKept(null);

/**
 * Consents and starts an interview. It keeps trying while the server cannot be reached, and reports that to onTrouble; the Idempotency-Key
 * makes it one interview, however often the request is sent. Returns the key of the error message, or "" when it succeeded or a notice is
 * shown.
 */
export async function start(onTrouble: (key: string) => void, declared: { consent?: string; oldEnough?: boolean } = {}): Promise<string> {
  const { linkId, query, language } = page;
  const address = `/s/${linkId}/interviews${query ? `?${query}` : ''}`;
  for (let attempt = 0; ; attempt++) {
    const headers = { 'Idempotency-Key': currentStartKey() };
    const reply = await request<Started>('POST', address, { language, ...declared }, headers);
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
    if (reply.kind !== 'refused' || (!name && reply.code !== 'consent_changed')) return 'startFailed';
    if (reply.code === 'consent_changed') {
      location.reload(); // to read the text of today
      return '';
    }
    if (reply.code === 'interview_gone') continue; // the interview under this key was deleted since; the next key starts another
    showNotice(name ?? 'failed');
    return '';
  }
}

/** Loads what shows a consent. The page needs it before it shows one. */
export async function loadConsent(): Promise<void> {
  consentPart.value ??= await import('./consent');
}

/** Ends the visit of somebody who may not begin. Nothing was sent. */
export const refuse = (name: string): void => showNotice(name);

/** Agrees to the consent that is due, and goes on. Returns false when that could not be stored. */
export async function agree(version: string): Promise<boolean> {
  const reply = await request<Standing>('POST', `/i/${token}/consent`, { consent: version });
  if (reply.kind === 'ok') {
    consentDue.value = reply.body.consent ?? null;
    return true;
  }
  if (reply.kind === 'refused' && reply.code === 'consent_changed') await refresh();
  else if (reply.kind === 'refused') showNotice(noticeOf(reply.code) ?? 'failed');
  return false;
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
  if (widgetOf(at) === 'open_ended') streamedFollowUp.value = { turn: turnOf(at, from, page), text: '' };
  for (let attempt = 0; step.value === at; attempt++) {
    const abort = new AbortController();
    let moved = false; // the interview has moved on, so the reply is due
    const unsubscribe = followEvents(at, from, () => {
      moved = true;
      setTimeout(() => abort.abort(), replyDelay);
    });
    const reply = await request<Taken>('POST', `/i/${token}/answers`, { stepId: id, ...answer }, {}, abort);
    unsubscribe();
    if (step.value !== at) return;
    if (reply.kind !== 'retry') {
      streamedFollowUp.value = null;
      applyReply(at, reply, from);
      return;
    }
    if (moved && attempt === 0) continue; // ask again whose answer stands
    streamedFollowUp.value = null;
    sending.value = navigator.onLine ? 'trouble' : 'offline';
    await pause(backoffDelay(attempt, reply.after));
  }
}

const replyDelay = 1000; // ms that the reply to an answer may come later than the event of its step

const eventsDelay = 400; // ms; most answers are accepted sooner, and need no event stream

/**
 * Follows the interview's events while an answer is being sent, until the returned function is called. moved is called when there is
 * another step; only the reply to the answer says whose answer led to it.
 */
function followEvents(at: Step, from: Draft, moved: () => void): () => void {
  let over = false;
  let close = (): void => undefined;
  const stop = (): void => {
    over = true;
    clearTimeout(timer);
    close();
  };
  const begin = ({ subscribe }: typeof import('./events')): void => {
    if (over) return;
    close = subscribe(`/i/${token}/events`, {
      words(stepId, text) {
        if (stepId === at.stepId) streamedFollowUp.value = { turn: turnOf(at, from, page), text };
      },
      step(next) {
        if (next.stepId === at.stepId || step.value !== at) return;
        stop();
        moved();
      },
    });
  };
  const timer = setTimeout(() => {
    if ('EventSource' in window) import('./events').then(begin, () => undefined);
  }, eventsDelay);
  return stop;
}

function applyReply(at: Step, reply: Exclude<Reply<Taken>, { kind: 'retry' }>, from: Draft): void {
  switch (reply.kind) {
    case 'ok':
      if (reply.body.accepted === false) { // missing where the server has an older version
        moveOn(at, reply.body, true);
        return;
      }
      turns.value = [...turns.value, turnOf(at, from, page)];
      storage.saveTurns(token, turns.value);
      storage.deleteDraft(token, at.stepId ?? '');
      if (kept.value?.text === '') dropKept();
      show(reply.body.step);
      channel?.postMessage('moved');
      return;
    case 'stale':
      moveOn(at, reply, true);
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
  if (reply.kind !== 'ok' || !step.value) return;
  if (reply.body.consent) await loadConsent();
  consentDue.value = reply.body.consent ?? null;
  if (reply.body.step.stepId !== step.value.stepId) {
    moveOn(step.value, reply.body);
    remark.value = withRemark;
  }
  const full = remark.value === 'fullNow' || remark.value === 'fullKept';
  if (reply.body.accepting === false) remark.value ||= 'fullNow';
  else if (full) remark.value = '';
}

/** Withdraws from the interview, which erases it. Returns false when the server could not be reached. */
export async function withdraw(): Promise<boolean> {
  const reply = await request<{ url: string } | null>('POST', `/i/${token}/withdraw`, {});
  if (reply.kind === 'retry' || reply.kind === 'invalid') return false;
  if (reply.kind === 'ok') goodbye.value = reply.body?.url ?? '';
  showNotice(reply.kind === 'ok' ? 'withdrawn' : 'gone');
  channel?.postMessage('moved');
  return true;
}
