import { useEffect, useId, useRef, useState } from 'preact/hooks';

interface Props {
  label: string;
  value: string;
  onSearch: (value: string) => void;
  /** Lets a shortcut find the field. */
  name: string;
}

const pause = 300;

/** A field that searches when its typing rests. */
export function SearchField({ label, value, onSearch, name }: Props) {
  const [text, setText] = useState(value);
  const id = useId();
  const latest = useRef(onSearch);
  latest.current = onSearch;
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current) return; // the address follows the field
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text.trim() === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = text.trim();
      latest.current(sent.current);
    }, pause);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="field search">
      <label for={id} class="unseen">{label}</label>
      <input id={id} name={name} type="search" placeholder={label} value={text} maxLength={200} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} />
    </div>
  );
}
