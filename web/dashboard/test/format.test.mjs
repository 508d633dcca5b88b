import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, browserName, duration, score } from '../format';
import { shortcutOf } from '../shortcut';
import { count } from '../words';

test('lengths of time', () => {
  assert.deepEqual([0, 59.9, 552, 3723, -4, 36_000].map(duration), ['0:00', '0:59', '9:12', '1:02:03', '0:00', '10:00:00']);
});

test('how long ago', () => {
  const now = Date.parse('2026-03-02T12:00:00Z');
  assert.deepEqual(['2026-03-02T11:59:40Z', '2026-03-02T11:58:00Z', '2026-03-01T12:00:00Z', '2024-01-01T00:00:00Z'].map((time) => ago(time, now)), ['now', '2 min. ago', 'yesterday', '2 yr. ago']);
});

test('scores and counts', () => {
  assert.deepEqual([score(4), score(4.25)], ['4.0', '4.3']);
  assert.deepEqual([count('responses', 1), count('responses', 1204)], ['1 response', '1,204 responses']);
});

test('browsers by the names that people use', () => {
  assert.equal(browserName('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'), 'Safari · macOS');
  assert.equal(browserName('Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36 Edg/156.0'), 'Edge · Windows');
  assert.equal(browserName('curl/8.0'), 'curl/8.0');
});

test('keys act outside fields, and letters can be switched off', () => {
  const shortcuts = [{ key: 'j' }, { key: ' ' }, { key: '?' }, { key: 'arrowleft' }];
  const pressed = (key, more) => ({ key, ctrlKey: false, metaKey: false, altKey: false, defaultPrevented: false, ...more });
  assert.equal(shortcutOf(pressed('J'), shortcuts, 'page', true)?.key, 'j');
  assert.equal(shortcutOf(pressed('j'), shortcuts, 'control', true)?.key, 'j');
  assert.equal(shortcutOf(pressed('j'), shortcuts, 'field', true), undefined);
  assert.equal(shortcutOf(pressed(' '), shortcuts, 'control', true), undefined, 'Space presses the button');
  assert.equal(shortcutOf(pressed(' '), shortcuts, 'page', false)?.key, ' ');
  assert.equal(shortcutOf(pressed('j'), shortcuts, 'page', false), undefined);
  assert.equal(shortcutOf(pressed('j', { ctrlKey: true }), shortcuts, 'page', true), undefined);
});
