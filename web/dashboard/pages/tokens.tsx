import { useLocation } from 'preact-iso/router';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { api, ask, type Failure, failureOf, type Schemas } from '../api';
import { CodeField, useCode } from '../parts/code';
import { Field, Form } from '../parts/form';
import { FailureBox, Skeleton } from '../parts/loaded';
import { Outside } from '../parts/outside';
import { useToken } from '../parts/token';
import { enter, home } from '../state/session';
import { t } from '../words';

type Purpose = Schemas['TokenPurpose'];
type Values = Record<string, string>;

/** Makes the first admin. */
export function SetUp() {
  return <TokenForm token={useToken()} kind="setup" title={t('setUpTitle')} />;
}

export function Invitation() {
  return <TokenForm token={useToken()} kind="invitation" title={t('inviteTitle')} />;
}

export function Reset() {
  return <TokenForm token={useToken()} kind="reset" title={t('resetTitle')} />;
}

interface Props {
  token: string;
  kind: Purpose['kind'];
  title: string;
}

/** Asks what a one-time token is for, shows the form that it allows, and signs in with it. */
export function TokenForm({ token, kind, title }: Props) {
  const { route } = useLocation();
  const [purpose, setPurpose] = useState<Purpose | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const second = useCode();
  const check = useCallback(async () => {
    setFailure(null);
    try {
      setPurpose(await ask(api.POST('/api/dashboard/tokens/check', { body: { token } })));
    } catch (error) {
      setFailure(failureOf(error));
    }
  }, [token]);
  useEffect(() => { if (token) void check(); }, [token, check]);
  const invalid = !token || failure?.code === 'token_invalid' || (purpose !== null && purpose.kind !== kind);
  if (invalid) return <Outside title={t('tokenInvalidTitle')} lead={t('tokenInvalidText')}><p><a href="/signin">{t('toSignIn')}</a></p></Outside>;
  if (failure) return <Outside title={title}><FailureBox failure={failure} what={t('whatLink')} retry={check} /></Outside>;
  if (!purpose) return <Outside title={title}><Skeleton rows={3} /></Outside>;
  const send = (values: Values) => second.attempt(async () => {
    const me = await redeem(kind, token, values);
    enter(me);
    route(home(me), true);
  });
  return (
    <Outside title={title} lead={leadOf(purpose)}>
      <Form submit={submitOf(kind)} onSubmit={send}>
        {purpose.email
          ? <input type="hidden" autocomplete="username" value={purpose.email} />
          : <Field label={t('email')} name="email" type="email" autocomplete="username" maxLength={254} />}
        {kind === 'setup' && !purpose.organization && <Field label={t('organizationName')} name="organization" autocomplete="organization" maxLength={200} />}
        {(kind === 'setup' || kind === 'invitation') && <Field label={t('yourName')} name="name" autocomplete="name" maxLength={200} />}
        {kind !== 'signin' && <Field label={kind === 'reset' ? t('newPassword') : t('password')} name="password" type="password" autocomplete="new-password"
          hint={kind === 'invitation' ? `${t('passwordHint')} ${t('passwordKnown')}` : t('passwordHint')} maxLength={256} />}
        {second.needed && <CodeField />}
      </Form>
    </Outside>
  );
}

function leadOf({ kind, organization, email, role }: Purpose): string {
  const values = { organization: organization ?? '', email: email ?? '', role: role ? t(`role_${role}`) : '' };
  switch (kind) {
    case 'setup': return t('setUpLead');
    case 'invitation': return t('inviteLead', values);
    case 'reset': return t('resetLead', values);
    case 'signin': return t('signInLead', values);
  }
}

function submitOf(kind: Purpose['kind']): string {
  switch (kind) {
    case 'setup': return t('setUp');
    case 'invitation': return t('join');
    case 'reset': return t('setPassword');
    case 'signin': return t('signIn');
  }
}

/** Uses up the token and returns who is signed in now. */
function redeem(kind: Purpose['kind'], token: string, { email = '', name = '', password = '', organization, code }: Values): Promise<Schemas['Me']> {
  switch (kind) {
    case 'setup': return ask(api.POST('/api/dashboard/tokens/set-up', { body: { token, email, name, password, ...(organization && { organization }) } }));
    case 'invitation': return ask(api.POST('/api/dashboard/tokens/invitation', { body: { token, name, password, ...(code && { code }) } }));
    case 'reset': return ask(api.POST('/api/dashboard/tokens/reset', { body: { token, password, ...(code && { code }) } }));
    case 'signin': return ask(api.POST('/api/dashboard/tokens/sign-in', { body: { token } }));
  }
}
