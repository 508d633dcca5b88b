import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Failure } from '../api';
import type { Result } from '../query';
import { type Key, known, t } from '../words';
import { Heading } from './heading';
import { Icon } from './icon';

interface Props<T> {
  of: Result<T>;
  /** What is loaded, for the error message: "The list of studies". */
  what: string;
  rows?: number;
  /** Whether it is the whole page, which then needs a heading when it cannot be loaded. */
  page?: boolean;
  children: (data: T) => ComponentChildren;
}

/** What a query found; grey lines while it is asked, and what failed if it cannot be. */
export function Loaded<T>({ of, what, rows = 8, page = false, children }: Props<T>) {
  if (of.data === undefined) {
    if (!of.failure) return <Skeleton rows={rows} />;
    return (
      <>
        {page && <Heading title={t(of.failure.status === 404 ? 'notFoundTitle' : 'pageFailed')} />}
        <FailureBox failure={of.failure} what={what} retry={of.retry} />
      </>
    );
  }
  return (
    <>
      {of.failure && <FailureBox failure={of.failure} what={what} retry={of.retry} safe="safeShown" />}
      {children(of.data)}
    </>
  );
}

/** Grey lines. They appear after 200 ms, so that quick answers do not flicker. */
export function Skeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">{t('loading')}</span>
      {Array.from({ length: rows }, (_, i) => <div key={i} aria-hidden="true" />)}
    </div>
  );
}

interface FailureProps {
  failure: Failure;
  /** What could not be done or loaded. */
  what: string;
  retry?: () => Promise<unknown>;
  /** What is safe in spite of it. */
  safe?: Key;
}

/** Says what failed, why, what is safe, and the id by which an operator finds it in the log. */
export function FailureBox({ failure, what, retry, safe = 'safeNothing' }: FailureProps) {
  const [busy, setBusy] = useState(false);
  const again = async () => {
    setBusy(true);
    try {
      await retry?.();
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="failure" role="alert">
      <Icon name="warning" />
      <div>
        <p><strong>{t('couldNot', { what })}</strong> {reason(failure)}</p>
        {failure.temporary && <p class="soft">{t(safe)}</p>}
        <p class="row">
          {retry && failure.status !== 404 && failure.status !== 403 && <button type="button" onClick={() => void again()} disabled={busy}>{t('retry')}</button>}
          {failure.requestId && <span class="soft small">{t('requestId')} <code>{failure.requestId}</code></span>}
        </p>
      </div>
    </div>
  );
}

/** Returns why a request failed, in our words where we have some, otherwise in the server's. */
export function reason(failure: Failure): string {
  if (failure.status === 429) return t('error_rate_limited', { n: Math.max(1, failure.retryAfter) });
  return known(`error_${failure.code}`) ?? (failure.message || t('error_unknown'));
}
