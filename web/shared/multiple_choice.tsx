import { mainField } from './draft';
import type { Option } from './protocol';
import type { WidgetProps } from './widget';
import { headingId } from './widget';
import { fill } from './words';

/** Radio buttons or check boxes. An exclusive option clears and disables the others; typing a custom answer selects it. */
export function MultipleChoice({ question, draft, change, words, lang, wrong, describedBy }: WidgetProps) {
  const multiple = question.multiSelect === true;
  const selected = draft.selected ?? [];
  const options = question.options ?? [];
  const exclusive = multiple ? options.find((o) => o.exclusive && selected.includes(o.id)) : undefined;
  const kind = multiple ? 'checkbox' : 'radio';

  const choose = (option: Option, on: boolean) => {
    if (!multiple) change({ selected: [option.id], customOn: false });
    else if (!on) change({ selected: selected.filter((id) => id !== option.id) });
    else if (option.exclusive) change({ selected: [option.id], customOn: false });
    else change({ selected: options.map((o) => o.id).filter((id) => id === option.id || selected.includes(id)) });
  };
  const chooseCustom = (on: boolean, text = draft.custom ?? '') =>
    change({ customOn: on, custom: text, ...(multiple || !on ? {} : { selected: [] }) });

  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support them
    <div
      class="choices"
      role={multiple ? 'group' : 'radiogroup'}
      aria-labelledby={headingId}
      aria-describedby={describedBy}
      {...(multiple ? {} : { 'aria-invalid': wrong || undefined })}
    >
      {options.map((option, i) => (
        <label class="choice" key={option.id}>
          <input
            id={i === 0 ? mainField : undefined}
            type={kind}
            name="selected"
            checked={selected.includes(option.id)}
            disabled={exclusive !== undefined && exclusive !== option}
            onChange={(e) => choose(option, e.currentTarget.checked)}
          />
          <span lang={lang.content} dir="auto">
            {option.text}
            {multiple && option.exclusive && <small lang={lang.page}>{words.alone}</small>}
          </span>
        </label>
      ))}
      {question.allowCustomOption && (
        <div class="choice custom">
          <input
            type={kind}
            name="selected"
            id="custom"
            checked={draft.customOn === true}
            disabled={exclusive !== undefined}
            onChange={(e) => chooseCustom(e.currentTarget.checked)}
          />
          <label for="custom">{words.other}</label>
          <input
            type="text"
            id="custom-text"
            dir="auto"
            aria-label={words.otherText}
            placeholder={words.otherText}
            disabled={exclusive !== undefined}
            value={draft.custom ?? ''}
            onInput={(e) => chooseCustom(e.currentTarget.value.trim() !== '' || draft.customOn === true, e.currentTarget.value)}
          />
        </div>
      )}
      {multiple && (
        <p class="note count" role="status">
          {selected.length + (draft.customOn ? 1 : 0) > 0 && fill(words, 'chosen', { n: selected.length + (draft.customOn ? 1 : 0) })}
        </p>
      )}
    </div>
  );
}
