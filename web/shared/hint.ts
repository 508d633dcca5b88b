import type { Question } from './protocol';
import { fill, type Words } from './words';

/** How a question is to be answered, in a sentence; empty where it needs none. */
export function hint(q: Question, words: Words): string {
  switch (q.type) {
    case 'multiple_choice': {
      const least = Math.max(q.minSelect ?? 0, 1);
      const most = q.maxSelect ?? 0;
      if (!q.multiSelect) return fill(words, 'hintOne');
      if (most === 0) return least === 1 ? fill(words, 'hintAny') : fill(words, 'hintAtLeast', { n: least });
      if (least === 1) return fill(words, 'hintAtMost', { n: most });
      return least === most ? fill(words, 'hintExactly', { n: most }) : fill(words, 'hintBetween', { n: least, total: most });
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
