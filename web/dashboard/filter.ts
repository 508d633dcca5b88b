// The filter of responses. It stands in the address, and the list and the neighbours of a response follow it.
import type { components } from '../shared/dashboard_api';

type Progress = components['schemas']['Progress'];

export interface Filter {
  progress?: Progress;
  /** Left out: the hidden ones are left out. */
  hidden?: 'true' | 'any';
  qualityFrom?: number;
  qualityTo?: number;
  tag?: string;
  /** A link parameter as name=value. */
  parameter?: string;
  q?: string;
}

export const progresses: readonly Progress[] = ['complete', 'in_progress', 'abandoned', 'screened_out'];
const order = ['progress', 'hidden', 'qualityFrom', 'qualityTo', 'tag', 'parameter', 'q'] as const;

/** Reads the filter in a query string. What it does not know, or what is out of range, is left out. */
export function parseFilter(search: string): Filter {
  const query = new URLSearchParams(search);
  const filter: Filter = {};
  const progress = progresses.find((name) => name === query.get('progress'));
  if (progress) filter.progress = progress;
  const hidden = query.get('hidden');
  if (hidden === 'true' || hidden === 'any') filter.hidden = hidden;
  for (const name of ['qualityFrom', 'qualityTo'] as const) {
    const value = Number(query.get(name) ?? '');
    if (value >= 1 && value <= 5) filter[name] = value;
  }
  for (const name of ['tag', 'parameter', 'q'] as const) {
    const value = query.get(name)?.trim();
    if (value) filter[name] = value;
  }
  if (filter.parameter && !/^[^=]+=/.test(filter.parameter)) delete filter.parameter;
  return filter;
}

/** Returns the filter as a query string without its question mark, always in the same order. */
export function filterQuery(filter: Filter, more: Record<string, string | number | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const name of order) {
    const value = filter[name];
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  for (const [name, value] of Object.entries(more)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.toString();
}

/** Appends a query string to a path. */
export const withQuery = (path: string, query: string): string => (query ? `${path}?${query}` : path);

/** Reports whether a filter leaves anything out besides hidden responses. */
export const isFiltered = (filter: Filter): boolean => order.some((name) => filter[name] !== undefined);

/** Returns the number that a page goes on below, from a query string; undefined on the first page. */
export function parseAfter(search: string): number | undefined {
  const after = Number(new URLSearchParams(search).get('after') ?? '');
  return Number.isInteger(after) && after >= 1 ? after : undefined;
}
