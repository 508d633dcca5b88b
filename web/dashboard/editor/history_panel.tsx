import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { ago, dateTime } from '../format';
import { useAction } from '../parts/form';
import { Loaded, reason } from '../parts/loaded';
import { useQuery } from '../query';
import { useEditing } from './editing';
import { counte, knownHere, te } from './words';

type Version = Schemas['Version'];

/** Earlier versions with what differs in them. Restoring one is another edit. */
export function HistoryPanel() {
  const editing = useEditing();
  const { link, copy } = editing;
  const current = copy.version.value;
  const [before, setBefore] = useState<number | undefined>(undefined);
  const [shown, setShown] = useState<number | null>(null);
  const list = useQuery({
    key: ['versions', link, before ?? 0, current],
    load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/draft/versions', { params: { path: { studyRef: link }, query: before ? { before } : {} }, signal })),
    keepBefore: true,
  });
  return (
    <Loaded of={list} what={te('whatHistory')} rows={5}>
      {({ versions, next }) => (
        <>
          <ol class="versions">
            {versions.map((version) => (
              <li key={version.version}>
                <button type="button" class="quiet" aria-expanded={shown === version.version} onClick={() => setShown(shown === version.version ? null : version.version)}>
                  <span><b>{version.userName || te('aProgram')}</b> <time dateTime={version.at} title={dateTime(version.at)}>{ago(version.at, Date.now())}</time></span>
                  <span class="soft small">{summary(version)}</span>
                  {version.labels.length > 0 && <span class="soft small words" dir="auto">{version.labels.join(' · ')}</span>}
                </button>
                {version.published && <span class="badge good">{te('published')}</span>}
                {!version.valid && <span class="badge warn">{te('incomplete')}</span>}
                {shown === version.version && <Differences version={version} isCurrent={version.version === current} onRestored={() => setShown(null)} />}
              </li>
            ))}
          </ol>
          <p class="row">
            {before !== undefined && <button type="button" onClick={() => setBefore(undefined)}>{te('newest')}</button>}
            {next !== null && <button type="button" onClick={() => setBefore(next)}>{te('older')}</button>}
          </p>
        </>
      )}
    </Loaded>
  );
}

function summary({ origin, restoredVersion, counts }: Version): string {
  if (origin === 'created') return te('origin_created');
  if (origin === 'restore') return te('origin_restore', { n: restoredVersion ?? '' });
  const parts = (['added', 'removed', 'moved', 'changed'] as const).filter((name) => counts[name] > 0).map((name) => te(`counted_${name}`, { n: counts[name] }));
  return parts.join(', ') || te('nothingChanged');
}

function Differences({ version, isCurrent, onRestored }: { version: Version; isCurrent: boolean; onRestored: () => void }) {
  const editing = useEditing();
  const { link, copy } = editing;
  const changes = useQuery({
    key: ['changes', link, version.version, copy.version.value],
    load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/draft/changes', { params: { path: { studyRef: link }, query: { from: String(version.version) } }, signal })),
    enabled: !isCurrent,
  });
  const { busy, failure, run } = useAction();
  const restore = () => run(async () => {
    await copy.flush();
    copy.restore(await ask(api.POST('/api/dashboard/studies/{studyRef}/draft/versions/{version}/restore', {
      params: { path: { studyRef: link, version: String(version.version) }, header: { 'If-Match': `"${copy.version.value}"` } },
    })));
    onRestored();
  });
  if (isCurrent) return <p class="soft">{te('isCurrent')}</p>;
  return (
    <div class="differences">
      <h3>{te('sinceThen')}</h3>
      <Loaded of={changes} what={te('whatChanges')} rows={3}>
        {({ changes: all, more }) => <><ChangeList changes={all} />{more > 0 && <p class="soft">{counte('moreChanges', more)}</p>}</>}
      </Loaded>
      {failure && <p class="wrong" role="alert">{reason(failure)}</p>}
      {editing.mayChange && <button type="button" disabled={busy} onClick={() => void restore()}>{te('restore')}</button>}
    </div>
  );
}

/** Differences of two versions as people read them, with what they mean for answers that exist. */
export function ChangeList({ changes }: { changes: readonly Schemas['Change'][] }) {
  if (changes.length === 0) return <p class="soft">{te('nothingChanged')}</p>;
  return (
    <ul class="changes">
      {changes.map((change) => (
        <li key={`${change.change} ${change.part} ${change.itemId} ${change.id}`}>
          <span class={`badge ${change.change === 'added' ? 'good' : change.change === 'removed' ? 'wrong' : ''}`}>{te(`change_${change.change}`)}</span>{' '}
          <span dir="auto">{te(`part_${change.part}`)} {change.label && <q>{change.label}</q>}</span>
          {change.answers ? <p class="warned small">{counte('answersChose', change.answers)}</p> : null}
          {change.fields.length > 0 && (
            <dl>
              {change.fields.map((field) => (
                <div key={field.name}><dt>{knownHere(`field_${field.name}`) ?? field.name}</dt><dd><del dir="auto">{field.before ?? '–'}</del> <ins dir="auto">{field.after ?? '–'}</ins></dd></div>
              ))}
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}
