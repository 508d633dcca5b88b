import { useState } from 'preact/hooks';
import { api, ask, failureOf, type Schemas } from '../api';
import { dateTime, score } from '../format';
import { Field, Form, Select } from '../parts/form';
import { reason } from '../parts/loaded';
import { notify } from '../state/notices';
import { known, t } from '../words';

interface Props {
  quality: Schemas['Response']['quality'];
  link: string;
  number: number;
  mayChange: boolean;
  onChanged: () => Promise<unknown>;
  onRow: (row: number) => void;
}

const scores = [5, 4.5, 4, 3.5, 3, 2.5, 2, 1.5, 1];

/** The quality of a response: what the analysis gave and why, and what a person gave instead. Both stay. */
export function Quality({ quality, link, number, mayChange, onChanged, onRow }: Props) {
  const [judging, setJudging] = useState(false);
  const path = { studyRef: link, number: String(number) };
  const judge = async (values: Record<string, string>) => {
    await ask(api.PUT('/api/dashboard/studies/{studyRef}/responses/{number}/quality', { params: { path }, body: { score: Number(values.score), reason: values.reason ?? '' } }));
    await onChanged();
    setJudging(false);
  };
  const takeBack = async () => {
    try {
      await ask(api.DELETE('/api/dashboard/studies/{studyRef}/responses/{number}/quality', { params: { path } }));
      await onChanged();
      notify(t('judgementGone'));
    } catch (error) {
      notify(`${t('couldNot', { what: t('takingBack') })} ${reason(failureOf(error))}`);
    }
  };
  const { override } = quality;
  return (
    <section class="card quality" aria-labelledby="quality">
      <h2 id="quality">{t('quality')} {quality.score !== null && <span class={override ? 'number soft struck' : 'number'}>{score(quality.score)}</span>}{override && <span class="number"> {score(override.score)}</span>}</h2>
      {override && (
        <div class="override">
          <p dir="auto">{override.reason}</p>
          <p class="soft small">{override.userName} · {dateTime(override.at)}</p>
        </div>
      )}
      {quality.score === null && <p class="soft">{t('notJudged')}</p>}
      <ul class="parts">
        {quality.parts.map((part) => (
          <li key={part.name}>
            <span class="name">{known(`quality_${part.name}`) ?? part.name}</span>
            <meter min={0} max={5} value={part.score} aria-label={t('scoreOf', { name: known(`quality_${part.name}`) ?? part.name, n: score(part.score) })} />
            <span class="number">{score(part.score)}</span>
            <p class="soft small"><span dir="auto">{part.reason}</span> {part.rows.slice(0, 8).map((row) => <a key={row} href={`#row-${row}`} onClick={(event) => { event.preventDefault(); onRow(row); }}>{t('rowN', { n: row + 1 })}</a>)}</p>
          </li>
        ))}
      </ul>
      <p class="soft small">{t('neverJudged')}</p>
      {mayChange && !judging && (
        <p class="row">
          <button type="button" onClick={() => setJudging(true)}>{t(override ? 'judgeAgain' : 'judge')}</button>
          {override && <button type="button" class="quiet" onClick={() => void takeBack()}>{t('takeBack')}</button>}
        </p>
      )}
      {judging && (
        <div class="judging">
          <Form submit={t('save')} onSubmit={judge}>
            <Select label={t('score')} name="score" value={String(override?.score ?? quality.score ?? 3)} options={scores.map((n) => [String(n), score(n)] as const)} />
            <Field label={t('reason')} name="reason" maxLength={1000} value={override?.reason ?? ''} autofocus />
          </Form>
          <button type="button" class="quiet" onClick={() => setJudging(false)}>{t('cancel')}</button>
        </div>
      )}
    </section>
  );
}
