import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { Integer } from '../editor/fields';
import { ChangeList } from '../editor/history_panel';
import { LinkTools } from '../editor/link_tools';
import { problemText } from '../editor/problem_text';
import { counte, te } from '../editor/words';
import { number } from '../format';
import { Confirm } from '../parts/confirm';
import { Select, useAction } from '../parts/form';
import { Icon } from '../parts/icon';
import { Loaded, reason } from '../parts/loaded';
import { StudyHead } from '../parts/study_head';
import { useStudyPage } from '../parts/study_page';
import { useQuery } from '../query';
import { notify } from '../state/notices';
import { cache } from '../state/session';
import { t } from '../words';
import { Sharing } from './sharing';

type Check = Schemas['LaunchCheck'];

/** What stands before the launch; then the link for participants. */
export function Launch() {
  const { study } = useStudyPage();
  return <Loaded page of={study} what={t('whatStudy')}>{(detail) => <StudyLaunch detail={detail} />}</Loaded>;
}

function StudyLaunch({ detail }: { detail: Schemas['StudyDetail'] }) {
  const { study } = detail;
  const path = { studyRef: study.linkId };
  const check = useQuery({ key: ['launch-check', study.id], load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/launch-check', { params: { path }, signal })) });
  const refresh = async () => {
    await Promise.all([['launch-check', study.id], ['study'], ['studies']].map((queryKey) => cache.invalidateQueries({ queryKey })));
  };
  const launched = study.state !== 'draft';
  return (
    <>
      <StudyHead detail={detail} here="launch" />
      <Loaded of={check} what={te('whatChecks')} rows={5}>
        {(found) => (
          <div class="launch">
            {launched && <LinkTools link={found.participantLink} name={study.linkId} parameters={found.parameters} open={study.state === 'live'} />}
            {(!launched || found.unpublished) && <Checks detail={detail} check={found} launched={launched} onLaunched={refresh} />}
            {launched && !found.unpublished && <p class="card good"><Icon name="check" /> {te('allPublished')}</p>}
            {detail.organization.role !== 'member' && <Sharing link={study.linkId} />}
            {study.state === 'live' && detail.mayChange && <Close path={path} onClosed={refresh} />}
          </div>
        )}
      </Loaded>
    </>
  );
}

interface ChecksProps {
  detail: Schemas['StudyDetail'];
  check: Check;
  launched: boolean;
  onLaunched: () => Promise<void>;
}

function Checks({ detail, check, launched, onLaunched }: ChecksProps) {
  const { study } = detail;
  const [wallet, setWallet] = useState(check.walletId ?? check.wallets.find(({ canPay }) => canPay)?.id ?? check.wallets[0]?.id ?? '');
  const { busy, failure, run } = useAction();
  const launch = () => run(async () => {
    await ask(api.POST('/api/dashboard/studies/{studyRef}/launch', {
      params: { path: { studyRef: study.linkId } }, body: { version: check.version, ...(!launched && check.wallets.length > 1 && wallet && { walletId: wallet }) },
    }));
    notify(te(launched ? 'publishedNow' : 'launchedNow'));
    await onLaunched();
  });
  const shown = [...check.checks].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  return (
    <section class="card" aria-labelledby="checks">
      <h2 id="checks">{te(launched ? 'publishTitle' : 'launchTitle')}</h2>
      {launched && <p class="soft">{te('publishText')}</p>}
      <ul class="checks">
        {shown.map((one) => (
          <li key={one.code + one.message + one.pointer} class={one.severity === 'error' ? 'wrong' : one.severity === 'advice' ? 'warned' : 'good'}>
            <Icon name={one.severity === 'ok' ? 'check' : 'warning'} /><span><span class="unseen">{te(`severity_${one.severity}`)}: </span>{problemText(one)}</span>
            {one.code === 'guide' && one.severity !== 'ok' && one.pointer !== null && <a class="button" href={`/p/${encodeURIComponent(study.linkId)}/edit#${encodeURIComponent(one.itemId ?? 'settings')}`}>{te('goThere')}</a>}
          </li>
        ))}
      </ul>
      {launched && <Consequences link={study.linkId} />}
      {!launched && <Cost check={check} wallet={wallet} onWallet={setWallet} />}
      {failure && <p class="wrong" role="alert">{reason(failure)}</p>}
      {check.mayLaunch
        ? <button type="button" class="primary" disabled={busy || !check.ready} onClick={() => void launch()}>{te(launched ? 'publish' : 'launch')}</button>
        : <p class="soft">{te('mayNotLaunch')}</p>}
      {check.mayLaunch && !check.ready && <p class="soft small">{te('notReady')}</p>}
    </section>
  );
}

const order = ['error', 'advice', 'ok'];

/** What participants get now, compared with what they will get. */
function Consequences({ link }: { link: string }) {
  const changes = useQuery({ key: ['changes', link, 'published'], load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/draft/changes', { params: { path: { studyRef: link }, query: { from: 'published' } }, signal })) });
  return <Loaded of={changes} what={te('whatChanges')} rows={3}>{({ changes: all, more }) => <><ChangeList changes={all} />{more > 0 && <p class="soft">{counte('moreChanges', more)}</p>}</>}</Loaded>;
}

function Cost({ check, wallet, onWallet }: { check: Check; wallet: string; onWallet: (id: string) => void }) {
  const [expected, setExpected] = useState<number | undefined>(30);
  const chosen = check.wallets.find(({ id }) => id === wallet);
  if (check.wallets.length === 0) return <p class="soft">{te('noBilling')}</p>;
  const cost = (expected ?? 0) * check.price;
  const short = chosen && chosen.balance < cost;
  return (
    <div class="cost">
      <div class="fields">
        {check.wallets.length > 1
          ? <Select label={te('wallet')} value={wallet} options={check.wallets.map(({ id, name, balance }) => [id, te('walletNamed', { name, balance: number(balance) })])} onChange={onWallet} />
          : <p class="field"><span class="label">{te('wallet')}</span><span dir="auto">{te('walletNamed', { name: chosen?.name ?? '', balance: number(chosen?.balance ?? 0) })}</span></p>}
        <Integer label={te('expected')} at="expected" value={expected} max={1_000_000} onInput={setExpected} />
      </div>
      <p class={short ? 'wrong' : undefined} role="status">{te('expectedCost', { n: number(expected ?? 0), price: number(check.price), cost: number(cost) })} {short && te('tooFew', { n: number(Math.floor(chosen.balance / (check.price || 1))) })}</p>
    </div>
  );
}

function Close({ path, onClosed }: { path: { studyRef: string }; onClosed: () => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const close = async () => {
    await ask(api.POST('/api/dashboard/studies/{studyRef}/close', { params: { path } }));
    notify(te('closedNow'));
    await onClosed();
  };
  return (
    <section class="card" aria-labelledby="closing">
      <h2 id="closing">{te('closeTitle')}</h2>
      <p class="soft">{te('closeText')}</p>
      <button type="button" class="danger outline" onClick={() => setAsking(true)}>{te('closeStudy')}</button>
      {asking && <Confirm title={te('closeAsk')} submit={te('closeStudy')} onConfirm={close} onClose={() => setAsking(false)}><p>{te('closeText')}</p></Confirm>}
    </section>
  );
}
