import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { ago, browserName, date, dateTime } from '../format';
import { Confirm } from '../parts/confirm';
import { Dialog } from '../parts/dialog';
import { Field, Form } from '../parts/form';
import { Loaded } from '../parts/loaded';
import { addPasskey, hasPasskeys } from '../passkeys';
import { useQuery } from '../query';
import { notify } from '../state/notices';
import { cache } from '../state/session';
import { t } from '../words';

type Passkey = Schemas['Passkey'];

const key = ['passkeys'] as const;
const refresh = () => cache.invalidateQueries({ queryKey: key });

/** The own passkeys: make, name and revoke them. */
export function Passkeys() {
  const all = useQuery({ key, load: (signal) => ask(api.GET('/api/dashboard/session/passkeys', { signal })) });
  const [revoking, setRevoking] = useState<Passkey | null>(null);
  const [naming, setNaming] = useState<Passkey | null>(null);
  const add = async (name: string) => {
    await addPasskey(name);
    notify(t('passkeyAdded', { name }));
    await refresh();
  };
  const rename = async ({ id }: Passkey, name: string) => {
    await ask(api.PATCH('/api/dashboard/session/passkeys/{passkeyId}', { params: { path: { passkeyId: id } }, body: { name } }));
    setNaming(null);
    await refresh();
  };
  const revoke = async ({ id, name }: Passkey) => {
    await ask(api.DELETE('/api/dashboard/session/passkeys/{passkeyId}', { params: { path: { passkeyId: id } } }));
    notify(t('passkeyRevoked', { name }));
    await refresh();
  };
  return (
    <Loaded of={all} what={t('whatPasskeys')} rows={2}>
      {({ passkeys, problem }) => (
        <>
          <p>{problem ? t(`passkeyProblem_${problem}`) : t('passkeysText')}</p>
          {passkeys.length > 0 && (
            <ul class="sessions">
              {passkeys.map((passkey) => (
                <li key={passkey.id}>
                  <div>
                    <strong dir="auto">{passkey.name}</strong>
                    <p class="soft small">{t('since', { date: date(passkey.createdAt) })} · {passkey.usedAt
                      ? <time dateTime={passkey.usedAt} title={dateTime(passkey.usedAt)}>{t('usedAgo', { ago: ago(passkey.usedAt, Date.now()) })}</time>
                      : t('passkeyUnused')}</p>
                  </div>
                  <div class="actions">
                    <button type="button" onClick={() => setNaming(passkey)}>{t('rename')}<span class="unseen"> {passkey.name}</span></button>
                    <button type="button" class="danger outline" onClick={() => setRevoking(passkey)}>{t('revoke')}<span class="unseen"> {passkey.name}</span></button>
                  </div>
                </li>
              ))}
            </ul>
          )}
          {!problem && (hasPasskeys()
            ? <Form reset submit={t('passkeyAdd')} onSubmit={({ name = '' }) => add(name)}><Field label={t('passkeyName')} name="name" value={browserName(navigator.userAgent)} maxLength={60} /></Form>
            : <p class="soft">{t('passkeyBrowser')}</p>)}
          {naming && (
            <Dialog title={t('rename')} onClose={() => setNaming(null)}>
              <Form submit={t('save')} onSubmit={({ name = '' }) => rename(naming, name)}><Field label={t('passkeyName')} name="name" value={naming.name} maxLength={60} autofocus /></Form>
            </Dialog>
          )}
          {revoking && <Confirm title={t('passkeyRevokeTitle', { name: revoking.name })} submit={t('revoke')} onConfirm={() => revoke(revoking)} onClose={() => setRevoking(null)}><p>{t('passkeyRevokeText')}</p></Confirm>}
        </>
      )}
    </Loaded>
  );
}
