// The participant's page carries its colours in its own inlined style sheet. They stay the same as those of shared/tokens.css.
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

for (const [theme, pageAt, tokensAt] of [['light', ':root {', ':root {'], ['dark', '(prefers-color-scheme: dark) {\n  :root', ':root[data-theme="dark"]']]) {
  const ours = colours(tokens, tokensAt);
  test(`the participant's page has the same ${theme} colours`, () => {
    const { field: _darkerHere, ...theirs } = colours(page, pageAt);
    assert.ok(Object.keys(theirs).length >= 9);
    for (const [name, value] of Object.entries(theirs)) assert.equal(ours[name], value, name);
  });

  test(`${theme} colours can be read`, () => {
    for (const [text, ground] of [
      ['ink', 'paper'], ['ink', 'sheet'], ['soft', 'paper'], ['soft', 'sheet'], ['accent', 'sheet'], ['accent', 'tint'], ['on-accent', 'accent'], ['wrong', 'sheet'], ['wrong', 'wrong-tint'],
      ['good', 'good-tint'], ['good', 'sheet'], ['warn', 'warn-tint'], ['warn', 'sheet'], ['ink', 'spoken'], ['ink', 'cited'], ['soft', 'tint'], ['sheet', 'wrong'],
    ]) {
      assert.ok(contrast(ours[text], ours[ground]) >= 4.5, `--${text} on --${ground}: ${contrast(ours[text], ours[ground]).toFixed(2)}`);
    }
    for (const ground of ['sheet', 'paper']) assert.ok(contrast(ours.field, ours[ground]) >= 3, `--field on --${ground}: ${contrast(ours.field, ours[ground]).toFixed(2)}`);
  });
}
