import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { type Failure, failureOf } from '../api';
import { t } from '../words';
import { reason } from './loaded';

/** Runs one action at a time, and keeps what went wrong. */
export function useAction(): { busy: boolean; failure: Failure | null; run: (action: () => Promise<unknown>) => Promise<boolean> } {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const running = useRef(false);
  const run = async (action: () => Promise<unknown>) => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setFailure(null);
    try {
      await action();
      return true;
    } catch (error) {
      setFailure(failureOf(error));
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, failure, run };
}

interface FormProps {
  submit: string;
  /** Called with the values of the form's fields. */
  onSubmit: (values: Record<string, string>) => Promise<unknown>;
  children: ComponentChildren;
  inline?: boolean;
  danger?: boolean;
  /** Empties the fields afterwards. */
  reset?: boolean;
}

/** A form with one button. What went wrong stands above it, and is read out. */
export function Form({ submit, onSubmit, children, inline = false, danger = false, reset = false }: FormProps) {
  const { busy, failure, run } = useAction();
  const form = useRef<HTMLFormElement>(null);
  const send = async (event: Event) => {
    event.preventDefault();
    if (!form.current) return;
    const values = Object.fromEntries([...new FormData(form.current)].map(([name, value]) => [name, String(value)]));
    if ((await run(() => onSubmit(values))) && reset) form.current?.reset();
  };
  return (
    <form ref={form} class={inline ? 'inline' : 'stacked'} onSubmit={(event) => void send(event)}>
      {children}
      {failure && <p class="wrong message" role="alert">{reason(failure)}{failure.requestId && failure.status >= 500 && <> <span class="small">{t('requestId')} <code>{failure.requestId}</code></span></>}</p>}
      <button type="submit" class={danger ? 'danger' : 'primary'} disabled={busy}>{submit}</button>
    </form>
  );
}

interface FieldProps {
  label: string;
  name: string;
  type?: 'text' | 'email' | 'password' | 'number';
  hint?: string;
  value?: string;
  autocomplete?: string;
  required?: boolean;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  autofocus?: boolean;
}

export function Field({ label, name, type = 'text', hint, value, autocomplete, required = true, autofocus = false, ...limits }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} name={name} type={type as 'text'} defaultValue={value} autocomplete={autocomplete ?? 'off'} required={required}
        aria-describedby={hint ? `${id}-hint` : undefined} ref={(input) => { if (autofocus && input && !input.value) input.focus(); }} {...limits} />
      {hint && <p id={`${id}-hint`} class="soft small">{hint}</p>}
    </div>
  );
}

interface SelectProps {
  label: string;
  name?: string;
  value?: string;
  options: readonly (readonly [string, string])[];
  onChange?: (value: string) => void;
  /** Whether the label is only for assistive technology. */
  quiet?: boolean;
  disabled?: boolean;
}

export function Select({ label, name, value, options, onChange, quiet = false, disabled = false }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={quiet ? 'unseen' : undefined}>{label}</label>
      <select id={id} name={name} value={value} disabled={disabled} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {options.map(([key, text]) => <option key={key} value={key}>{text}</option>)}
      </select>
    </div>
  );
}
