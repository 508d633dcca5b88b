import { api, ask, type Schemas } from '../api';
import { number } from '../format';
import { useState } from 'preact/hooks';
import { Badge } from '../parts/badge';
import { useAction } from '../parts/form';
import { Heading } from '../parts/heading';
import { Loaded, reason } from '../parts/loaded';
import { useQuery } from '../query';
import { knownThere, to } from '../organization_words';
import { known, t } from '../words';

type Part = Schemas['InstancePart'];
interface Tried { works: boolean; seconds: number; note: string; problem: string }

/** The parts of the installation, each with what is known of it and a button that tries it. */
export function Instance() {
  const instance = useQuery({ key: ['instance'], load: (signal) => ask(api.GET('/api/dashboard/instance', { signal })) });
  return (
    <>
      <div class="head"><Heading title={t('instance')} /></div>
      <p class="soft">{to('instanceText')}</p>
      <Loaded of={instance} what={to('whatInstance')}>
        {({ version, parts }) => (
          <>
            <p>{to('instanceVersion', { version })}</p>
            <div class="columns">{parts.map((part) => <PartCard key={part.name} part={part} />)}</div>
          </>
        )}
      </Loaded>
    </>
  );
}

function PartCard({ part }: { part: Part }) {
  const { busy, failure, run } = useAction();
  const [tried, setTried] = useState<Tried | null>(null);
  const name = known(`part_${part.name}`) ?? part.name;
  const attempt = () => run(async () => {
    setTried(null);
    setTried(await ask(api.POST('/api/dashboard/instance/parts/{part}/try', { params: { path: { part: part.name } } })));
  });
  return (
    <section class="card part" aria-label={name}>
      <h2>{name}</h2>
      {!part.configured && <p class="soft">{to('notConfigured')}</p>}
      {part.problem && <p class="wrong problem">{part.problem}</p>}
      {part.facts.length > 0 && (
        <dl class="rule">
          {part.facts.map((fact) => <div key={fact.name}><dt>{knownThere(`fact_${fact.name}`) ?? fact.name}</dt><dd dir="auto">{fact.value}</dd></div>)}
        </dl>
      )}
      {part.canTry && <p class="actions"><button type="button" disabled={busy} onClick={() => void attempt()}>{to(busy ? 'trying' : 'try')}<span class="unseen"> {name}</span></button></p>}
      <div role="status">
        {tried && <p class="row"><Badge state={tried.works ? 'complete' : 'failed'} /><span class="soft small">{to('tookSeconds', { n: number(Math.round(tried.seconds * 100) / 100) })}</span></p>}
        {tried?.note && <p class="small" dir="auto">{tried.note}</p>}
        {tried?.problem && <p class="wrong problem" dir="auto">{tried.problem}</p>}
        {failure && <p class="wrong">{reason(failure)}</p>}
      </div>
    </section>
  );
}
