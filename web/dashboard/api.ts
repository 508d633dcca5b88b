// Requests to the server, and what went wrong with them.
import createClient from 'openapi-fetch';
import type { components, paths } from '../shared/dashboard_api';
import { confirmPerson, keepRequest, takeRequest } from './state/confirmation';
import { endSession } from './state/session_end';

export type Schemas = components['schemas'];

/** Sends requests that are typed by openapi/dashboard.yaml. */
export const api = createClient<paths>({ baseUrl: '' });

// What needs a recent sign-in asks for a proof in place, and goes on with what was being done.
api.use({
  onRequest({ request, id }) {
    if (request.method !== 'GET') keepRequest(id, request.clone());
  },
  async onResponse({ response, id }) {
    const again = takeRequest(id);
    if (!again || response.status !== 403) return undefined;
    const { code } = await response.clone().json().catch(() => ({})) as { code?: string };
    return code === 'confirmation_needed' && (await confirmPerson()) ? fetch(again) : undefined;
  },
  onError({ id }) {
    takeRequest(id);
  },
});

/** Something that the server refused, or that could not be asked. */
export class Failure extends Error {
  constructor(
    message: string,
    /** The code of the contract, or "offline". */
    readonly code: string,
    readonly status: number,
    readonly requestId = '',
    /** Seconds to wait, if the server asks for it. */
    readonly retryAfter = 0,
  ) {
    super(message);
  }

  /** Reports whether the same request may succeed later. */
  get temporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

interface Reply<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Returns the body of an answer, or throws a Failure. An ended session is told to the page as well. */
export async function ask<T>(reply: Promise<Reply<T>>): Promise<T> {
  let settled: Reply<T>;
  try {
    settled = await reply;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Failure('', 'offline', 0);
  }
  const { data, error, response } = settled;
  if (response.ok) return data as T;
  const { code = '', error: message = '' } = (typeof error === 'object' && error !== null ? error : {}) as Partial<Schemas['Error']>;
  if (code === 'sign_in_needed') endSession();
  throw new Failure(message, code || `http_${response.status}`, response.status, response.headers.get('X-Request-Id') ?? '', Number(response.headers.get('Retry-After') ?? 0));
}

/** Returns a Failure for whatever was thrown. */
export const failureOf = (error: unknown): Failure => (error instanceof Failure ? error : new Failure(String(error), 'page', 0));
