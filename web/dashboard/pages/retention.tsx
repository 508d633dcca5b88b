import { useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { dateTime, number } from '../format';
import { Confirm } from '../parts/confirm';
import { Dialog } from '../parts/dialog';
import { Field, Form, Select } from '../parts/form';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';
import { useQuery } from '../query';
import { notify } from '../state/notices';
import { cache } from '../state/session';
import { countThere, to } from '../organization_words';
import { count, t } from '../words';

type Rule = Schemas['Retention'];
type Given = Schemas['RetentionGiven'];
type Preview = Schemas['RetentionPreview'];

/** A rule that is looked at before it is saved. */
interface Proposal {
  given: Given;
  effectiveAt: string;
  studies: readonly Preview[];
}

/** How long the organization keeps responses and recordings. */
export function Retention() {
  const org = useRoute().params.org ?? '';
  const path = { params: { path: { orgId: org } } };
  const rules = useQuery({ key: ['retention', org], load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/retention', { ...path, signal })) });
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const [editing, setEditing] = useState<{ study?: string; rule: Rule | null } | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);
  const refresh = () => cache.invalidateQueries({ queryKey: ['retention', org] });
  const look = async (given: Given) => {
    setProposal({ given, ...(await ask(api.POST('/api/dashboard/organizations/{orgId}/retention/preview', { ...path, body: given }))) });
    setEditing(null);
  };
  const save = async ({ given }: Proposal) => {
    await ask(api.PUT('/api/dashboard/organizations/{orgId}/retention', { ...path, body: given }));
    notify(to('retentionSaved'));
    await refresh();
  };
  const remove = async (study: string) => {
    await ask(api.DELETE('/api/dashboard/organizations/{orgId}/retention/studies/{ruleStudy}', { params: { path: { orgId: org, ruleStudy: study } } }));
    notify(to('retentionRemoved'));
    await refresh();
  };
  return (
    <>
      <div class="head"><Heading title={t('retention')} /></div>
      <p class="soft">{to('retentionText')}</p>
      <Loaded of={rules} what={to('whatRetention')} rows={4}>
        {({ rule, studies, receipts }) => (
          <>
            <section class="card" aria-labelledby="all-studies">
              <h2 id="all-studies">{to('retentionAll')}</h2>
              <RuleText rule={rule} />
              <p class="actions"><button type="button" class="primary" onClick={() => setEditing({ rule })}>{t('change')}</button></p>
            </section>
            <section class="card" aria-labelledby="of-studies">
              <h2 id="of-studies">{to('retentionStudies')}</h2>
              {studies.length === 0 && <p class="soft">{to('retentionNoStudies')}</p>}
              {studies.map((one) => (
                <div key={one.linkId} class="own-rule">
                  <h3 dir="auto"><a href={`/p/${encodeURIComponent(one.linkId)}`}>{one.title}</a></h3>
                  <RuleText rule={one.rule} />
                  <p class="actions">
                    <button type="button" onClick={() => setEditing({ study: one.linkId, rule: one.rule })}>{t('change')}<span class="unseen"> {one.title}</span></button>
                    <button type="button" class="danger outline" onClick={() => setRemoving(one.linkId)}>{t('remove')}<span class="unseen"> {one.title}</span></button>
                  </p>
                </div>
              ))}
              <p class="actions"><button type="button" onClick={() => setEditing({ study: '', rule })}>{to('retentionAdd')}</button></p>
            </section>
            <Receipts receipts={receipts} />
          </>
        )}
      </Loaded>
      {editing && (
        <Dialog title={to(editing.study === undefined ? 'retentionAll' : 'retentionOne')} onClose={() => setEditing(null)}>
          <RuleForm study={editing.study} rule={editing.rule} onLook={look} />
        </Dialog>
      )}
      {proposal && (
        <Confirm title={to('retentionPreview')} submit={to('retentionSave')} onConfirm={() => save(proposal)} onClose={() => setProposal(null)}><PreviewText proposal={proposal} /></Confirm>
      )}
      {removing && <Confirm title={to('retentionRemoveTitle')} submit={t('remove')} onConfirm={() => remove(removing)} onClose={() => setRemoving(null)}><p>{to('retentionRemoveText')}</p></Confirm>}
    </>
  );
}

const kept = (days: number | null, otherwise: 'keptForever' | 'keptWithResponse') => (days === null ? to(otherwise) : countThere('keptDays', days));

function RuleText({ rule }: { rule: Rule | null }) {
  if (!rule) return <p>{to('retentionNone')}</p>;
  const waits = Date.parse(rule.effectiveAt) > Date.now();
  return (
    <>
      {rule.legalHold && <p class="warn"><strong>{to('legalHold')}</strong> {to('legalHoldText')}</p>}
      <dl class="rule">
        <div><dt>{to('recordings')}</dt><dd>{kept(rule.recordingDays, 'keptWithResponse')}{rule.recordingDays !== null && rule.transcripts === 'delete' && `; ${to('withTranscripts')}`}</dd></div>
        <div><dt>{t('responsesTitle')}</dt><dd>{kept(rule.responseDays, 'keptForever')}</dd></div>
      </dl>
      {waits && !rule.legalHold && <p class="warn">{to('retentionFrom', { when: dateTime(rule.effectiveAt) })}</p>}
    </>
  );
}

function RuleForm({ study, rule, onLook }: { study: string | undefined; rule: Rule | null; onLook: (given: Given) => Promise<void> }) {
  const look = ({ link, recordings = '', responses = '', transcripts, hold }: Record<string, string>) => onLook({
    ...(study !== undefined && { study: study || (link ?? '').trim().replace(/^.*\//, '') }),
    ...(recordings !== '' && { recordingDays: Number(recordings) }), ...(responses !== '' && { responseDays: Number(responses) }),
    transcripts: transcripts === 'delete' ? 'delete' : 'keep', legalHold: hold === 'on',
  });
  const days = (n: number | null | undefined) => (n ? String(n) : '');
  return (
    <Form submit={to('retentionLook')} onSubmit={look}>
      {study === '' && <Field label={to('retentionLink')} name="link" maxLength={200} hint={to('retentionLinkHint')} />}
      <Field label={to('retentionRecordings')} name="recordings" type="number" min={1} max={3650} required={false} value={days(rule?.recordingDays)} hint={to('retentionRecordingsHint')} />
      <Field label={to('retentionResponses')} name="responses" type="number" min={1} max={3650} required={false} value={days(rule?.responseDays)} hint={to('retentionResponsesHint')} />
      <Select label={to('retentionTranscripts')} name="transcripts" value={rule?.transcripts ?? 'keep'} options={[['keep', to('transcriptsKeep')], ['delete', to('transcriptsDelete')]]} />
      <Select label={to('legalHold')} name="hold" value={rule?.legalHold ? 'on' : 'off'} options={[['off', to('holdOff')], ['on', to('holdOn')]]} />
    </Form>
  );
}

function PreviewText({ proposal: { effectiveAt, studies } }: { proposal: Proposal }) {
  return (
    <>
      <p>{to('previewFrom', { when: dateTime(effectiveAt) })}</p>
      {studies.length === 0 ? <p><strong>{to('previewNothing')}</strong></p> : (
        <div class="scroll receipts">
          <table>
            <thead><tr><th scope="col">{t('study')}</th><th scope="col">{to('previewFirst')}</th><th scope="col">{to('previewWeek')}</th><th scope="col">{to('previewMonth')}</th></tr></thead>
            <tbody>
              {studies.map((one) => (
                <tr key={one.linkId}>
                  <th scope="row" dir="auto">{one.title}</th>
                  {one.held ? <td colSpan={3}>{to('legalHold')}</td> : [one.first, one.week, one.month].map((amount, i) => <td key={i}>{amountText(amount)}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

const amountText = ({ responses, recordings }: Preview['first']): string =>
  [responses > 0 && count('responses', responses), recordings > 0 && countThere('recordingsOf', recordings)].filter(Boolean).join(', ') || '–';

function Receipts({ receipts }: { receipts: readonly Schemas['RetentionReceipt'][] }) {
  return (
    <section class="below" aria-labelledby="receipts">
      <h2 id="receipts">{to('retentionReceipts')}</h2>
      {receipts.length === 0 ? <p class="soft">{to('retentionNoReceipts')}</p> : (
        <div class="scroll">
          <table class="list">
            <caption class="unseen">{to('retentionReceipts')}</caption>
            <thead><tr><th scope="col">{t('study')}</th><th scope="col">{t('when')}</th><th scope="col" class="number">{t('responsesTitle')}</th><th scope="col" class="number">{to('recordings')}</th><th scope="col" class="number">{to('transcripts')}</th><th scope="col">{t('receipt')}</th></tr></thead>
            <tbody>
              {receipts.map((one) => (
                <tr key={one.id}>
                  <th scope="row" dir="auto">{one.title || one.linkId}</th>
                  <td class="soft"><time dateTime={one.at}>{dateTime(one.at)}</time></td>
                  <td class="number" data-label={t('responsesTitle')}>{number(one.responses)}</td>
                  <td class="number" data-label={to('recordings')}>{number(one.recordings)}</td>
                  <td class="number" data-label={to('transcripts')}>{number(one.transcripts)}</td>
                  <td class="small"><code>{one.id}</code></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
