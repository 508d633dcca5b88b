import { api, ask } from '../api';
import { answerChallenge, hasPasskeys } from '../passkeys';
import { useQuery } from '../query';
import { question } from '../state/confirmation';
import { t } from '../words';
import { CodeField } from './code';
import { Dialog } from './dialog';
import { Field, Form, useAction } from './form';
import { Loaded, reason } from './loaded';

/** Asks who the person is while a request waits for it, and lets the request go on. */
export function ConfirmPerson() {
  return question.value && <Asking done={question.value.done} />;
}

function Asking({ done }: { done: (confirmed: boolean) => void }) {
  const proofs = useQuery({ key: ['proofs'], load: (signal) => ask(api.GET('/api/dashboard/session/confirmation', { signal })) });
  const passkey = useAction();
  const confirm = async (body: { password: string } | { code: string } | { handle: string; passkey: string }) => {
    await ask(api.POST('/api/dashboard/session/confirmation', { body }));
    done(true);
  };
  const byPasskey = () => passkey.run(async () => confirm(await answerChallenge()));
  return (
    <Dialog title={t('confirmTitle')} onClose={() => done(false)}>
      <p>{t('confirmText')}</p>
      <Loaded of={proofs} what={t('whatProofs')} rows={2}>
        {(has) => (
          <>
            {has.passkey && hasPasskeys() && <p class="after"><button type="button" class={has.password || has.code ? undefined : 'primary'} disabled={passkey.busy} onClick={() => void byPasskey()}>{t('confirmPasskey')}</button></p>}
            {passkey.failure && <p class="wrong message" role="alert">{reason(passkey.failure)}</p>}
            {has.password && (
              <Form submit={t('confirmDo')} onSubmit={({ password = '' }) => confirm({ password })}>
                <Field label={t('password')} name="password" type="password" autocomplete="current-password" maxLength={256} autofocus />
              </Form>
            )}
            {!has.password && has.code && <Form submit={t('confirmDo')} onSubmit={({ code = '' }) => confirm({ code })}><CodeField /></Form>}
            {!has.password && !has.code && !(has.passkey && hasPasskeys()) && <p>{t(has.passkey ? 'passkeyBrowser' : 'confirmNothing')}</p>}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
