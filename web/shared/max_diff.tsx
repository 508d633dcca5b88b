import { mainField } from './draft';
import type { WidgetProps } from './widget';

/** A choice of the best and the worst of a few options. An option cannot be both: choosing it as one removes it as the other. */
export function MaxDiff({ question, draft, change, words, lang, describedBy }: WidgetProps) {
  const sides = [
    { side: 'best', label: words.most, other: 'worst' },
    { side: 'worst', label: words.least, other: 'best' },
  ] as const;
  const radio = ({ side, other }: (typeof sides)[number], id: string, i: number) => (
    <td>
      <label>
        <input
          id={i > 0 ? undefined : side === 'best' ? mainField : 'worst-0'}
          type="radio"
          name={side}
          checked={draft[side] === id}
          aria-labelledby={`side-${side} option-${i}`}
          onChange={() => change({ [side]: id, ...(draft[other] === id ? { [other]: undefined } : {}) })}
        />
      </label>
    </td>
  );
  return (
    <table class="maxdiff" aria-describedby={describedBy}>
      {question.metric && <caption class="metric" lang={lang.content} dir="auto">{question.metric}</caption>}
      <thead>
        <tr>
          <th scope="col" id="side-best">{sides[0].label}</th>
          <td />
          <th scope="col" id="side-worst">{sides[1].label}</th>
        </tr>
      </thead>
      <tbody>
        {question.options?.map((option, i) => (
          <tr key={option.id}>
            {radio(sides[0], option.id, i)}
            <th scope="row" id={`option-${i}`} lang={lang.content} dir="auto">{option.text}</th>
            {radio(sides[1], option.id, i)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
