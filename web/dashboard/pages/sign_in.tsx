import { useLocation } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { api, ask } from '../api';
import { CodeField, useCode } from '../parts/code';
import { Field, Form } from '../parts/form';
import { Outside } from '../parts/outside';
import { useToken } from '../parts/token';
import { safeNext } from '../next';
import { useMe } from '../query';
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
  const second = useCode();
  const signIn = async (email: string, password: string, code?: string) => open(await ask(api.POST('/api/dashboard/session', { body: { email, password, ...(code && { code }) } })));
  if (token) return <TokenForm token={token} kind="signin" title={t('signInTitle')} />;
  return (
    <Outside title={t('signInTitle')} lead={next ? t('signInAgain') : undefined}>
      <Form submit={t('signIn')} onSubmit={({ email = '', password = '', code }) => second.attempt(() => signIn(email, password, code))}>
        <Field label={t('email')} name="email" type="email" autocomplete="username" maxLength={254} autofocus />
        <Field label={t('password')} name="password" type="password" autocomplete="current-password" maxLength={256} />
        {second.needed && <CodeField />}
      </Form>
      <p class="soft small">{t('forgotten')}</p>
    </Outside>
  );
}
