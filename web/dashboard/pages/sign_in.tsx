import { useLocation } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { api, ask } from '../api';
import { CodeField, useCode } from '../parts/code';
import { Field, Form, useAction } from '../parts/form';
import { reason } from '../parts/loaded';
import { Outside } from '../parts/outside';
import { useToken } from '../parts/token';
import { safeNext } from '../next';
import { hasPasskeys, signInByPasskey } from '../passkeys';
import { useMe, useQuery } from '../query';
import { enter, home, type Me } from '../state/session';
import { t } from '../words';
import { TokenForm } from './tokens';

/** Signs in by mail address and password, or with the link that the operator printed. */
export function SignIn() {
  const { query, route } = useLocation();
  const next = safeNext(query.next ?? null, location.origin);
  const token = useToken();
  const [asked] = useState(!token);
  const me = useMe(asked && !next);
  useEffect(() => { if (me.data && !token) route(next || home(me.data), true); }, [me.data, token, next, route]);
  const open = (who: Me) => {
    enter(who);
    route(next || home(who), true);
  };
  const options = useQuery({ key: ['sign-in'], load: (signal) => ask(api.GET('/api/dashboard/sign-in', { signal })), enabled: !token });
  const second = useCode();
  const passkey = useAction();
  const [forgotten, setForgotten] = useState(false);
  const signIn = async (email: string, password: string, code?: string) => open(await ask(api.POST('/api/dashboard/session', { body: { email, password, ...(code && { code }) } })));
  const withPasskey = () => passkey.run(async () => open(await signInByPasskey()));
  if (token) return <TokenForm token={token} kind="signin" title={t('signInTitle')} />;
  if (forgotten) return <Forgotten onBack={() => setForgotten(false)} />;
  return (
    <Outside title={t('signInTitle')} lead={next ? t('signInAgain') : undefined}>
      <Form submit={t('signIn')} onSubmit={({ email = '', password = '', code }) => {
        void passkey.run(async () => {}); // what a passkey failed by is over
        return second.attempt(() => signIn(email, password, code));
      }}>
        <Field label={t('email')} name="email" type="email" autocomplete="username" maxLength={254} autofocus />
        <Field label={t('password')} name="password" type="password" autocomplete="current-password" maxLength={256} />
        {second.needed && <CodeField />}
      </Form>
      {options.data?.passkeys && hasPasskeys() && (
        <p class="after">
          <button type="button" disabled={passkey.busy} onClick={() => void withPasskey()}>{t('passkeySignIn')}</button>
        </p>
      )}
      {passkey.failure && <p class="wrong message" role="alert">{reason(passkey.failure)}</p>}
      {options.data?.mail
        ? <p><button type="button" class="quiet" onClick={() => setForgotten(true)}>{t('forgottenAsk')}</button></p>
        : <p class="soft small">{t('forgotten')}</p>}
    </Outside>
  );
}

/** Asks for a link for a new password. What is said afterwards is the same for every address. */
function Forgotten({ onBack }: { onBack: () => void }) {
  const [asked, setAsked] = useState('');
  const send = async (email: string) => {
    await ask(api.POST('/api/dashboard/session/forgotten', { body: { email } }));
    setAsked(email);
  };
  return (
    <Outside title={t('forgottenTitle')} lead={asked ? undefined : t('forgottenLead')}>
      {asked
        ? <p role="status" dir="auto">{t('forgottenSent', { email: asked })}</p>
        : <Form submit={t('forgottenSend')} onSubmit={({ email = '' }) => send(email)}><Field label={t('email')} name="email" type="email" autocomplete="username" maxLength={254} autofocus /></Form>}
      <p class="after"><button type="button" class="quiet" onClick={onBack}>{t('toSignIn')}</button></p>
    </Outside>
  );
}
