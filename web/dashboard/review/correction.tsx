import { useId, useState } from 'preact/hooks';
import { api, ask, failureOf } from '../api';
import { ago, dateTime } from '../format';
import { Form } from '../parts/form';
import { reason } from '../parts/loaded';
import { notify } from '../state/notices';
import type { Row } from '../timeline';
import { t as main } from '../words';
import { t } from './words';

interface Props {
  row: Row;
  link: string;
  number: number;
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}

/** The words of a spoken answer as a field. */
export function CorrectionForm({ row, link, number, onChanged, onClose }: Props) {
  const id = useId();
  const save = async ({ words = '' }: Record<string, string>) => {
    await ask(api.PUT('/api/dashboard/studies/{studyRef}/responses/{number}/rows/{row}/correction', {
      params: { path: { studyRef: link, number: String(number), row: String(row.index) } }, body: { before: row.answer, words },
    }));
    await onChanged();
    notify(t('correctedNow'));
    onClose();
  };
  return (
    <div class="correcting">
      <Form submit={t('save')} onSubmit={save}>
        <div class="field">
          <label for={id}>{t('correctLabel')}</label>
          <textarea id={id} name="words" rows={4} maxLength={20_000} dir="auto" required defaultValue={row.answer} aria-describedby={`${id}-hint`}
            ref={(field) => { if (field && !field.dataset.begun) { field.dataset.begun = 'yes'; field.focus(); } }} onKeyDown={(event) => { if (event.key === 'Escape') onClose(); }} />
          <p id={`${id}-hint`} class="soft small">{t('correctHint')}</p>
        </div>
      </Form>
      <button type="button" class="quiet" onClick={onClose}>{main('cancel')}</button>
    </div>
  );
}

/** Who corrected an answer, and a way back. */
export function Corrected({ row, link, number, mayChange, onChanged }: Omit<Props, 'onClose'> & { mayChange: boolean }) {
  const [busy, setBusy] = useState(false);
  const { correction } = row;
  if (!correction) return null;
  const undo = async () => {
    setBusy(true);
    try {
      await ask(api.DELETE('/api/dashboard/studies/{studyRef}/responses/{number}/rows/{row}/correction', { params: { path: { studyRef: link, number: String(number), row: String(row.index) } } }));
      await onChanged();
      notify(t('correctionUndone'));
    } catch (error) {
      notify(`${main('couldNot', { what: t('undoing') })} ${reason(failureOf(error))}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <p class="soft small">
      <time dateTime={correction.at} title={dateTime(correction.at)}>{t('correctedBy', { name: correction.userName, ago: ago(correction.at, Date.now()) })}</time>
      {mayChange && <> <button type="button" class="quiet small" disabled={busy} onClick={() => void undo()}>{t('correctionUndo')}</button></>}
    </p>
  );
}

/** Says that answers were corrected since the analysis was written, and offers to have it written again. */
export function Outdated({ link, number, mayChange }: { link: string; number: number; mayChange: boolean }) {
  const [asked, setAsked] = useState(false);
  const again = async () => {
    setAsked(true);
    try {
      await ask(api.POST('/api/dashboard/studies/{studyRef}/responses/{number}/analysis', { params: { path: { studyRef: link, number: String(number) } } }));
      notify(t('reanalysisAsked'));
    } catch (error) {
      setAsked(false);
      notify(`${main('couldNot', { what: t('reanalysing') })} ${reason(failureOf(error))}`);
    }
  };
  return <p class="override">{t('outdated')}{mayChange && <> <button type="button" class="small" disabled={asked} onClick={() => void again()}>{t('reanalyse')}</button></>}</p>;
}
