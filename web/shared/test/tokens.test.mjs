// The contrast of every pair of tokens that may meet, on the participant's pages and in the dashboard, in light and dark. The participant's page
// carries its colours in its own style sheet, which is inlined; they stay the same as those of shared/tokens.css.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

const web = join(import.meta.dirname, '..', '..');
const page = await readFile(join(web, '..', 'internal', 'api', 'pages', 'templates', 'style.css'), 'utf8');
const tokens = await readFile(join(web, 'shared', 'tokens.css'), 'utf8');

// the colours of the first block after a text
function colours(css, after) {
  const block = css.slice(css.indexOf(after)).match(/\{([^{}]*)\}/)[1];
  return Object.fromEntries([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]));
}

// WCAG's contrast of two colours
function contrast(a, b) {
  const light = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

// What each token is for. A token without a role here fails the test, so that a new one gets its pairs.
const grounds = ['paper', 'sheet', 'tint', 'wrong-tint', 'good-tint', 'warn-tint', 'spoken', 'cited'];
const texts = { // tokens of texts, with the grounds that they stand on
  ink: grounds,
  soft: ['paper', 'sheet', 'tint'],
  accent: ['paper', 'sheet', 'tint'],
  wrong: ['paper', 'sheet', 'wrong-tint'],
  good: ['paper', 'sheet', 'good-tint'],
  warn: ['paper', 'sheet', 'warn-tint'],
  'on-accent': ['accent'],
  paper: ['ink'], // the banner
  'sheet': ['wrong'], // the button that deletes
};
const edges = { // tokens of the edges of fields and of marks, with what is beside them
  field: ['paper', 'sheet', 'tint'],
  accent: ['paper', 'sheet', 'tint', 'line'], // a chosen option, the focus, the progress on its bar
  wrong: ['paper', 'sheet'],
};
const ornaments = ['line']; // separates, and is not needed to find or use anything

for (const [theme, pageAt, tokensAt] of [['light', ':root {', ':root {'], ['dark', '(prefers-color-scheme: dark) {\n  :root', ':root[data-theme="dark"]']]) {
  const sets = { 'the participant’s page': colours(page, pageAt), 'the dashboard': colours(tokens, tokensAt) };

  test(`the participant's page has the same ${theme} colours`, () => {
    const [theirs, ours] = Object.values(sets);
    assert.ok(Object.keys(theirs).length >= 10);
    for (const [name, value] of Object.entries(theirs)) assert.equal(ours[name], value, name);
  });

  for (const [where, set] of Object.entries(sets)) {
    test(`every pair of ${theme} colours of ${where} can be told apart`, () => {
      const known = new Set([...Object.keys(texts), ...Object.keys(edges), ...grounds, ...ornaments]);
      assert.deepEqual(Object.keys(set).filter((name) => !known.has(name)), [], 'tokens without a role');
      const low = [];
      for (const [pairs, least] of [[texts, 4.5], [edges, 3]]) {
        for (const [name, on] of Object.entries(pairs)) {
          for (const ground of on) {
            if (!set[name] || !set[ground]) continue; // the participant's page has fewer
            const found = contrast(set[name], set[ground]);
            if (found < least) low.push(`--${name} on --${ground}: ${found.toFixed(2)} of ${least}`);
          }
        }
      }
      assert.deepEqual(low, []);
    });
  }
}
