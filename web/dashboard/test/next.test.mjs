import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeNext } from '../next';

const origin = 'https://interviews.example.com';

test('signing in goes on with pages of the dashboard', () => {
  for (const next of ['/p/k7RmWq2x?tag=a#row-3', '/o/1/studies', '/me']) assert.equal(safeNext(next, origin), next);
});

test('signing in leads nowhere else', () => {
  for (const next of [
    null, '', '//evil.example', '///evil.example', '/\\evil.example', '/\t/evil.example', '/\n/evil.example', 'https://evil.example/o/1', 'javascript:alert(1)', 'o/1',
    '\\\\evil.example', '/signin', '/signin?next=/o/1', '/s/k7RmWq2x', '/api/dashboard/session', '/o/../s/x', '/o/%2e%2e/s/x', '/p/../../docs', '/pages', '/', '/me@evil.example',
  ]) {
    assert.equal(safeNext(next, origin), '', String(next));
  }
});
