import { letters, switchLetters } from '../state/preferences';
import { shortcuts } from '../state/shortcuts';
import { t } from '../words';
import { Dialog } from './dialog';

const names: Record<string, string> = { ' ': 'Space', arrowleft: '←', arrowright: '→', enter: 'Enter' };

/** The keys of the page. */
export function KeyList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('keysTitle')} onClose={onClose}>
      <dl class="keys">
        {shortcuts.value.flat().map(({ key, label }) => (
          <div key={key}><dt><kbd>{names[key] ?? key.toUpperCase()}</kbd></dt><dd>{label}</dd></div>
        ))}
      </dl>
      <label class="check"><input type="checkbox" checked={letters.value} onChange={(event) => switchLetters(event.currentTarget.checked)} />{t('keysLetters')}</label>
    </Dialog>
  );
}
