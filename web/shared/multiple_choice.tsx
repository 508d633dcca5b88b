import { useState } from 'preact/hooks';
import { mainField } from './draft';
import { matches, searchFrom } from './find_options';
import type { Option } from './protocol';
import type { WidgetProps } from './widget';
import { headingId } from './widget';
import { fill } from './words';

/**
 * Radio buttons or check boxes. An exclusive option and the others replace each other; typing a custom answer selects it. Many options have a
 * search box; those that are selected, and an exclusive one, stay in view.
 */
export function MultipleChoice({ question, draft, change, words, lang, wrong, describedBy }: WidgetProps) {
  const multiple = question.multiSelect === true;
  const selected = draft.selected ?? [];
  const options = question.options ?? [];
  const [search, setSearch] = useState('');
  const searched = options.length >= searchFrom;
  const isShown = (option: Option) => option.exclusive || selected.includes(option.id) || matches(option.text, search);
  const found = searched && search ? options.filter(({ text }) => matches(text, search)).length : -1;
  const kind = multiple ? 'checkbox' : 'radio';

  const isExclusive = (id: string) => options.some((o) => o.exclusive && o.id === id);
  const choose = (option: Option, on: boolean) => {
    if (!multiple) change({ selected: [option.id], customOn: false });
    else if (!on) change({ selected: selected.filter((id) => id !== option.id) });
    else if (option.exclusive) change({ selected: [option.id], customOn: false });
    else change({ selected: options.filter((o) => o.id === option.id || (!o.exclusive && selected.includes(o.id))).map((o) => o.id) });
  };
  const chooseCustom = (on: boolean, text = draft.custom ?? '') =>
    change({ customOn: on, custom: text, ...(on ? { selected: multiple ? selected.filter((id) => !isExclusive(id)) : [] } : {}) });

  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support them
    <div
      class={searched ? 'choices many' : 'choices'}
      role={multiple ? 'group' : 'radiogroup'}
      aria-labelledby={headingId}
      aria-describedby={describedBy}
      {...(multiple ? {} : { 'aria-invalid': wrong || undefined })}
    >
      {searched && (
        <div class="find">
          <input
            type="search"
            dir="auto"
            aria-label={words.findOption}
            placeholder={words.findOption}
            value={search}
            onInput={(e) => setSearch(e.currentTarget.value)}
            onKeyDown={(e) => { if (e.key === 'Enter') e.preventDefault(); }}
          />
          <p class="note" role="status">{found >= 0 && fill(words, 'foundOptions', { n: found })}</p>
        </div>
      )}
      {options.map((option, i) => (
        <label class="choice" key={option.id} hidden={searched && !isShown(option)}>
          <input
            id={i === 0 ? mainField : undefined}
            type={kind}
            name="selected"
            checked={selected.includes(option.id)}
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
            onChange={(e) => chooseCustom(e.currentTarget.checked)}
          />
          <label for="custom">{words.other}</label>
          <input
            type="text"
            id="custom-text"
            dir="auto"
            aria-label={words.otherText}
            placeholder={words.otherText}
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
