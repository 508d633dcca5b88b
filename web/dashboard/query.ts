// Reads from the server with a cache: the hooks of @tanstack/query-core for Preact.
import { type QueryKey, QueryObserver, type QueryObserverResult } from '@tanstack/query-core';
import { useEffect, useReducer, useState } from 'preact/hooks';
import { ask, failureOf, api, type Failure } from './api';
import { cache, meKey } from './state/session';

export interface Query<T> {
  key: QueryKey;
  load: (signal: AbortSignal) => Promise<T>;
  /** Asks again after so many milliseconds while the page is visible. */
  every?: number;
  enabled?: boolean;
  /** Shows the answer of the key before until the new one is there. */
  keepBefore?: boolean;
}

export interface Result<T> {
  data: T | undefined;
  failure: Failure | null;
  /** Whether data is of another key, until the answer is there. */
  isBefore: boolean;
  retry: () => Promise<{ data: T | undefined }>;
}

export function useQuery<T>({ key, load, every, enabled = true, keepBefore = false }: Query<T>): Result<T> {
  const options = cache.defaultQueryOptions<T, Error, T, T, QueryKey>({
    queryKey: key,
    queryFn: ({ signal }: { signal: AbortSignal }) => load(signal),
    enabled,
    refetchInterval: every ?? false,
    ...(keepBefore && { placeholderData: (before: T | undefined) => before }),
    _optimisticResults: 'optimistic',
  } as never);
  const [observer] = useState(() => new QueryObserver<T, Error, T, T, QueryKey>(cache, options as never));
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const result: QueryObserverResult<T> = observer.getOptimisticResult(options as never);
  useEffect(() => observer.subscribe(() => redraw(undefined as never)), [observer]);
  useEffect(() => observer.setOptions(options as never));
  return {
    data: result.data,
    failure: result.error ? failureOf(result.error) : null,
    isBefore: result.isPlaceholderData,
    retry: () => observer.refetch(),
  };
}

/** Who is signed in. */
export const useMe = (enabled = true) => useQuery({ key: meKey, load: (signal) => ask(api.GET('/api/dashboard/session', { signal })), enabled });

/** The study of a link id or UUID. */
export const useStudy = (link: string, enabled = true) => useQuery({
  key: ['study', link],
  load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}', { params: { path: { studyRef: link } }, signal })),
  enabled,
});
