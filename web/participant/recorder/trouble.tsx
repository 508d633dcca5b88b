import type { Words } from '../../shared/words';
import type { Trouble } from './devices';

interface Props {
  what: Trouble;
  words: Words;
  again(): void;
  type(): void;
  /** Goes on without the part that stands in the way, where that is possible. */
  without: { label: string | undefined; go(): void } | null;
}

const final: Trouble[] = ['insecure', 'unsupported'];

/** What stands in the way of recording, and the ways on. Typing is always one of them. */
export function TroubleCard({ what, words, again, type, without }: Props) {
  const key = `rec${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  const hopeless = final.includes(what);
  return (
    <div class="rec-card" role="alert">
      <h2>{words[`${key}Title`]}</h2>
      <p>{words[`${key}Text`]}</p>
      <div class="go">
        {!hopeless && <button type="button" data-first onClick={again}>{words.recTry}</button>}
        {without && <button type="button" class="second" onClick={without.go}>{without.label}</button>}
        <button type="button" class={hopeless ? undefined : 'second'} data-first={hopeless || undefined} onClick={type}>{words.recType}</button>
      </div>
    </div>
  );
}
