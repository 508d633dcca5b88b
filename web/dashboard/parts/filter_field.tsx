import { useId } from 'preact/hooks';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Left out: a day. */
  options?: readonly (readonly [string, string])[];
}

/** A part of a filter: one of several values, or a day. */
export function FilterField({ label, value, onChange, options }: Props) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {options
        ? <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>{options.map(([key, text]) => <option key={key} value={key}>{text}</option>)}</select>
        : <input id={id} type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />}
    </div>
  );
}
