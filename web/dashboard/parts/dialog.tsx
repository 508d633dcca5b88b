import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../words';
import { Icon } from './icon';

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog for as long as it is drawn. Escape and the cross close it. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => { if (opener instanceof HTMLElement && opener.isConnected) opener.focus(); };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet square" aria-label={t('close')} onClick={() => dialog.current?.close()}><Icon name="cross" /></button>
      </header>
      {children}
    </dialog>
  );
}
