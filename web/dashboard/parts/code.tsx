import { useState } from 'preact/hooks';
import { failureOf } from '../api';
import { t } from '../words';
import { Field } from './form';

/** Asks for a code once the server says that the person has a second step. needed is whether to show the field. */
export function useCode(): { needed: boolean; attempt: (action: () => Promise<unknown>) => Promise<void> } {
  const [needed, setNeeded] = useState(false);
  const attempt = async (action: () => Promise<unknown>) => {
    try {
      await action();
    } catch (error) {
      if (needed || failureOf(error).code !== 'code_needed') throw error;
      setNeeded(true);
    }
  };
  return { needed, attempt };
}

/** The field for a code of the authenticator app, or a recovery code. */
export function CodeField({ hint = t('codeHint') }: { hint?: string }) {
  return <Field label={t('code')} name="code" autocomplete="one-time-code" hint={hint} maxLength={40} autofocus />;
}
