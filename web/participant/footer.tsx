import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Words } from '../shared/words';
import { address, withdraw } from './session';

/** Opens the dialog of the footer whose heading has an id. */
export function openDialog(heading: 'pause' | 'sure'): void {
  document.getElementById(heading)?.closest('dialog')?.showModal();
}

/** The footer of an interview: how to pause, and how to withdraw. */
export function Footer({ words, pausing, children }: { words: Words; pausing: boolean; children?: ComponentChildren }) {
  const pauseDialog = useRef<HTMLDialogElement>(null);
  const withdrawDialog = useRef<HTMLDialogElement>(null);
  const [copied, setCopied] = useState(false);
  const [failed, setFailed] = useState(false);
  const [busy, setBusy] = useState(false);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address());
      setCopied(true);
    } catch {
      // the address is shown and can be copied by hand
    }
  };
  const erase = async () => {
    if (busy) return;
    setBusy(true);
    setFailed(!(await withdraw()));
    setBusy(false);
  };

  return (
    <footer>
      {children}
      {pausing && <button type="button" class="link" onClick={() => pauseDialog.current?.showModal()}>{words.pause}</button>}
      <button type="button" class="link" onClick={() => withdrawDialog.current?.showModal()}>{words.withdraw}</button>

      <Dialog dialog={pauseDialog} id="pause" title={words.pause}>
        <p>{words.pauseText}</p>
        <p class="address" dir="ltr">{address()}</p>
        <p role="status" class="note">{copied && words.copied}</p>
        <div class="go">
          <button type="button" onClick={() => void copy()}>{words.copy}</button>
          <button type="button" class="second" onClick={() => pauseDialog.current?.close()}>{words.goOn}</button>
        </div>
      </Dialog>

      <Dialog dialog={withdrawDialog} id="sure" title={words.withdraw}>
        <p>{words.withdrawText}</p>
        <p class="failed" role="alert">{failed && words.failedText}</p>
        <div class="go">
          <button type="button" class="second" onClick={() => withdrawDialog.current?.close()}>{words.cancel}</button>
          <button type="button" class="plain" aria-busy={busy} onClick={() => void erase()}>{words.withdrawButton}</button>
        </div>
      </Dialog>
    </footer>
  );
}

interface DialogProps {
  dialog: { current: HTMLDialogElement | null };
  id: string;
  title: string | undefined;
  children: ComponentChildren;
}

function Dialog({ dialog, id, title, children }: DialogProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog closes it; the Escape key does so without a listener
    <dialog ref={dialog} aria-labelledby={id} onClick={(e) => { if (e.target === e.currentTarget) e.currentTarget.close(); }}>
      <div class="inside">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
