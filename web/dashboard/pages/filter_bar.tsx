import type { Filter } from '../filter';
import { Select } from '../parts/form';
import { Icon } from '../parts/icon';
import { SearchField } from '../parts/search_field';
import { count, t } from '../words';

interface Props {
  filter: Filter;
  onChange: (filter: Filter) => void;
}

const qualities = ['', '4-', '3-4', '-3'] as const;
type Quality = (typeof qualities)[number];

/** The fields of the filter, and what of it has no field as chips that can be taken away. */
export function FilterBar({ filter, onChange }: Props) {
  const { qualityFrom, qualityTo, ...others } = filter;
  const quality = `${qualityFrom ?? ''}-${qualityTo ?? ''}`.replace(/^-$/, '');
  const labels: Record<Quality, string> = { '': t('qualityAny'), '4-': t('qualityGood'), '3-4': t('qualityFair'), '-3': t('qualityPoor') };
  const options = qualities.map((name) => [name, labels[name]] as [string, string]);
  if (!options.some(([name]) => name === quality)) options.push([quality, `${t('quality')} ${quality}`]);
  const setQuality = (value: string) => {
    const [from = '', to = ''] = value.split('-');
    onChange({ ...others, ...(from && { qualityFrom: Number(from) }), ...(to && { qualityTo: Number(to) }) });
  };
  const without = (name: keyof Filter) => {
    const { [name]: _gone, ...rest } = filter;
    onChange(rest);
  };
  const chips = [
    filter.tag ? (['tag', `#${filter.tag}`] as const) : null,
    filter.parameter ? (['parameter', filter.parameter.replace('=', ' = ')] as const) : null,
  ].filter((chip) => chip !== null);
  return (
    <search class="bar">
      <SearchField label={t('searchAnswers')} name="words" value={filter.q ?? ''} onSearch={(q) => {
        const { q: _before, ...rest } = filter;
        onChange(q ? { ...rest, q } : rest);
      }} />
      <Select label={t('quality')} quiet value={quality} options={options} onChange={setQuality} />
      {chips.map(([name, text]) => (
        <button key={name} type="button" class="chip" aria-label={t('removeFilter', { text })} onClick={() => without(name)}><span dir="auto">{text}</span><Icon name="cross" /></button>
      ))}
      {chips.length + Number(Boolean(quality)) + Number(Boolean(filter.q)) > 1 && (
        <button type="button" class="quiet" onClick={() => onChange({ ...(filter.progress && { progress: filter.progress }), ...(filter.hidden && { hidden: filter.hidden }) })}>
          {count('clearFilters', chips.length + Number(Boolean(quality)) + Number(Boolean(filter.q)))}
        </button>
      )}
    </search>
  );
}
