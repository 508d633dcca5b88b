import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { te } from '../editor/words';
import { useAction } from '../parts/form';
import { Loaded, reason } from '../parts/loaded';
import { useQuery } from '../query';
import { t } from '../words';

type Member = Schemas['StudyMember'];

/** Who may change a study besides admins, supervisors and its owner. */
export function Sharing({ link }: { link: string }) {
  const people = useQuery({ key: ['grants', link], load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/grants', { params: { path: { studyRef: link } }, signal })) });
  return (
    <section class="card" aria-labelledby="sharing">
      <h2 id="sharing">{te('sharing')}</h2>
      <p class="soft">{te('sharingText')}</p>
      <Loaded of={people} what={te('whatSharing')} rows={3}>
        {({ people: all }) => {
          const members = all.filter(({ role }) => role === 'member');
          return members.length === 0 ? <p class="soft">{te('sharingNone')}</p> : <ul>{members.map((member) => <Row key={member.id} link={link} member={member} onChanged={people.retry} />)}</ul>;
        }}
      </Loaded>
    </section>
  );
}

function Row({ link, member, onChanged }: { link: string; member: Member; onChanged: () => Promise<unknown> }) {
  const { busy, failure, run } = useAction();
  const owner = member.mayChange && !member.granted;
  const params = { params: { path: { studyRef: link, userId: member.id } } };
  const [wanted, setWanted] = useState<boolean | null>(null); // shown until the server has answered
  const change = async (on: boolean) => {
    setWanted(on);
    await run(async () => {
      await ask(on ? api.PUT('/api/dashboard/studies/{studyRef}/grants/{userId}', params) : api.DELETE('/api/dashboard/studies/{studyRef}/grants/{userId}', params));
      await onChanged();
    });
    setWanted(null);
  };
  return (
    <li>
      <label class="check"><input type="checkbox" checked={wanted ?? member.mayChange} disabled={owner} aria-busy={busy} onChange={(event) => void change(event.currentTarget.checked)} /><span dir="auto">{member.name || member.email}</span>{owner && <span class="soft small">{t('owner')}</span>}</label>
      {failure && <p class="wrong small" role="alert">{reason(failure)}</p>}
    </li>
  );
}
