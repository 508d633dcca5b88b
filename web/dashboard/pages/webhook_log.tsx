import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { withQuery } from '../filter';
import { ago, dateTime, number } from '../format';
import { Badge } from '../parts/badge';
import { Dialog } from '../parts/dialog';
import { Form, Select, useAction } from '../parts/form';
import { Loaded, reason } from '../parts/loaded';
import { PageLinks } from '../parts/pages';
import { eventName } from '../parts/webhook_form';
import { useQuery } from '../query';
import { notify } from '../state/notices';
import { countw, tw } from '../webhook_words';
import { t } from '../words';

type Delivery = Schemas['WebhookDelivery'];
type State = Schemas['DeliveryState'];

const states: readonly State[] = ['waiting', 'delivered', 'failed'];
const pollEvery = 3_000;
const day = 86_400_000;

interface Props {
  org: string;
  webhook: Schemas['Webhook'];
  onChanged: () => Promise<unknown>;
}

/** The messages to a webhook. State and page stand in the address. */
export function WebhookLog({ org, webhook, onChanged }: Props) {
  const { query, route } = useLocation();
  const state = states.find((one) => one === query.state);
  const after = query.after ?? '';
  const here = withQuery(`/o/${org}/webhooks/${webhook.id}`, state ? `state=${state}` : '');
  const [waiting, setWaiting] = useState(false);
  const [asking, setAsking] = useState(false);
  const log = useQuery({
    key: ['deliveries', webhook.id, state ?? '', after],
    load: async (signal) => {
      const page = await ask(api.GET('/api/dashboard/organizations/{orgId}/webhooks/{webhookId}/deliveries', { params: { path: { orgId: org, webhookId: webhook.id }, query: { ...(state && { state }), ...(after && { after }) } }, signal }));
      setWaiting(page.deliveries.some((one) => one.state === 'waiting'));
      return page;
    },
    keepBefore: true,
    ...(waiting && { every: pollEvery }),
  });
  const choose = (value: string) => route(withQuery(`/o/${org}/webhooks/${webhook.id}`, value ? `state=${value}` : ''));
  const replayFailed = async (days: number) => {
    const { count } = await ask(api.POST('/api/dashboard/organizations/{orgId}/webhooks/{webhookId}/replay', { params: { path: { orgId: org, webhookId: webhook.id } }, body: { since: new Date(Date.now() - days * day).toISOString() } }));
    setAsking(false);
    notify(countw('replayedMany', count));
    await onChanged();
  };
  return (
    <>
      <div class="head below">
        <h2>{tw('log')}</h2>
        <Select quiet label={t('state')} value={state ?? ''} onChange={choose} options={[['', t('state_all')], ...states.map((one) => [one, t(`state_${one}`)] as const)]} />
        {webhook.failed > 0 && webhook.status === 'enabled' && <button type="button" onClick={() => setAsking(true)}>{tw('replayFailed')}</button>}
      </div>
      <p class="soft small">{tw('logText')}</p>
      <Loaded of={log} what={tw('whatLog')} rows={4}>
        {({ deliveries, next }) => deliveries.length === 0
          ? <div class="empty"><h3>{tw(state || after ? 'logNoneState' : 'logNone')}</h3>{!state && !after && <p>{tw('logNoneText')}</p>}</div>
          : (
            <>
              <div class="scroll">
                <table class="list">
                  <caption class="unseen">{tw('log')}</caption>
                  <thead><tr><th scope="col">{tw('event')}</th><th scope="col">{t('state')}</th><th scope="col">{tw('about')}</th><th scope="col">{tw('answer')}</th><th scope="col">{tw('lastTry')}</th><th scope="col">{t('actions')}</th></tr></thead>
                  <tbody>{deliveries.map((one) => <Row key={one.eventId} org={org} webhook={webhook} delivery={one} onChanged={onChanged} />)}</tbody>
                </table>
              </div>
              <PageLinks label={tw('pages')} first={after ? here : null} next={next ? withQuery(`/o/${org}/webhooks/${webhook.id}`, new URLSearchParams({ ...(state && { state }), after: next }).toString()) : null} />
            </>
          )}
      </Loaded>
      {asking && (
        <Dialog title={tw('replayFailedTitle')} onClose={() => setAsking(false)}>
          <Form submit={tw('replay')} onSubmit={({ days }) => replayFailed(Number(days))}>
            <Select label={tw('replayFailedText')} name="days" options={[['1', tw('since1')], ['3', tw('since3')], ['30', tw('since30')]]} />
          </Form>
        </Dialog>
      )}
    </>
  );
}

interface RowProps extends Props {
  delivery: Delivery;
}

function Row({ org, webhook, delivery, onChanged }: RowProps) {
  const { busy, failure, run } = useAction();
  const replay = () => run(async () => {
    await ask(api.POST('/api/dashboard/organizations/{orgId}/webhooks/{webhookId}/deliveries/{eventId}/replay', { params: { path: { orgId: org, webhookId: webhook.id, eventId: delivery.eventId } } }));
    notify(tw('replayed'));
    await onChanged();
  });
  const { linkId, number: response, triedAt, dueAt } = delivery;
  return (
    <tr>
      <th scope="row">
        {eventName(delivery.type)}
        <div class="soft small"><time dateTime={delivery.at}>{dateTime(delivery.at)}</time></div>
        {delivery.error && <p class="wrong small">{delivery.error}</p>}
        {failure && <p class="wrong small" role="alert">{reason(failure)}</p>}
      </th>
      <td><Badge state={delivery.state} /></td>
      <td data-label={tw('about')}>{linkId ? <a href={response ? `/p/${linkId}/responses/${response}` : `/p/${linkId}`}>{linkId}{response ? `/${response}` : ''}</a> : '–'}</td>
      <td data-label={tw('answer')}><Answer delivery={delivery} /></td>
      <td class="soft" data-label={tw('lastTry')}>
        {triedAt ? <time dateTime={triedAt} title={dateTime(triedAt)}>{ago(triedAt, Date.now())}</time> : '–'}
        {delivery.attempts > 0 && <div class="small">{countw('tries', delivery.attempts)}{dueAt && `, ${tw('nextTry', { time: dateTime(dueAt) })}`}</div>}
      </td>
      <td class="actions">{delivery.state !== 'waiting' && webhook.status === 'enabled' && <button type="button" disabled={busy} onClick={() => void replay()}>{tw('replay')}<span class="unseen"> {eventName(delivery.type)} {delivery.eventId}</span></button>}</td>
    </tr>
  );
}

function Answer({ delivery }: { delivery: Delivery }) {
  if (delivery.attempts === 0) return <>–</>;
  const line = <>{delivery.httpStatus ?? tw('noAnswer')} <span class="soft small">{tw('milliseconds', { n: number(delivery.durationMs) })}</span></>;
  if (!delivery.answer) return line;
  return <details><summary>{line}<span class="unseen"> {tw('answerBody')}</span></summary><pre class="small">{delivery.answer}</pre></details>;
}
