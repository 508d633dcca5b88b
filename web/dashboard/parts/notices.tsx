import { dismiss, notices, notify, type Notice } from '../state/notices';
import { failureOf } from '../api';
import { t } from '../words';
import { Icon } from './icon';
import { reason } from './loaded';

/** Messages about what was done, at the lower edge. */
export function Notices() {
  const undo = async (notice: Notice) => {
    dismiss(notice.id);
    try {
      await notice.undo?.();
      notify(t('undone'));
    } catch (error) {
      notify(`${t('couldNot', { what: t('undoing') })} ${reason(failureOf(error))}`);
    }
  };
  return (
    <div class="notices" role="status">
      {notices.value.map((notice) => (
        <div key={notice.id} class="notice">
          <span>{notice.text}</span>
          {notice.undo && <button type="button" onClick={() => void undo(notice)}>{t('undo')}</button>}
          <button type="button" class="square" aria-label={t('dismiss')} onClick={() => dismiss(notice.id)}><Icon name="cross" /></button>
        </div>
      ))}
    </div>
  );
}
