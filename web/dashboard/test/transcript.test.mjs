import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allMarks, numberMarks } from '../evidence';
import { fragments, secondsAt, secondsOf, uncertain, wordAt } from '../transcript';

// "I always look" with a pause after "always"
const words = [[0.2, 0.4, 0, 1, 0.9], [0.5, 1, 2, 8, 0.4], [3, 3.5, 9, 13, -1]];

test('the word of a second', () => {
  assert.deepEqual([0, 0.2, 0.45, 0.5, 1.2, 2, 3, 3.8, 9].map((s) => wordAt(words, s)), [-1, 0, 0, 1, 1, -1, 2, 2, -1]);
  assert.equal(wordAt([], 1), -1);
});

test('the second of a word', () => {
  assert.equal(secondsOf(words, { from: 3, to: 12 }), 0.5);
  assert.equal(secondsOf(words, { from: 8, to: 9 }), undefined, 'only a space');
  assert.equal(secondsAt(words, 0), 0.2);
  assert.equal(secondsAt(words, 8), 3, 'between words it is the next one');
  assert.equal(secondsAt(words, 13), undefined);
  assert.deepEqual(uncertain(words), [{ from: 2, to: 8 }]);
});

test('a text is cut at the borders of its marks', () => {
  const text = 'I always look 👀';
  const cut = fragments(text, [{ from: 2, to: 13, kind: 'evidence' }, { from: 9, to: 13, kind: 'spoken' }, { from: 50, to: 60, kind: 'evidence' }]);
  assert.equal(cut.map((fragment) => fragment.text).join(''), text);
  assert.deepEqual(cut.map(({ text: t, from, kinds }) => [t, from, kinds.join()]), [['I ', 0, ''], ['always ', 2, 'evidence'], ['look', 9, 'evidence,spoken'], [' 👀', 13, '']]);
  assert.deepEqual(fragments('', []), []);
});

test('the same words have one number', () => {
  const mark = (row, from) => ({ row, from, to: from + 4 });
  const numbered = numberMarks([
    { part: 'summary', marks: [mark(2, 0), mark(1, 9)] }, { part: 'tagline', marks: [mark(1, 0), mark(2, 0)] }, { part: 'bullets', marks: [] },
  ]);
  assert.deepEqual(numbered.map(({ marks }) => marks.map(({ n }) => n)), [[1, 2], [], [2, 3]]);
  assert.deepEqual(allMarks(numbered).map(({ n, row, from }) => [n, row, from]), [[1, 1, 0], [2, 2, 0], [3, 1, 9]]);
});
