import { useLocation, useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { withQuery } from '../filter';
import { date, dateTime, number } from '../format';
import { Dialog } from '../parts/dialog';
import { FilterField } from '../parts/filter_field';
import { Field, Form, Select } from '../parts/form';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';
import { PageLinks } from '../parts/pages';
import { useQuery } from '../query';
import { notify } from '../state/notices';
import { cache } from '../state/session';
import { type OrganizationKey, to } from '../organization_words';
import { t } from '../words';

type Wallet = Schemas['Wallet'];
type Account = Schemas['Movement']['account'];
const accounts: readonly Account[] = ['project', 'recruitment'];

/** The wallets of the organization, and the movements of the one that the address names. */
export function Wallets() {
  const org = useRoute().params.org ?? '';
  const { query } = useLocation();
  const [topping, setTopping] = useState<Wallet | null>(null);
  const wallets = useQuery({ key: ['wallets', org], load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/wallets', { params: { path: { orgId: org } }, signal })) });
  const topUp = async (wallet: Wallet, { account, credits = '', note = '' }: Record<string, string>) => {
    await ask(api.POST('/api/dashboard/organizations/{orgId}/wallets/{walletId}/deposits', {
      params: { path: { orgId: org, walletId: wallet.id } }, body: { account: account as Account, credits: credits.trim().replace(',', '.'), ...(note && { note }) },
    }));
    notify(to('toppedUp', { name: wallet.name, n: credits }));
    setTopping(null);
    await cache.invalidateQueries({ predicate: ({ queryKey: [kind] }) => kind === 'wallets' || kind === 'ledger' });
  };
  return (
    <>
      <div class="head"><Heading title={t('wallets')} /></div>
      <p class="soft">{to('walletsText')}</p>
      <Loaded of={wallets} what={to('whatWallets')} rows={3}>
        {({ wallets: all, mayTopUp }) => {
          const chosen = all.find(({ id }) => id === query.wallet) ?? all[0];
          if (!chosen) return <div class="empty"><h2>{to('noWallets')}</h2><p>{to('noWalletsText')}</p><p><code>verbatim wallet create NAME</code></p></div>;
          return (
            <>
              <div class="scroll">
                <table class="list">
                  <caption class="unseen">{t('wallets')}</caption>
                  <thead><tr><th scope="col">{t('name')}</th><th scope="col" class="number">{to('account_project')}</th><th scope="col" class="number">{to('account_recruitment')}</th><th scope="col" class="number">{to('walletSpent')}</th><th scope="col" class="number">{to('walletLimit')}</th><th scope="col">{t('actions')}</th></tr></thead>
                  <tbody>
                    {all.map((one) => (
                      <tr key={one.id} aria-selected={all.length > 1 && one === chosen ? 'true' : undefined}>
                        <th scope="row" dir="auto"><a href={`/o/${org}/wallets?wallet=${one.id}`}>{one.name}</a></th>
                        <td class="number" data-label={to('account_project')}>{number(one.project.available)}</td>
                        <td class="number" data-label={to('account_recruitment')}>{number(one.recruitment.available)}</td>
                        <td class="number soft" data-label={to('walletSpent')}>{number(one.spent)}</td>
                        <td class="number soft" data-label={to('walletLimit')}>{one.limit === null ? to('walletNoLimit') : number(one.limit)}</td>
                        <td class="actions">{mayTopUp && <button type="button" onClick={() => setTopping(one)}>{to('topUp')}<span class="unseen"> {one.name}</span></button>}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              {!mayTopUp && <p class="soft small">{to('topUpElsewhere')}</p>}
              <Ledger key={chosen.id} org={org} wallet={chosen} />
            </>
          );
        }}
      </Loaded>
      {topping && (
        <Dialog title={to('topUpTitle', { name: topping.name })} onClose={() => setTopping(null)}>
          <Form submit={to('topUp')} onSubmit={(values) => topUp(topping, values)}>
            <Field label={to('credits')} name="credits" maxLength={20} autofocus hint={to('creditsHint')} />
            <Select label={t('account')} name="account" options={accounts.map((one) => [one, to(`account_${one}`)] as const)} />
            <Field label={to('topUpNote')} name="note" required={false} maxLength={200} hint={to('topUpNoteHint')} />
          </Form>
        </Dialog>
      )}
    </>
  );
}

function Ledger({ org, wallet }: { org: string; wallet: Wallet }) {
  const { query, route } = useLocation();
  const account = accounts.find((one) => one === query.account);
  const here = (more: Record<string, string> = {}) => withQuery(`/o/${org}/wallets`, new URLSearchParams({ wallet: wallet.id, ...(account && { account }), ...more }).toString());
  const ledger = useQuery({
    key: ['ledger', org, wallet.id, account ?? '', query.after ?? ''],
    load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/wallets/{walletId}', {
      params: { path: { orgId: org, walletId: wallet.id }, query: { ...(account && { account }), ...(query.after && { after: query.after }) } }, signal,
    })),
    keepBefore: true,
  });
  return (
    <section class="below" aria-labelledby="ledger">
      <h2 id="ledger" dir="auto">{to('ledgerOf', { name: wallet.name })}</h2>
      <Loaded of={ledger} what={to('whatLedger')}>
        {({ movements, days, next }) => (
          <>
            <BalanceChart days={days} account={account ?? 'project'} />
            <div class="bar filters">
              <FilterField label={t('account')} value={account ?? ''} options={[['', to('accountAny')], ...accounts.map((one) => [one, to(`account_${one}`)] as const)]}
                onChange={(value) => route(withQuery(`/o/${org}/wallets`, new URLSearchParams({ wallet: wallet.id, ...(value && { account: value }) }).toString()))} />
            </div>
            {movements.length === 0 ? <div class="empty"><h3>{to('noMovements')}</h3></div> : <Movements movements={movements} />}
            <PageLinks label={to('pagesOfLedger')} first={query.after ? here() : null} next={next ? here({ after: next }) : null} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function Movements({ movements }: { movements: readonly Schemas['Movement'][] }) {
  return (
    <div class="scroll">
      <table class="list">
        <caption class="unseen">{to('ledger')}</caption>
        <thead><tr><th scope="col">{t('what')}</th><th scope="col">{t('when')}</th><th scope="col">{t('account')}</th><th scope="col">{t('study')}</th><th scope="col" class="number">{to('credits')}</th><th scope="col" class="number">{to('balance')}</th><th scope="col" class="number">{to('held')}</th></tr></thead>
        <tbody>
          {movements.map((one) => (
            <tr key={one.id}>
              <th scope="row">{to(`moved_${one.reason}` satisfies OrganizationKey)}</th>
              <td class="soft nowrap"><time dateTime={one.at}>{dateTime(one.at)}</time></td>
              <td class="soft">{to(`account_${one.account}`)}</td>
              <td dir="auto" class="long">{one.study ?? (one.otherOrganization ? to('otherOrganization') : '–')}</td>
              <td class="number" data-label={to('credits')}>{sign[one.reason]}{number(one.credits)}</td>
              <td class="number" data-label={to('balance')}>{number(one.balance)}</td>
              <td class="number soft" data-label={to('held')}>{number(one.held)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const sign: Record<Schemas['Movement']['reason'], string> = { deposit: '+', withdraw: '−', hold: '−', settle: '', release: '+' };

/** What was available in an account at the end of each day. */
function BalanceChart({ days, account }: { days: readonly { day: string; project: number; recruitment: number }[]; account: Account }) {
  const values = days.map((day) => day[account]);
  const [top, last] = [Math.max(...values, 1), values.at(-1) ?? 0];
  const [first, end] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  const label = to('balanceChart', { account: to(`account_${account}`), from: date(first), to: date(end), low: number(Math.min(...values)), high: number(Math.max(...values)), now: number(last) });
  const at = (value: number, i: number) => `${(i / Math.max(1, values.length - 1)) * 300},${58 - (Math.max(0, value) / top) * 54}`;
  const line = values.map(at).join(' ');
  return (
    <figure class="balance">
      <svg viewBox="0 0 300 60" preserveAspectRatio="none" role="img" aria-label={label}>
        <polygon points={`0,58 ${line} 300,58`} />
        <polyline points={line} />
      </svg>
      <figcaption class="soft small"><span>{date(first)}</span><span>{to(`account_${account}`)}</span><span>{date(end)}</span></figcaption>
    </figure>
  );
}
