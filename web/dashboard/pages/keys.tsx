import { useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { ago, date, dateTime } from '../format';
import { Badge } from '../parts/badge';
import { Confirm } from '../parts/confirm';
import { Dialog } from '../parts/dialog';
import { Field, Form, Select } from '../parts/form';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';
import { Secret } from '../parts/secret';
import { useQuery } from '../query';
import { notify } from '../state/notices';
import { cache } from '../state/session';
import { t } from '../words';

type Key = Schemas['Key'];

/** The API keys of the organization. */
export function Keys() {
  const org = useRoute().params.org ?? '';
  const key = ['keys', org];
  const keys = useQuery({ key, load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/keys', { params: { path: { orgId: org } }, signal })) });
  const refresh = () => cache.invalidateQueries({ queryKey: key });
  const [secret, setSecret] = useState('');
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [changing, setChanging] = useState<Key | null>(null);
  const create = async (name: string, readOnly: boolean, days: number) => {
    const made = await ask(api.POST('/api/dashboard/organizations/{orgId}/keys', { params: { path: { orgId: org } }, body: { name, readOnly, ...(days > 0 && { days }) } }));
    setSecret(made.secret);
    await refresh();
  };
  const change = async ({ id }: Key, { name = '', scope, days }: Record<string, string>) => {
    const { name: changed } = await ask(api.PATCH('/api/dashboard/organizations/{orgId}/keys/{keyId}', {
      params: { path: { orgId: org, keyId: id } }, body: { name, readOnly: scope === 'read', ...(days !== 'same' && { days: Number(days) }) },
    }));
    notify(t('keyChanged', { name: changed }));
    setChanging(null);
    await refresh();
  };
  const revoke = async ({ id, name }: Key) => {
    await ask(api.DELETE('/api/dashboard/organizations/{orgId}/keys/{keyId}', { params: { path: { orgId: org, keyId: id } } }));
    notify(t('revokedNow', { name }));
    await refresh();
  };
  return (
    <>
      <div class="head"><Heading title={t('keys')} /></div>
      <section class="card" aria-labelledby="create">
        <h2 id="create">{t('createKey')}</h2>
        <Form inline reset submit={t('create')} onSubmit={({ name = '', scope, days }) => create(name, scope === 'read', Number(days))}>
          <Field label={t('name')} name="name" maxLength={200} />
          <Select label={t('scope')} name="scope" options={[['read', t('scopeRead')], ['write', t('scopeWrite')]]} />
          <Select label={t('validFor')} name="days" options={[['90', t('days90')], ['365', t('days365')], ['0', t('daysAny')]]} />
        </Form>
        <p class="soft small">{t('keysText')}</p>
      </section>
      <Loaded of={keys} what={t('whatKeys')} rows={4}>
        {({ keys: all }) => all.length === 0 ? <div class="empty"><h2>{t('noKeys')}</h2></div> : (
          <div class="scroll">
            <table class="list">
              <caption class="unseen">{t('keys')}</caption>
              <thead><tr><th scope="col">{t('name')}</th><th scope="col">{t('begins')}</th><th scope="col">{t('state')}</th><th scope="col">{t('scope')}</th><th scope="col">{t('actsFor')}</th><th scope="col">{t('expires')}</th><th scope="col">{t('lastUsed')}</th><th scope="col">{t('actions')}</th></tr></thead>
              <tbody>
                {all.map((one) => {
                  const state = stateOf(one, Date.now());
                  return (
                    <tr key={one.id} class={state === 'active' ? undefined : 'past'}>
                      <th scope="row" dir="auto">{one.name}</th>
                      <td><code>{one.prefix}…</code></td>
                      <td><Badge state={state} /></td>
                      <td>{t(one.readOnly ? 'scopeRead' : 'scopeWrite')}</td>
                      <td dir="auto" data-label={t('actsFor')}>{one.userName || '–'}</td>
                      <td class="soft" data-label={t('expires')}>{one.expiresAt ? date(one.expiresAt) : t('never')}</td>
                      <td class="soft" data-label={t('lastUsed')}>{one.lastUsedAt ? <time dateTime={one.lastUsedAt} title={dateTime(one.lastUsedAt)}>{ago(one.lastUsedAt, Date.now())}</time> : t('never')}</td>
                      <td class="actions">{state === 'active' && <button type="button" onClick={() => setChanging(one)}>{t('change')}<span class="unseen"> {one.name}</span></button>}{state === 'active' && <button type="button" class="danger outline" onClick={() => setRevoking(one)}>{t('revoke')}<span class="unseen"> {one.name}</span></button>}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
      {secret && <Secret title={t('keyMade')} text={t('keyMadeText')} value={secret} onClose={() => setSecret('')} />}
      {changing && (
        <Dialog title={t('changeKeyTitle', { name: changing.name })} onClose={() => setChanging(null)}>
          <Form submit={t('save')} onSubmit={(values) => change(changing, values)}>
            <Field label={t('name')} name="name" maxLength={200} value={changing.name} />
            <Select label={t('scope')} name="scope" value={changing.readOnly ? 'read' : 'write'} options={[['read', t('scopeRead')], ['write', t('scopeWrite')]]} />
            <Select label={t('validFor')} name="days" value="same" options={[['same', changing.expiresAt ? t('daysSame', { day: date(changing.expiresAt) }) : t('daysAny')], ['30', t('days30')], ['90', t('days90')], ['365', t('days365')], ...(changing.expiresAt ? [['0', t('daysAny')] as const] : [])]} />
          </Form>
        </Dialog>
      )}
      {revoking && <Confirm title={t('revokeTitle', { name: revoking.name })} submit={t('revoke')} onConfirm={() => revoke(revoking)} onClose={() => setRevoking(null)}><p>{t('revokeText')}</p></Confirm>}
    </>
  );
}

function stateOf(key: Key, now: number): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt) return 'revoked';
  return key.expiresAt && Date.parse(key.expiresAt) <= now ? 'expired' : 'active';
}
