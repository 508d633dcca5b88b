import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { parseFilter } from '../filter';
import { ago, bytes, date, dateTime, number } from '../format';
import { Badge } from '../parts/badge';
import { useAction } from '../parts/form';
import { reason } from '../parts/loaded';
import { notify } from '../state/notices';
import { count, t } from '../words';
import { Described } from './export';

type File = Schemas['Export'];

interface Props {
  link: string;
  files: readonly File[];
  onChanged: () => Promise<unknown>;
}

/** The files of a study: those that are being written with their progress, those that are complete with a link. */
export function ExportFiles({ link, files, onChanged }: Props) {
  if (files.length === 0) return <div class="empty"><h3>{t('exportNone')}</h3><p>{t('exportNoneText')}</p></div>;
  return (
    <div class="scroll">
      <table class="list exports">
        <caption class="unseen">{t('exportFiles')}</caption>
        <thead><tr><th scope="col">{t('exportFile')}</th><th scope="col">{t('state')}</th><th scope="col">{t('exportSize')}</th><th scope="col">{t('exportBy')}</th><th scope="col">{t('expires')}</th><th scope="col">{t('actions')}</th></tr></thead>
        <tbody>{files.map((file) => <Row key={file.id} link={link} file={file} onChanged={onChanged} />)}</tbody>
      </table>
    </div>
  );
}

function Row({ link, file, onChanged }: { link: string; file: File; onChanged: () => Promise<unknown> }) {
  const { busy, failure, run } = useAction();
  const [gone, setGone] = useState(false);
  const remove = () => run(async () => {
    await ask(api.DELETE('/api/dashboard/studies/{studyRef}/exports/{exportId}', { params: { path: { studyRef: link, exportId: file.id } } }));
    setGone(true);
    notify(t('exportRemoved', { name: file.fileName }));
    await onChanged();
  });
  if (gone) return null;
  return (
    <tr>
      <th scope="row">
        <span dir="auto">{file.fileName}</span>
        <div class="soft small">{[t(`export_${file.format}`), file.codebook ? t('codebook') : file.layout === 'long' && t('layout_long'), file.labels && t('cells_labels')].filter(Boolean).join(' · ')}</div>
        <div class="small"><Described filter={parseFilter(file.filter)} /></div>
        <Problems file={file} />
        {failure && <p class="wrong small" role="alert">{reason(failure)}</p>}
      </th>
      <td><Badge state={file.status} />{file.status === 'running' && <Progress file={file} />}</td>
      <td class="number" data-label={t('exportSize')}>{file.size === null ? '–' : bytes(file.size)}</td>
      <td class="soft" data-label={t('exportBy')}><span dir="auto">{file.userName || '–'}</span> <time dateTime={file.requestedAt} title={dateTime(file.requestedAt)}>{ago(file.requestedAt, Date.now())}</time></td>
      <td class="soft" data-label={t('expires')}>{file.expiresAt ? date(file.expiresAt) : '–'}</td>
      <td class="actions">
        {file.status === 'complete' && <a class="button" href={`/api/dashboard/studies/${encodeURIComponent(link)}/exports/${file.id}/file`} download={file.fileName}>{t('exportDownload')}<span class="unseen"> {file.fileName}</span></a>}
        {' '}<button type="button" class="quiet" disabled={busy} onClick={() => void remove()}>{t('remove')}<span class="unseen"> {file.fileName}</span></button>
      </td>
    </tr>
  );
}

function Progress({ file }: { file: File }) {
  const label = t('exportDone', { done: number(file.done), total: number(file.total) });
  return <div class="small soft"><progress max={Math.max(1, file.total)} value={file.done} aria-label={label} /> <span class="number">{label}</span></div>;
}

/** What could not be written as it is. */
function Problems({ file }: { file: File }) {
  const all = [
    file.status === 'failed' && (file.problem || t('exportFailed')),
    file.unreadable > 0 && count('exportUnreadable', file.unreadable),
    file.textsCut > 0 && count('exportCut', file.textsCut),
    file.filesMissing > 0 && count('exportMissing', file.filesMissing),
  ].filter(Boolean);
  return <>{all.map((text) => <p key={text} class={file.status === 'failed' ? 'wrong small' : 'soft small'}>{text}</p>)}</>;
}
