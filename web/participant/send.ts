import type { Issue, Step } from '../shared/protocol';

/** How a request ended. 'again' is what may go well later: no network, a busy or failing server, too many requests. */
export type Reply<T> =
  | { kind: 'ok'; body: T }
  | { kind: 'stale'; step: Step }
  | { kind: 'wrong'; issues: Issue[] }
  | { kind: 'refused'; code: string }
  | { kind: 'again'; after: number; crowded?: boolean };

const longest = 75_000; // ms; a moderator may take a minute for its words

const longestText = 20_000; // characters that a text may have; a body that is too large has one with many more

/** Makes texts that the server takes: it refuses half a surrogate pair and U+0000, and whoever pasted them could not find them. */
const clean = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD') : value;

/** Sends JSON, with more headers, and reads the JSON that comes back. It never throws. */
export async function send<T>(method: 'GET' | 'POST', address: string, body?: unknown, more: Record<string, string> = {}): Promise<Reply<T>> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), longest);
  try {
    const reply = await fetch(address, {
      method,
      cache: 'no-store',
      signal: limit.signal,
      headers: { ...more, Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body, clean) }),
    });
    const text = await reply.text();
    const parsed = (text ? JSON.parse(text) : null) as unknown;
    if (reply.ok) return { kind: 'ok', body: parsed as T };
    const error = parsed as { code?: string; step?: Step; issues?: Issue[] } | null;
    if (reply.status >= 500 || reply.status === 429) return { kind: 'again', after: Number(reply.headers.get('Retry-After')) * 1000 || 0, crowded: reply.status === 429 };
    if (error?.code === 'stale_step' && error.step) return { kind: 'stale', step: error.step };
    if (reply.status === 413) return { kind: 'wrong', issues: [{ path: ['text'], code: 'too_big', expected: String(longestText) }] };
    if (reply.status === 400) return { kind: 'wrong', issues: error?.issues ?? [] };
    return { kind: 'refused', code: error?.code ?? '' };
  } catch {
    return { kind: 'again', after: 0 }; // no network, no answer in time, or a page of something in between
  } finally {
    clearTimeout(timer);
  }
}

export { backOff } from '../shared/patience';
