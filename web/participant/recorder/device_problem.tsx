import type { Words } from '../../shared/words';
import type { DeviceProblem } from './devices';

interface Props {
  problem: DeviceProblem;
  words: Words;
  again(): void;
  type(): void;
  /** Continues without the device that failed, where that is possible. */
  without: { label: string | undefined; go(): void } | null;
}

const permanent: DeviceProblem[] = ['insecure', 'unsupported'];

/** Explains why recording failed, and how to continue. Typing is always possible. */
export function DeviceProblemNotice({ problem, words, again, type, without }: Props) {
  const key = `rec${problem.charAt(0).toUpperCase()}${problem.slice(1)}`;
  const isPermanent = permanent.includes(problem);
  return (
    <div class="rec-card" role="alert">
      <h2>{words[`${key}Title`]}</h2>
      <p>{words[`${key}Text`]}</p>
      <div class="go">
        {!isPermanent && <button type="button" data-first onClick={again}>{words.recTry}</button>}
        {without && <button type="button" class="second" onClick={without.go}>{without.label}</button>}
        <button type="button" class={isPermanent ? undefined : 'second'} data-first={isPermanent || undefined} onClick={type}>{words.recType}</button>
      </div>
    </div>
  );
}
