import type { ErrorBody, ErrorCode, Issue, Step } from '../shared/protocol';
import { limits } from '../shared/rules';

/** The outcome of a request. 'retry' may succeed later: no network, a busy or failing server, too many requests. after is in ms. */
export type Reply<T> =
  | { kind: 'ok'; body: T }
  | { kind: 'stale'; step: Step }
  | { kind: 'invalid'; issues: Issue[] }
  | { kind: 'refused'; code: ErrorCode | '' }
  | { kind: 'retry'; after: number; rateLimited?: boolean };

const timeout = 75_000; // ms; a moderator may take a minute to write a follow-up

/**
 * Replaces lone surrogates and removes U+0000 in texts. The server refuses both, and a participant who pasted them could not see what is
 * wrong.
 */
const sanitize = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD') : value;

/** Sends requests of the app; previews have their own. */
export type Send = <T>(method: 'GET' | 'POST', address: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply<T>>;

/** Sends JSON, with further headers, and returns the outcome with the decoded JSON. It never throws. */
export async function send<T>(method: 'GET' | 'POST', address: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<T>> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeout);
  try {
    const reply = await fetch(address, {
      method,
      cache: 'no-store',
      signal: abort.signal,
      headers: { ...headers, Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body, sanitize) }),
    });
    const text = await reply.text();
    const parsed = (text ? JSON.parse(text) : null) as unknown;
    if (reply.ok) return { kind: 'ok', body: parsed as T };
    const error = parsed as Partial<ErrorBody> | null;
    if (reply.status >= 500 || reply.status === 429) {
      return { kind: 'retry', after: Number(reply.headers.get('Retry-After')) * 1000 || 0, rateLimited: reply.status === 429 };
    }
    if (error?.code === 'stale_step' && error.step) return { kind: 'stale', step: error.step };
    // A body that is too large holds a text that is too long.
    if (reply.status === 413) return { kind: 'invalid', issues: [{ path: ['text'], code: 'too_big', expected: String(limits.textCharacters) }] };
    if (reply.status === 400) return { kind: 'invalid', issues: error?.issues ?? [] };
    return { kind: 'refused', code: error?.code ?? '' };
  } catch {
    return { kind: 'retry', after: 0 }; // no network, a timeout, or a page of a proxy instead of JSON
  } finally {
    clearTimeout(timer);
  }
}
