// Who is signed in, and the answers of the server that this page keeps.
import { QueryClient } from '@tanstack/query-core';
import { failureOf, type Schemas } from '../api';
import { ended } from './session_end';

export type Me = Schemas['Me'];

export const meKey = ['me'] as const;

export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      networkMode: 'always',
      retry: (failed, error) => failed < 2 && failureOf(error).temporary && failureOf(error).status !== 429,
    },
  },
});

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('verbatim.dashboard') : null;

/** Keeps the answers of the server fresh while the page is visible, and follows other tabs that sign in or out. */
export function begin(): void {
  cache.mount();
  if (channel) channel.onmessage = () => void cache.invalidateQueries({ queryKey: meKey });
}

/** Remembers who has signed in, and forgets what was shown to whoever was before. */
export function enter(me: Me): void {
  cache.clear();
  cache.setQueryData(meKey, me);
  ended.value = false;
  channel?.postMessage('in');
}

/** Forgets everything after signing out. */
export function leave(): void {
  cache.clear();
  ended.value = true;
  channel?.postMessage('out');
}

/** The page to open first: the studies of the first organization. */
export const home = (me: Me): string => (me.organizations[0] ? `/o/${me.organizations[0].id}/studies` : '/me');
