import { countFrom, lettersLeft } from './letters';
import { fill, type Words } from './words';

/** The characters that an answer may still have, once they become few. Screen readers hear every hundredth. */
export function LettersLeft({ text, words }: { text: string; words: Words }) {
  const left = lettersLeft(text);
  if (left > countFrom) return null;
  const say = (n: number) => fill(words, n < 0 ? 'lettersOver' : 'lettersLeft', { n: Math.abs(n) });
  return (
    <>
      <p class={left < 0 ? 'letters over' : 'letters'} aria-hidden="true">{say(left)}</p>
      <p class="unseen" role="status">{say(left < 0 ? left : Math.ceil(left / 100) * 100)}</p>
    </>
  );
}
