import { useLocation, useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { dateTime } from '../format';
import { Badge } from '../parts/badge';
import { Confirm } from '../parts/confirm';
import { useAction } from '../parts/form';
import { Heading } from '../parts/heading';
import { Loaded, reason } from '../parts/loaded';
import { Secret } from '../parts/secret';
import { eventName, WebhookForm, type WebhookInput } from '../parts/webhook_form';
import { useQuery } from '../query';
import { notify } from '../state/notices';
import { cache } from '../state/session';
import { tw } from '../webhook_words';
import { t } from '../words';
import { WebhookLog } from './webhook_log';

/** A webhook with what was sent to it. */
export function Webhook() {
  const { org = '', webhook: id = '' } = useRoute().params;
  const at = { path: { orgId: org, webhookId: id } };
  const webhook = useQuery({ key: ['webhook', org, id], load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/webhooks/{webhookId}', { params: at, signal })) });
  return <Loaded page of={webhook} what={tw('whatOne')} rows={4}>{(one) => <Detail org={org} webhook={one} />}</Loaded>;
}

type Asked = 'edit' | 'rotate' | 'delete' | null;

function Detail({ org, webhook }: { org: string; webhook: Schemas['Webhook'] }) {
  const { route } = useLocation();
  const params = { path: { orgId: org, webhookId: webhook.id } };
  const [asked, setAsked] = useState<Asked>(null);
  const [secret, setSecret] = useState('');
  const { busy, failure, run } = useAction();
  const refresh = () => Promise.all([cache.invalidateQueries({ queryKey: ['webhook', org, webhook.id] }), cache.invalidateQueries({ queryKey: ['webhooks', org] }), cache.invalidateQueries({ queryKey: ['deliveries', webhook.id] })]);
  const change = async (body: Partial<WebhookInput> & { status?: 'enabled' | 'disabled' }) => {
    await ask(api.PATCH('/api/dashboard/organizations/{orgId}/webhooks/{webhookId}', { params, body }));
    await refresh();
  };
  const edit = async (input: WebhookInput) => {
    await change(input);
    setAsked(null);
    notify(tw('saved'));
  };
  const enable = (on: boolean) => run(async () => {
    await change({ status: on ? 'enabled' : 'disabled' });
    notify(tw(on ? 'enabledNow' : 'disabledNow'));
  });
  const test = () => run(async () => {
    await ask(api.POST('/api/dashboard/organizations/{orgId}/webhooks/{webhookId}/test', { params }));
    notify(tw('tested'));
    await refresh();
  });
  const rotate = async () => {
    const rotated = await ask(api.POST('/api/dashboard/organizations/{orgId}/webhooks/{webhookId}/secret', { params }));
    setSecret(rotated.secret);
  };
  const remove = async () => {
    await ask(api.DELETE('/api/dashboard/organizations/{orgId}/webhooks/{webhookId}', { params }));
    notify(tw('deleted'));
    route(`/o/${org}/webhooks`);
    await cache.invalidateQueries({ queryKey: ['webhooks', org] });
  };
  const on = webhook.status === 'enabled';
  return (
    <>
      <p class="small"><a href={`/o/${org}/webhooks`}>{t('webhooks')}</a></p>
      <div class="head"><Heading title={webhook.description || webhook.url} /><Badge state={webhook.status} /></div>
      <Condition webhook={webhook} />
      <section class="card" aria-label={t('detail')}>
        <dl class="facts">
          <div><dt class="soft small">{tw('address')}</dt><dd><code>{webhook.url}</code></dd></div>
          <div><dt class="soft small">{tw('events')}</dt><dd>{webhook.events.length === 0 ? tw('allEvents') : webhook.events.map(eventName).join(', ')}</dd></div>
          {webhook.studies.length > 0 && <div><dt class="soft small">{tw('studies')}</dt><dd>{webhook.studies.join(', ')}</dd></div>}
          {webhook.answers && <div><dt class="soft small">{tw('answers')}</dt><dd>{t('on')}</dd></div>}
        </dl>
        <p class="actions">
          <button type="button" class="primary" disabled={busy} onClick={() => void test()}>{tw('test')}</button>
          <button type="button" onClick={() => setAsked('edit')}>{tw('edit')}</button>
          <button type="button" onClick={() => setAsked('rotate')}>{tw('rotate')}</button>
          <button type="button" disabled={busy} onClick={() => void enable(!on)}>{tw(on ? 'disable' : 'enable')}</button>
          <button type="button" class="danger outline" onClick={() => setAsked('delete')}>{tw('delete')}</button>
        </p>
        {failure && <p class="wrong" role="alert">{reason(failure)}</p>}
      </section>
      <WebhookLog org={org} webhook={webhook} onChanged={refresh} />
      {asked === 'edit' && <Edit org={org} webhook={webhook} onSubmit={edit} onClose={() => setAsked(null)} />}
      {asked === 'rotate' && <Confirm title={tw('rotateTitle')} submit={tw('rotate')} onConfirm={rotate} onClose={() => setAsked(null)}><p>{tw('rotateText')}</p></Confirm>}
      {asked === 'delete' && <Confirm title={tw('deleteTitle')} submit={tw('delete')} onConfirm={remove} onClose={() => setAsked(null)}><p>{tw('deleteText')}</p></Confirm>}
      {secret && <Secret title={tw('secretTitle')} text={tw('secretText')} value={secret} onClose={() => setSecret('')} />}
    </>
  );
}

/** What is wrong with a webhook, if something is. */
function Condition({ webhook }: { webhook: Schemas['Webhook'] }) {
  if (webhook.status === 'failing') return <div class="message wrong" role="status"><p><b>{tw('failingTitle')}</b> {webhook.reason}.</p><p>{tw('failingText')}</p></div>;
  if (webhook.status === 'disabled') return <p class="soft">{tw('disabledText')}</p>;
  return webhook.failingSince ? <p class="message warn" role="status">{tw('troubleText', { time: dateTime(webhook.failingSince) })}</p> : null;
}

interface EditProps {
  org: string;
  webhook: Schemas['Webhook'];
  onSubmit: (input: WebhookInput) => Promise<unknown>;
  onClose: () => void;
}

/** The form of a webhook, once the events that there are have come. */
function Edit({ org, webhook, onSubmit, onClose }: EditProps) {
  const all = useQuery({ key: ['webhooks', org], load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/webhooks', { params: { path: { orgId: org } }, signal })) });
  return all.data ? <WebhookForm title={tw('editTitle')} submit={t('save')} events={all.data.events} webhook={webhook} onSubmit={onSubmit} onClose={onClose} /> : null;
}
