import { useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, ask, failureOf, type Schemas } from '../api';
import { date } from '../format';
import { Confirm } from '../parts/confirm';
import { Field, Form, Select } from '../parts/form';
import { Heading } from '../parts/heading';
import { Loaded, reason } from '../parts/loaded';
import { Secret } from '../parts/secret';
import { useMe, useQuery } from '../query';
import { notify } from '../state/notices';
import { cache, meKey } from '../state/session';
import { to } from '../organization_words';
import { t } from '../words';

type Person = Schemas['Person'];
type Role = Schemas['Role'];

const roles: readonly Role[] = ['member', 'supervisor', 'admin'];
const roleOptions = () => roles.map((role) => [role, t(`role_${role}`)] as const);

/** Who belongs to the organization, and who is invited. */
export function People() {
  const org = useRoute().params.org ?? '';
  const me = useMe();
  const key = ['people', org];
  const people = useQuery({ key, load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/people', { params: { path: { orgId: org } }, signal })) });
  const mails = useQuery({ key: ['sign-in'], load: (signal) => ask(api.GET('/api/dashboard/sign-in', { signal })) }).data?.mail ?? false;
  const refresh = () => cache.invalidateQueries({ queryKey: key });
  const [secret, setSecret] = useState<{ title: string; text: string; value: string } | null>(null);
  const [leaving, setLeaving] = useState<Person | null>(null);
  const [stepless, setStepless] = useState<Person | null>(null);

  const act = async (what: string, action: () => Promise<void>) => {
    try {
      await action();
    } catch (error) {
      notify(`${t('couldNot', { what })} ${reason(failureOf(error))}`);
    }
    await refresh();
  };
  const invite = async (email: string, role: Role, byLink: boolean) => {
    const { link } = await ask(api.POST('/api/dashboard/organizations/{orgId}/invitations', { params: { path: { orgId: org } }, body: { email, role, ...(byLink && { byLink }) } }));
    if (link) setSecret({ title: to('invited', { email }), text: to('invitedText'), value: link });
    else notify(to('invitedByMail', { email }));
    await refresh();
  };
  const changeRole = (person: Person, role: Role) => act(to('changingRole'), async () => {
    await ask(api.PATCH('/api/dashboard/organizations/{orgId}/people/{userId}', { params: { path: { orgId: org, userId: person.id } }, body: { role } }));
    notify(to('roleChanged', { name: person.name || person.email, role: t(`role_${role}`) }));
    if (person.id === me.data?.user.id) await cache.invalidateQueries({ queryKey: meKey });
  });
  const reset = (person: Person) => act(to('makingLink'), async () => {
    const { link } = await ask(api.POST('/api/dashboard/organizations/{orgId}/people/{userId}/reset', { params: { path: { orgId: org, userId: person.id } } }));
    if (link) setSecret({ title: to('resetLink', { name: person.name || person.email }), text: to('resetLinkText'), value: link });
    else notify(to('resetMailed', { email: person.email }));
  });
  const withdraw = (id: string) => act(to('withdrawing'), async () => {
    await ask(api.DELETE('/api/dashboard/organizations/{orgId}/invitations/{invitationId}', { params: { path: { orgId: org, invitationId: id } } }));
    notify(to('withdrawn'));
  });
  const remove = async (person: Person) => {
    await ask(api.DELETE('/api/dashboard/organizations/{orgId}/people/{userId}', { params: { path: { orgId: org, userId: person.id } } }));
    notify(t('removed', { name: person.name || person.email }));
    await refresh();
  };
  const removeTwoStep = async (person: Person) => {
    await ask(api.DELETE('/api/dashboard/organizations/{orgId}/people/{userId}/two-step', { params: { path: { orgId: org, userId: person.id } } }));
    notify(to('twoStepRemoved', { name: person.name || person.email }));
    await refresh();
  };
  return (
    <>
      <div class="head"><Heading title={t('people')} /></div>
      <section class="card" aria-labelledby="invite">
        <h2 id="invite">{to('invitePerson')}</h2>
        <Form inline reset submit={to(mails ? 'inviteSend' : 'createLink')} onSubmit={({ email = '', role, by }) => invite(email, roles.find((name) => name === role) ?? 'member', by === 'link')}>
          <Field label={t('email')} name="email" type="email" maxLength={254} />
          <Select label={to('role')} name="role" options={roleOptions()} />
          {mails && <Select label={to('inviteBy')} name="by" options={[['mail', to('inviteByMail')], ['link', to('inviteByLink')]]} />}
        </Form>
        <p class="soft small">{to('rolesText')}</p>
      </section>
      <Loaded of={people} what={to('whatPeople')} rows={4}>
        {({ people: all, invitations }) => (
          <>
            <div class="scroll">
              <table class="list people">
                <caption class="unseen">{t('people')}</caption>
                <thead><tr><th scope="col">{t('name')}</th><th scope="col">{t('email')}</th><th scope="col">{to('role')}</th><th scope="col">{t('actions')}</th></tr></thead>
                <tbody>
                  {all.map((person) => (
                    <tr key={person.id}>
                      <th scope="row" dir="auto">{person.name || '–'}{person.id === me.data?.user.id && <span class="soft"> ({t('you')})</span>}</th>
                      <td dir="auto">{person.email}{!person.hasPassword && <span class="soft small"> · {to('noPassword')}</span>}{person.twoStep && <span class="soft small"> · {t('twoStep')}</span>}{person.passkeys > 0 && <span class="soft small"> · {t('passkeys')}</span>}</td>
                      <td><Select label={to('roleOf', { name: person.name || person.email })} quiet value={person.role} options={roleOptions()}
                        onChange={(role) => void changeRole(person, roles.find((name) => name === role) ?? person.role)} /></td>
                      <td class="actions">
                        <button type="button" onClick={() => void reset(person)}>{to('resetDo')}<span class="unseen"> {person.email}</span></button>
                        {(person.twoStep || person.passkeys > 0) && person.id !== me.data?.user.id && <button type="button" onClick={() => setStepless(person)}>{t('twoStepEnd')}<span class="unseen"> {person.email}</span></button>}
                        <button type="button" class="danger outline" onClick={() => setLeaving(person)}>{t('remove')}<span class="unseen"> {person.email}</span></button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {invitations.length > 0 && (
              <section class="below">
                <h2>{to('invitations')}</h2>
                <div class="scroll">
                  <table class="list invitations">
                    <caption class="unseen">{to('invitations')}</caption>
                    <thead><tr><th scope="col">{t('email')}</th><th scope="col">{to('role')}</th><th scope="col">{t('expires')}</th><th scope="col">{t('actions')}</th></tr></thead>
                    <tbody>
                      {invitations.map((invitation) => (
                        <tr key={invitation.id}>
                          <th scope="row" dir="auto">{invitation.email}{invitation.mail && <span class={invitation.mail === 'failed' ? 'wrong small' : 'soft small'} title={invitation.problem ?? undefined}> · {to(`mail_${invitation.mail}`)}</span>}</th><td>{t(`role_${invitation.role}`)}</td><td class="soft" data-label={t('expires')}>{date(invitation.expiresAt)}</td>
                          <td class="actions"><button type="button" onClick={() => void withdraw(invitation.id)}>{to('withdraw')}<span class="unseen"> {invitation.email}</span></button></td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              </section>
            )}
          </>
        )}
      </Loaded>
      {secret && <Secret {...secret} onClose={() => setSecret(null)} />}
      {stepless && <Confirm title={to('twoStepRemoveTitle', { name: stepless.name || stepless.email })} submit={t('twoStepEnd')} onConfirm={() => removeTwoStep(stepless)} onClose={() => setStepless(null)}><p>{to('twoStepRemoveText')}</p></Confirm>}
      {leaving && <Confirm title={t('removeTitle', { name: leaving.name || leaving.email })} submit={t('remove')} onConfirm={() => remove(leaving)} onClose={() => setLeaving(null)}><p>{t('removeText')}</p></Confirm>}
    </>
  );
}
