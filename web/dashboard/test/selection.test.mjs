import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trimmed } from '../review/selection.ts';

test('a selection has whole characters and no space at its ends', () => {
  const text = 'Ach 🍏, they taste well ';
  assert.deepEqual(trimmed(text, 4, 6), { from: 4, to: 6, words: '🍏' });
  assert.deepEqual(trimmed(text, 5, 6), { from: 4, to: 6, words: '🍏' });
  assert.deepEqual(trimmed(text, 4, 5), { from: 4, to: 6, words: '🍏' });
  assert.deepEqual(trimmed(text, 7, 13), { from: 8, to: 12, words: 'they' });
  assert.deepEqual(trimmed(text, 12, 8), { from: 8, to: 12, words: 'they' });
  assert.deepEqual(trimmed(text, 0, 999), { from: 0, to: 23, words: 'Ach 🍏, they taste well' });
  assert.equal(trimmed(text, 3, 4), null);
  assert.equal(trimmed('', 0, 0), null);
});
