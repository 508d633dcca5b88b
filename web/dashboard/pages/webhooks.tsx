import { useLocation, useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { number } from '../format';
import { Badge } from '../parts/badge';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';
import { Secret } from '../parts/secret';
import { WebhookForm, type WebhookInput } from '../parts/webhook_form';
import { useQuery } from '../query';
import { cache } from '../state/session';
import { countw, tw } from '../webhook_words';
import { t } from '../words';

/** The webhooks of the organization. */
export function Webhooks() {
  const org = useRoute().params.org ?? '';
  const { route } = useLocation();
  const key = ['webhooks', org];
  const webhooks = useQuery({ key, load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/webhooks', { params: { path: { orgId: org } }, signal })) });
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  const create = async (body: WebhookInput) => {
    const { webhook, secret } = await ask(api.POST('/api/dashboard/organizations/{orgId}/webhooks', { params: { path: { orgId: org } }, body }));
    setCreating(false);
    setMade({ id: webhook.id, secret });
    await cache.invalidateQueries({ queryKey: key });
  };
  return (
    <>
      <div class="head"><Heading title={t('webhooks')} />{webhooks.data && <button type="button" class="primary" onClick={() => setCreating(true)}>{tw('new')}</button>}</div>
      <p class="soft">{tw('lead')}</p>
      <Loaded of={webhooks} what={tw('what')} rows={4}>
        {({ webhooks: all }) => all.length === 0 ? <div class="empty"><h2>{tw('none')}</h2><p>{tw('noneText')}</p></div> : <List org={org} all={all} />}
      </Loaded>
      {creating && webhooks.data && <WebhookForm title={tw('new')} submit={t('create')} events={webhooks.data.events} onSubmit={create} onClose={() => setCreating(false)} />}
      {made && <Secret title={tw('secretTitle')} text={tw('secretText')} value={made.secret} onClose={() => { setMade(null); route(`/o/${org}/webhooks/${made.id}`); }} />}
    </>
  );
}

function List({ org, all }: { org: string; all: readonly Schemas['Webhook'][] }) {
  return (
    <div class="scroll">
      <table class="list">
        <caption class="unseen">{t('webhooks')}</caption>
        <thead><tr><th scope="col">{tw('address')}</th><th scope="col">{t('state')}</th><th scope="col">{tw('events')}</th><th scope="col">{tw('arrived')}</th><th scope="col">{tw('waiting')}</th><th scope="col">{tw('failed')}</th></tr></thead>
        <tbody>
          {all.map((one) => (
            <tr key={one.id} class={one.status === 'enabled' ? undefined : 'past'}>
              <th scope="row"><a href={`/o/${org}/webhooks/${one.id}`} dir="auto">{one.description || one.url}</a>{one.description && <div class="soft small">{one.url}</div>}</th>
              <td><Badge state={one.status} /></td>
              <td class="soft" data-label={tw('events')}>{one.events.length === 0 ? tw('allEvents') : countw('someEvents', one.events.length)}</td>
              <td class="number" data-label={tw('arrived')}>{number(one.delivered)}</td>
              <td class="number" data-label={tw('waiting')}>{number(one.waiting)}</td>
              <td class="number" data-label={tw('failed')}>{number(one.failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
