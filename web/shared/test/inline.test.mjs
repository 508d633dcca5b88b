import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inline } from '../inline';
import examples from '../inline_examples.json';

test('emphasis and links are found as on the plain page', () => {
  assert.ok(examples.length >= 15);
  for (const { text, spans } of examples) assert.deepEqual(inline(text), spans, text);
});

test('only https addresses become links', () => {
  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'http://example.com', '//example.com', ' https://example.com', 'https://a b', 'https://"x']) {
    assert.ok(inline(`[x](${address})`).every(([kind]) => kind === 'text'), address);
  }
});

test('nothing is lost of marks that never end', () => {
  for (const mark of ['* ', '**a ', '*a ', '[a](https://', '[', 'a*b*c*d']) {
    const text = mark.repeat(20_000 / mark.length);
    assert.deepEqual(inline(text), [['text', text]], mark);
  }
});
