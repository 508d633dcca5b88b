import { useRef, useState } from 'preact/hooks';
import { t } from '../words';
import { Dialog } from './dialog';

interface Props {
  title: string;
  text: string;
  value: string;
  onClose: () => void;
}

/** Shows something once, to be copied. */
export function Secret({ title, text, value, onClose }: Props) {
  const [copied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      field.current?.select(); // without TLS there is no clipboard: the keyboard copies
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div class="copy">
        <input ref={field} class="mono" readOnly value={value} aria-label={title} onFocus={(event) => event.currentTarget.select()} />
        <button type="button" class="primary" onClick={() => void copy()}>{t('copy')}</button>
      </div>
      <p role="status" class="good">{copied ? t('copied') : ''}</p>
    </Dialog>
  );
}
