import { type ComponentChildren, createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { fieldOf, type Problem } from './problems';

/** The problems of the card around a field. */
export const CardProblems = createContext<readonly Problem[]>([]);

const useInvalid = (at: string): boolean | undefined => {
  const problems = useContext(CardProblems);
  return problems.some((problem) => problem.severity === 'error' && fieldOf(problem.pointer) === at) || undefined;
};

interface Common {
  label: string;
  /** The place of the value below its card, as problems name it: options[2].text. */
  at: string;
  hint?: string | undefined;
  /** Whether the label is only for assistive technology. */
  quiet?: boolean;
}

function Labelled({ id, label, hint, quiet, children }: Omit<Common, 'at'> & { id: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id} class={quiet ? 'unseen' : undefined}>{label}</label>
      {children}
      {hint && <p id={`${id}-hint`} class="soft small">{hint}</p>}
    </div>
  );
}

interface TextProps extends Common {
  value: string | null | undefined;
  /** Called with undefined where the text is empty and optional. */
  onInput: (value: string | undefined) => void;
  required?: boolean;
  max?: number;
  placeholder?: string;
  mono?: boolean;
}

const given = (text: string, required: boolean) => (text === '' && !required ? undefined : text);

/** One line of text. */
export function Line({ value, onInput, required = false, max = 2000, placeholder, mono = false, ...common }: TextProps) {
  const id = useId();
  return (
    <Labelled id={id} {...common}>
      <input id={id} type="text" dir="auto" class={mono ? 'mono' : undefined} data-field={common.at} value={value ?? ''} maxLength={max} placeholder={placeholder} autocomplete="off"
        aria-invalid={useInvalid(common.at)} aria-describedby={common.hint ? `${id}-hint` : undefined} onInput={(event) => onInput(given(event.currentTarget.value, required))} />
    </Labelled>
  );
}

/** A text of several lines, as high as what is in it. */
export function Area({ value, onInput, required = false, max = 20_000, placeholder, mono = false, ...common }: TextProps) {
  const id = useId();
  const text = value ?? '';
  const rows = Math.min(16, text.split('\n').reduce((lines, line) => lines + 1 + Math.floor(line.length / 80), 0));
  return (
    <Labelled id={id} {...common}>
      <textarea id={id} dir="auto" class={mono ? 'mono' : undefined} data-field={common.at} value={text} maxLength={max} rows={Math.max(2, rows)} placeholder={placeholder}
        aria-invalid={useInvalid(common.at)} aria-describedby={common.hint ? `${id}-hint` : undefined} onInput={(event) => onInput(given(event.currentTarget.value, required))} />
    </Labelled>
  );
}

interface NumberProps extends Common {
  value: number | null | undefined;
  onInput: (value: number | undefined) => void;
  min?: number;
  max?: number;
  placeholder?: string;
}

/** A whole number, or nothing. */
export function Integer({ value, onInput, min = 1, max = 1000, placeholder, ...common }: NumberProps) {
  const id = useId();
  return (
    <Labelled id={id} {...common}>
      <input id={id} type="number" inputMode="numeric" class="few" data-field={common.at} value={value ?? ''} min={min} max={max} step={1} placeholder={placeholder}
        aria-invalid={useInvalid(common.at)} aria-describedby={common.hint ? `${id}-hint` : undefined}
        onInput={(event) => { const number = event.currentTarget.valueAsNumber; onInput(Number.isFinite(number) ? Math.trunc(number) : undefined); }} />
    </Labelled>
  );
}

interface PickProps extends Common {
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}

/** One of a few. */
export function Pick({ value, options, onChange, ...common }: PickProps) {
  const id = useId();
  const unknown = !options.some(([key]) => key === value);
  return (
    <Labelled id={id} {...common}>
      <select id={id} data-field={common.at} value={value} aria-invalid={useInvalid(common.at)} onChange={(event) => onChange(event.currentTarget.value)}>
        {unknown && <option value={value}>{value || '–'}</option>}
        {options.map(([key, text]) => <option key={key} value={key}>{text}</option>)}
      </select>
    </Labelled>
  );
}

interface TickProps {
  label: string;
  at: string;
  value: boolean | null | undefined;
  /** Called with undefined instead of false: it is the default. */
  onChange: (value: true | undefined) => void;
  hint?: string;
}

export function Tick({ label, at, value, onChange, hint }: TickProps) {
  return (
    <label class="check" title={hint}>
      <input type="checkbox" data-field={at} checked={value === true} aria-invalid={useInvalid(at)} onChange={(event) => onChange(event.currentTarget.checked || undefined)} />{label}
    </label>
  );
}
