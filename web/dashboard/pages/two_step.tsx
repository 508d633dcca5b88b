import { useState } from 'preact/hooks';
import { api, ask } from '../api';
import { date } from '../format';
import { CodeField } from '../parts/code';
import { Dialog } from '../parts/dialog';
import { Field, Form } from '../parts/form';
import { Loaded } from '../parts/loaded';
import { Qr } from '../parts/qr';
import { useQuery } from '../query';
import { notify } from '../state/notices';
import { cache } from '../state/session';
import { t } from '../words';

const key = ['two-step'] as const;
const refresh = () => cache.invalidateQueries({ queryKey: key });

interface AppSecret {
  secret: string;
  address: string;
}

/** The second step of the own sign-in: turn it on and off, and get recovery codes. */
export function TwoStep({ email }: { email: string }) {
  const step = useQuery({ key, load: (signal) => ask(api.GET('/api/dashboard/session/two-step', { signal })) });
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Loaded of={step} what={t('whatTwoStep')} rows={3}>
      {({ on, since, recoveryCodes }) => (
        <>
          {on ? <On since={since ?? ''} left={recoveryCodes} onCodes={setCodes} /> : <Off email={email} onCodes={setCodes} />}
          {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
        </>
      )}
    </Loaded>
  );
}

interface OffProps {
  email: string;
  onCodes: (codes: readonly string[]) => void;
}

function Off({ email, onCodes }: OffProps) {
  const [made, setMade] = useState<AppSecret | null>(null);
  const start = async (password: string) => setMade(await ask(api.POST('/api/dashboard/session/two-step', { body: { password } })));
  const confirm = async (code: string) => {
    onCodes((await ask(api.POST('/api/dashboard/session/two-step/confirmation', { body: { code } }))).recoveryCodes);
    setMade(null);
    await refresh();
  };
  if (!made) {
    return (
      <>
        <p>{t('twoStepOffText')}</p>
        <Form submit={t('twoStepStart')} onSubmit={({ password = '' }) => start(password)}>
          <input type="hidden" autocomplete="username" value={email} />
          <Field label={t('currentPassword')} name="password" type="password" autocomplete="current-password" maxLength={256} />
        </Form>
      </>
    );
  }
  return (
    <>
      <p>{t('twoStepScan')}</p>
      <div class="qr"><Qr text={made.address} label={t('twoStepQr')} /></div>
      <p class="soft small">{t('twoStepType')}</p>
      <p class="mono secret">{made.secret.match(/.{1,4}/g)?.join(' ')}</p>
      <p><a href={made.address}>{t('twoStepOpen')}</a></p>
      <Form submit={t('twoStepOn')} onSubmit={({ code = '' }) => confirm(code)}><CodeField hint={t('codeFirst')} /></Form>
      <p class="after"><button type="button" onClick={() => setMade(null)}>{t('cancel')}</button></p>
    </>
  );
}

interface OnProps {
  since: string;
  left: number;
  onCodes: (codes: readonly string[]) => void;
}

function On({ since, left, onCodes }: OnProps) {
  const [asked, setAsked] = useState<'codes' | 'end' | null>(null);
  const replace = async (code: string) => {
    onCodes((await ask(api.POST('/api/dashboard/session/two-step/recovery-codes', { body: { code } }))).recoveryCodes);
    await refresh();
  };
  const end = async (code: string) => {
    await ask(api.POST('/api/dashboard/session/two-step/end', { body: { code } }));
    notify(t('twoStepEnded'));
    await refresh();
  };
  const close = () => setAsked(null);
  return (
    <>
      <p><span class="badge good">{t('on')}</span> {t('since', { date: date(since) })}</p>
      <p class={left < 3 ? 'wrong' : 'soft'}>{t('recoveryLeft', { n: left })}</p>
      <p class="actions">
        <button type="button" onClick={() => setAsked('codes')}>{t('recoveryNew')}</button>
        <button type="button" class="danger outline" onClick={() => setAsked('end')}>{t('twoStepEnd')}</button>
      </p>
      {asked && (
        <Dialog title={t(asked === 'end' ? 'twoStepEnd' : 'recoveryNew')} onClose={close}>
          <p>{t(asked === 'end' ? 'twoStepEndText' : 'recoveryNewText')}</p>
          <Form danger={asked === 'end'} submit={t(asked === 'end' ? 'twoStepEnd' : 'recoveryNew')}
            onSubmit={async ({ code = '' }) => { await (asked === 'end' ? end(code) : replace(code)); close(); }}>
            <CodeField />
          </Form>
        </Dialog>
      )}
    </>
  );
}

interface CodesProps {
  codes: readonly string[];
  onClose: () => void;
}

/** Shows recovery codes, once. */
function RecoveryCodes({ codes, onClose }: CodesProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      setCopied(true);
    } catch {
      // without TLS there is no clipboard: the list can be selected
    }
  };
  return (
    <Dialog title={t('recoveryTitle')} onClose={onClose}>
      <p>{t('recoveryText')}</p>
      <ul class="mono recovery">{codes.map((code) => <li key={code}>{code}</li>)}</ul>
      <p class="actions">
        <button type="button" onClick={() => void copy()}>{t('copy')}</button>
        <button type="button" class="primary" onClick={onClose}>{t('recoveryKept')}</button>
      </p>
      <p role="status" class="good">{copied ? t('copied') : ''}</p>
    </Dialog>
  );
}

