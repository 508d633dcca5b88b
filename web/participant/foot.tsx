import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Words } from '../shared/words';
import { address, withdraw } from './session';

/** The ways out: a pause, and taking everything back. */
export function Foot({ words, pausing, children }: { words: Words; pausing: boolean; children?: ComponentChildren }) {
  const rest = useRef<HTMLDialogElement>(null);
  const sure = useRef<HTMLDialogElement>(null);
  const [copied, setCopied] = useState(false);
  const [failed, setFailed] = useState(false);
  const [busy, setBusy] = useState(false);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address());
      setCopied(true);
    } catch {
      // the address stands there to be copied by hand
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
      {pausing && <button type="button" class="link" onClick={() => rest.current?.showModal()}>{words.pause}</button>}
      <button type="button" class="link" onClick={() => sure.current?.showModal()}>{words.withdraw}</button>

      <Dialog dialog={rest} id="pause" title={words.pause}>
        <p>{words.pauseText}</p>
        <p class="address" dir="ltr">{address()}</p>
        <p role="status" class="note">{copied && words.copied}</p>
        <div class="go">
          <button type="button" onClick={() => void copy()}>{words.copy}</button>
          <button type="button" class="second" onClick={() => rest.current?.close()}>{words.goOn}</button>
        </div>
      </Dialog>

      <Dialog dialog={sure} id="sure" title={words.withdraw}>
        <p>{words.withdrawText}</p>
        <p class="failed" role="alert">{failed && words.failedText}</p>
        <div class="go">
          <button type="button" class="second" onClick={() => sure.current?.close()}>{words.cancel}</button>
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
    <dialog ref={dialog} aria-labelledby={id} onClick={(e) => { if (e.target === e.currentTarget) e.currentTarget.close(); }}>
      <div class="inside">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
