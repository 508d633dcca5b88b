import { Icon } from '../parts/icon';
import { Line, Pick } from './fields';
import { type Choice, choicesOf, choiceText, newCriterion, type Owner, phrases, type SentenceWords, sourcesFor, withCriterion } from './conditions';
import type { Conditional, Criterion, Guide } from './guide';
import { te } from './words';

export const sentenceWords = (): SentenceWords => ({
  question: (n, text) => te('questionNamed', { n, text: text || te('noText') }), row: (text) => te('rowNamed', { text }), parameter: (name) => te('parameterNamed', { name: name || '…' }),
  is: te('is'), isNot: te('isNot'), or: te('or'), equals: te('equals'), missing: te('missing'),
});

/** Returns a condition as one line of plain text. */
export function sentence(guide: Guide, conditional: Conditional | null | undefined): string {
  if (!conditional || conditional.criteria.length === 0) return '';
  const parts = conditional.criteria.map((criterion) => phrases(guide, criterion, sentenceWords()).map(({ text }) => text).join(' '));
  return te('shownIf', { text: parts.join(`${conditional.operator === 'or' ? te('orJoin') : te('andJoin')} `) });
}

interface Props {
  guide: Guide;
  owner: Owner;
  value: Conditional | null | undefined;
  onChange: (value: Conditional | undefined, run: string) => void;
}

/** When something is shown, as a sentence whose parts can be changed. */
export function Condition({ guide, owner, value, onChange }: Props) {
  const sources = sourcesFor(guide, owner);
  const criteria = value?.criteria ?? [];
  const change = (at: number, criterion: Criterion | null, run = '') => onChange(withCriterion(value, at, criterion) ?? undefined, `${at} ${run}`);
  return (
    <fieldset class="logic" data-field="conditional">
      <legend>{te('logic')}</legend>
      {criteria.length === 0 ? <p class="soft">{te('shownAlways')}</p> : (
        <>
          <div class="sentence">
            <span>{te('shownIfBegin')}</span>
            {criteria.length > 1 && (
              <Pick quiet label={te('howMany')} at="conditional.operator" value={value?.operator ?? 'and'} options={[['and', te('all')], ['or', te('any')]]}
                onChange={(operator) => onChange({ operator, criteria }, 'operator')} />
            )}
            {criteria.length > 1 && <span>{te('ofThese')}</span>}
          </div>
          <ol>
            {criteria.map((criterion, at) => (
              <li key={at} class="sentence">
                <CriterionRow guide={guide} at={at} criterion={criterion} sources={sources} onChange={(next, run) => change(at, next, run)} />
                <button type="button" class="quiet square" aria-label={te('removeCriterion', { n: at + 1 })} onClick={() => change(at, null)}><Icon name="cross" /></button>
              </li>
            ))}
          </ol>
        </>
      )}
      <button type="button" class="quiet add-row" onClick={() => change(criteria.length, newCriterion(guide, sources.at(-1)?.item))}><Icon name="plus" />{te(criteria.length === 0 ? 'addCondition' : 'addCriterion')}</button>
    </fieldset>
  );
}

interface RowProps {
  guide: Guide;
  at: number;
  criterion: Criterion;
  sources: ReturnType<typeof sourcesFor>;
  onChange: (criterion: Criterion, run?: string) => void;
}

const parameter = '\u0000parameter'; // no id has a NUL

function CriterionRow({ guide, at, criterion, sources, onChange }: RowProps) {
  const place = `conditional.criteria[${at}]`;
  const isParameter = criterion.type === 'searchParam';
  const words = sentenceWords();
  const options = [...sources.map(({ item, n }) => [item.externalId ?? '', cut(words.question(n, item.text))] as const), [parameter, te('linkParameter')] as const];
  const choose = (id: string) => {
    const source = sources.find(({ item }) => item.externalId === id)?.item;
    onChange(id === parameter ? { type: 'searchParam', parameter: '', value: '' } : newCriterion(guide, source));
  };
  const source = sources.find(({ item }) => item.externalId === criterion.questionId)?.item;
  return (
    <>
      <Pick quiet label={te('about', { n: at + 1 })} at={`${place}.questionId`} value={isParameter ? parameter : (criterion.questionId ?? '')} options={options} onChange={choose} />
      {isParameter ? (
        <>
          <Line quiet required label={te('parameterName')} placeholder={te('parameterName')} at={`${place}.parameter`} value={criterion.parameter} onInput={(name = '') => onChange({ ...criterion, parameter: name }, 'parameter')} />
          <span>{te('equals')}</span>
          <Line quiet required label={te('parameterValue')} placeholder={te('parameterValue')} at={`${place}.value`} value={criterion.value} onInput={(text = '') => onChange({ ...criterion, value: text }, 'value')} />
        </>
      ) : (
        <>
          {source?.type === 'matrix' && (
            <Pick quiet label={te('matrixRow')} at={`${place}.matrixRow`} value={criterion.matrixRow ?? ''} options={(source.rows ?? []).map(({ text }) => [text, te('rowNamed', { text })] as const)}
              onChange={(row) => onChange({ ...criterion, matrixRow: row })} />
          )}
          <Pick quiet label={te('isOrNot')} at={`${place}.matchingCriteria`} value={criterion.matchingCriteria ?? 'mustSelect'} options={[['mustSelect', te('is')], ['mustNotSelect', te('isNot')]]}
            onChange={(matchingCriteria) => onChange({ ...criterion, matchingCriteria })} />
          {source ? <Choices at={`${place}.choices`} choices={choicesOf(guide, source)} value={criterion.choices ?? []} onChange={(choices) => onChange({ ...criterion, choices })} />
            : <span class="wrong">{te('missing')}</span>}
        </>
      )}
    </>
  );
}

const cut = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

interface ChoicesProps {
  at: string;
  choices: readonly Choice[];
  value: readonly string[];
  onChange: (value: string[]) => void;
}

/** The choices that a criterion names, with a list to tick them in. */
function Choices({ at, choices, value, onChange }: ChoicesProps) {
  const all = [...choices, ...value.filter((one) => !choices.some((choice) => choice.value === one || choice.text === one)).map((one) => ({ value: one, text: `${one} (${te('missing')})` }))];
  const named = value.map((one) => choiceText(choices, one) || te('noText')).join(` ${te('or')} `);
  const toggle = (choice: Choice, on: boolean) => {
    const kept = value.filter((one) => one !== choice.value && one !== choice.text);
    const next = on ? [...kept, choice.value] : kept;
    onChange(all.map((each) => each.value).filter((one) => next.includes(one)).concat(next.filter((one) => !all.some((each) => each.value === one))));
  };
  return (
    <details class="picker">
      <summary data-field={at} class={value.length === 0 ? 'wrong' : undefined} dir="auto">{named || te('chooseOptions')}</summary>
      <ul>
        {all.map((choice) => (
          <li key={choice.value}><label class="check"><input type="checkbox" checked={value.includes(choice.value) || value.includes(choice.text)} onChange={(event) => toggle(choice, event.currentTarget.checked)} />
            <span dir="auto">{choice.text || te('noText')}</span></label></li>
        ))}
      </ul>
    </details>
  );
}
