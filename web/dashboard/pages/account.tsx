import { api, ask } from '../api';
import { ago, browserName, date, dateTime } from '../format';
import { Field, Form, useAction } from '../parts/form';
import { Heading } from '../parts/heading';
import { Loaded, reason } from '../parts/loaded';
import { useMe, useQuery } from '../query';
import { notify } from '../state/notices';
import { cache, meKey } from '../state/session';
import { t } from '../words';
import { Passkeys } from './passkeys';
import { TwoStep } from './two_step';

const sessionsKey = ['sessions'] as const;

/** The account of whoever is signed in: password and sessions. */
export function Account() {
  const me = useMe();
  return (
    <Loaded page of={me} what={t('whatAccount')}>
      {({ user, organizations, hasPassword }) => (
        <>
          <div class="head"><Heading title={user.name || user.email} /></div>
          <p class="soft" dir="auto">{user.email}{organizations.map(({ name, role }) => ` · ${name} (${t(`role_${role}`)})`).join('')}</p>
          <div class="columns">
            <section class="card" aria-labelledby="password">
              <h2 id="password">{t('password')}</h2>
              {hasPassword ? <Password email={user.email} /> : <p>{t('noPasswordText')}</p>}
            </section>
            {hasPassword && (
              <section class="card" aria-labelledby="two-step">
                <h2 id="two-step">{t('twoStep')}</h2>
                <TwoStep email={user.email} />
              </section>
            )}
            <section class="card" aria-labelledby="passkeys">
              <h2 id="passkeys">{t('passkeys')}</h2>
              <Passkeys />
            </section>
            <section class="card" aria-labelledby="sessions">
              <h2 id="sessions">{t('sessions')}</h2>
              <Sessions />
            </section>
          </div>
        </>
      )}
    </Loaded>
  );
}

function Password({ email }: { email: string }) {
  const change = async (currentPassword: string, newPassword: string) => {
    cache.setQueryData(meKey, await ask(api.POST('/api/dashboard/session/password', { body: { currentPassword, newPassword } })));
    notify(t('passwordChanged'));
    await cache.invalidateQueries({ queryKey: sessionsKey });
  };
  return (
    <Form reset submit={t('changePassword')} onSubmit={({ current = '', changed = '' }) => change(current, changed)}>
      <input type="hidden" autocomplete="username" value={email} />
      <Field label={t('currentPassword')} name="current" type="password" autocomplete="current-password" maxLength={256} />
      <Field label={t('newPassword')} name="changed" type="password" autocomplete="new-password" hint={`${t('passwordHint')} ${t('passwordEnds')}`} maxLength={256} />
    </Form>
  );
}

function Sessions() {
  const sessions = useQuery({ key: sessionsKey, load: (signal) => ask(api.GET('/api/dashboard/session/list', { signal })) });
  const { busy, failure, run } = useAction();
  const end = (id: string) => run(async () => {
    await ask(api.DELETE('/api/dashboard/session/list/{sessionId}', { params: { path: { sessionId: id } } }));
    await cache.invalidateQueries({ queryKey: sessionsKey });
  });
  return (
    <Loaded of={sessions} what={t('whatSessions')} rows={3}>
      {({ sessions: all }) => (
        <>
          {failure && <p class="wrong" role="alert">{reason(failure)}</p>}
          <ul class="sessions">
            {all.map((session) => (
              <li key={session.id}>
                <div>
                  <strong title={session.browser}>{browserName(session.browser)}</strong>{session.current && <span class="badge good">{t('thisSession')}</span>}
                  <p class="soft small">{session.network} · {t('since', { date: date(session.createdAt) })} · <time dateTime={session.usedAt} title={dateTime(session.usedAt)}>{t('usedAgo', { ago: ago(session.usedAt, Date.now()) })}</time></p>
                </div>
                {!session.current && <button type="button" disabled={busy} onClick={() => void end(session.id)}>{t('endSession')}<span class="unseen"> {browserName(session.browser)}</span></button>}
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}
