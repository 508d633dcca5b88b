import type { Question } from './protocol';
import { fill, type Words } from './words';

/** Returns a sentence on how to answer a question; "" where it needs none. Hint in page.go does the same for the plain page. */
export function hint(q: Question, words: Words): string {
  switch (q.type) {
    case 'multiple_choice': {
      const min = Math.max(q.minSelect ?? 0, 1);
      const max = q.maxSelect ?? 0;
      if (!q.multiSelect) return fill(words, 'hintOne');
      if (max === 0) return min === 1 ? fill(words, 'hintAny') : fill(words, 'hintAtLeast', { n: min });
      if (min === 1) return fill(words, 'hintAtMost', { n: max });
      return min === max ? fill(words, 'hintExactly', { n: max }) : fill(words, 'hintBetween', { n: min, total: max });
    }
    case 'ranking':
      return fill(words, 'rankHint');
    case 'matrix':
      return fill(words, 'hintMatrix');
    case 'max_diff':
      return fill(words, 'hintMaxDiff');
  }
  return '';
}
