import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { carrySources, choicesOf, newCriterion, phrases, sourcesFor, withCriterion } from '../editor/conditions';
import { allItems, itemTypes, misshapen, withIds } from '../editor/guide';
import { languages } from '../editor/languages';
import { brokenAt, scan } from '../editor/lines';
import { addBlock, addItem, asType, dependentsOf, move, newBlock, newItem } from '../editor/outline';
import { pastedList } from '../editor/paste';
import { withParameters } from '../editor/link';
import { byCard, cardOf, fieldOf, nextProblem } from '../editor/problems';
import { outer } from '../editor/reveal';
import { coffee, edited } from './editor_guides.mjs';

const words = {
  question: (n, text) => `Q${n} ${text}`, row: (text) => `row ${text}`, parameter: (name) => `parameter ${name}`, is: 'is', isNot: 'is not', or: 'or', equals: 'equals', missing: '?',
};
const item = (guide, id) => allItems(guide).find((entry) => entry.item.externalId === id)?.item;

test('a pasted list becomes options', () => {
  assert.deepEqual(pastedList('1. At home\r\n2) At work\n\n  c. Elsewhere '), ['At home', 'At work', 'Elsewhere']);
  assert.deepEqual(pastedList('• Tea\n\u2028• Coffee'), ['Tea', 'Coffee']);
  assert.deepEqual(pastedList('☐ Yes\n[ ] No'), ['Yes', 'No']);
  assert.deepEqual(pastedList('3.5 hours\n4 hours\n- 5'), ['3.5 hours', '4 hours', '- 5'], 'a number is no bullet');
  assert.deepEqual(pastedList('Red\tGreen\tBlue'), ['Red', 'Green', 'Blue'], 'cells of a row');
  assert.deepEqual(pastedList(' one '), ['one']);
});

test('conditions read as sentences', () => {
  const guide = coffee();
  const say = (criterion) => phrases(guide, criterion, words).map(({ text, kind }) => (kind === 'missing' ? `!${text}` : text)).join(' ');
  assert.equal(say(item(guide, 'photo').conditional.criteria[0]), 'Q4 Where? is At home');
  assert.equal(say({ type: 'selectedTemplateOptions', questionId: 'order', matchingCriteria: 'mustNotSelect', choices: ['home', 'Nowhere', 'moon'] }), 'Q5 Order them. is not At home or Nowhere or !moon');
  assert.equal(say({ type: 'selectedTemplateOptions', questionId: 'good', matchingCriteria: 'mustSelect', choices: ['fine'], matrixRow: 'Taste' }), 'Q6 How good? row Taste is Fine');
  assert.equal(say({ type: 'searchParam', parameter: 'source', value: 'mail' }), 'parameter source equals mail');
  assert.equal(say({ type: 'selectedTemplateOptions', questionId: 'gone', matchingCriteria: 'mustSelect', choices: ['x'] }), '!?');
});

test('conditions ask about earlier questions alone', () => {
  const guide = coffee();
  const ids = (entries) => entries.map((entry) => entry.item.externalId);
  assert.deepEqual(ids(sourcesFor(guide, { id: 'order' })), ['often', 'where']);
  assert.deepEqual(ids(sourcesFor(guide, { id: 'one', conceptBlock: 2 })), ['often', 'where', 'good']);
  assert.deepEqual(ids(carrySources(guide, 'order')), ['where']);
  assert.deepEqual(choicesOf(guide, item(guide, 'where')).map(({ value }) => value), ['home', 'work', 'none', 'other:where']);
  assert.deepEqual(newCriterion(guide, item(guide, 'good')), { type: 'selectedTemplateOptions', questionId: 'good', matchingCriteria: 'mustSelect', choices: ['bad'], matrixRow: 'Taste' });
  const one = withCriterion(null, 0, newCriterion(guide, undefined));
  assert.deepEqual(one, { operator: 'and', criteria: [{ type: 'searchParam', parameter: '', value: '' }] });
  assert.equal(withCriterion(one, 0, null), null);
});

test('what asks about an item is named before it goes', () => {
  assert.deepEqual(dependentsOf(coffee(), 'where').map(({ id, n, why }) => [id, n, why]), [['order', 5, 'options'], ['photo', 8, 'condition']]);
});

test('items move within a block and into the next one', () => {
  const guide = coffee();
  const ids = (g) => g.studyGuide.map(({ items }) => items.map(({ externalId }) => externalId).join());
  assert.equal(ids(move(guide, 'story', -1))[1], 'story,intro,where,order,good,matters,photo');
  assert.deepEqual(ids(move(guide, 'photo', 1)).slice(1), ['intro,story,where,order,good,matters', 'photo,what']);
  assert.deepEqual(ids(move(guide, 'intro', -1)).slice(0, 1), ['often,intro']);
  assert.deepEqual(ids(move(guide, 'often', -1)), ids(guide), 'the first stays');
  assert.deepEqual(move(guide, 'habits', 1).studyGuide.map(({ externalId }) => externalId), ['who', 'ideas', 'habits']);
});

test('new blocks and items have what they need', () => {
  let n = 0;
  const name = (prefix) => `${prefix}${++n}`;
  const screened = addBlock({ title: 'x', studyGuide: [newBlock('flat', name)] }, newBlock('screening', name));
  assert.equal(screened.studyGuide[0].type, 'screening');
  assert.ok(screened.studyGuide[0].items[0].options.every(({ status }) => status === 'neutral'));
  const all = itemTypes.reduce((guide, type) => addItem(guide, 'b1', newItem(type, false, name)), screened);
  assert.equal(new Set(allItems(all).map((entry) => entry.item.externalId)).size, itemTypes.length + 2);
  for (const from of itemTypes) for (const to of itemTypes) assert.equal(asType(newItem(from, false, name), to, false, name).type, to);
  const choice = { ...item(coffee(), 'where') };
  assert.deepEqual(Object.keys(asType(choice, 'ranking', false)).sort(), ['externalId', 'options', 'text', 'type']);
  assert.ok(asType(choice, 'ranking', false).options.every((option) => !('exclusiveOption' in option)));
});

test('every part gets an id, and a guide that has all stays the same', () => {
  const guide = coffee();
  assert.equal(withIds(guide), guide);
  const bare = edited(guide, (g) => { delete g.studyGuide[1].externalId; delete g.studyGuide[1].items[2].options[0].externalId; delete g.studyGuide[2].conceptSamplingConfig.concepts[0].externalId; });
  const named = withIds(bare);
  assert.match(named.studyGuide[1].externalId, /^b-[a-z2-9]{8}$/);
  assert.match(named.studyGuide[1].items[2].options[0].externalId, /^o-/);
  assert.match(named.studyGuide[2].conceptSamplingConfig.concepts[0].externalId, /^c-/);
});

test('the place of a problem leads to its card and field', () => {
  for (const [pointer, field] of [
    ['/studyGuide/1/items/2/options/0/text', 'options[0].text'], ['/studyGuide/2/conceptSamplingConfig/concepts/1/conditional', 'conditional'], ['/studyGuide/0', ''],
    ['/config/verbatim/model/neverSend/0', 'config.verbatim.model.neverSend[0]'], ['/studyGuide/0/conceptSamplingConfig/subsampleCount', 'conceptSamplingConfig.subsampleCount'], ['/a~1b~0c', 'a/b~c'], ['', ''],
  ]) assert.equal(fieldOf(pointer), field, pointer);
  assert.deepEqual(['options[2].text', 'options[2]', 'options', 'a.b'].map(outer), ['options[2]', 'options', '', 'a']);
  const problem = (pointer, ids) => ({ severity: 'error', code: 'shape', message: 'x', pointer, blockId: null, itemId: null, conceptId: null, ...ids });
  const all = [problem('/title'), problem('/studyGuide/0/title', { blockId: 'who' }), problem('/studyGuide/1/items/0/text', { blockId: 'habits', itemId: 'intro' })];
  assert.deepEqual(all.map(cardOf), ['', 'who', 'intro']);
  assert.deepEqual(byCard(all).get('intro'), [all[2]]);
  assert.equal(nextProblem(all, null, 1), all[0]);
  assert.equal(nextProblem(all, all[2], 1), all[0]);
  assert.equal(nextProblem(all, all[0], -1), all[2]);
  assert.equal(nextProblem([], null, 1), null);
});

test('a link keeps the placeholders of panels', () => {
  const link = 'https://interviews.example.com/s/abc';
  assert.equal(withParameters(link, [{ name: ' ', value: 'x', test: '' }]), link);
  const rows = [{ name: 'id', value: '{{id}}', test: 'a 1' }, { name: 'p&q', value: '50% off & [%ID%]', test: '' }, { name: 'u', value: '%USER_ID%-$rid', test: '7' }];
  assert.equal(withParameters(link, rows), `${link}?id={{id}}&p%26q=50%25%20off%20%26%20[%ID%]&u=%USER_ID%-$rid`);
  assert.equal(withParameters(`${link}?a=1`, rows.slice(0, 1), true), `${link}?a=1&id=a%201`);
});

test('what cannot be shown as a guide is named', () => {
  assert.equal(misshapen(coffee()), null);
  assert.equal(misshapen({ studyGuide: [] }), null);
  assert.equal(misshapen([]), '');
  assert.equal(misshapen({ title: 'x' }), 'studyGuide');
  assert.equal(misshapen(edited(coffee(), (g) => { g.studyGuide[1].items[0].options = 'x'; })), 'studyGuide[1].items[0].options');
  assert.equal(misshapen(edited(coffee(), (g) => { delete g.studyGuide[2].conceptSamplingConfig.concepts[1].content; })), 'studyGuide[2].conceptSamplingConfig.concepts[1].content');
});

test('errors of JSON have a line', () => {
  assert.equal(brokenAt(JSON.stringify(coffee(), null, 2)), null);
  assert.deepEqual(brokenAt('{\n  "a": 1,\n}'), { line: 3, column: 1, offset: 12 });
  assert.deepEqual(brokenAt('{ "a": [1, 2 }'), { line: 1, column: 14, offset: 13 });
  assert.deepEqual(brokenAt('{}\n x')?.line, 2);
  assert.deepEqual(brokenAt('')?.line, 1);
  assert.deepEqual(brokenAt('{"a": 01}')?.column, 8);
  const places = scan('{\n "a": [true,\n {"b.c": null}]}');
  assert.deepEqual([...places].map(([place]) => place), ['', 'a', 'a[0]', 'a[1]', 'a[1].b.c']);
});

test('the languages are those of the contract', async () => {
  const contract = await readFile(join(import.meta.dirname, '..', '..', '..', 'openapi', 'v1.yaml'), 'utf8');
  const [, listed] = /\n {4}Language:[^[]*\[([^\]]*)\]/.exec(contract);
  assert.deepEqual(languages, listed.split(',').map((code) => code.trim().replaceAll("'", '')));
});

test('every word of the editor is used', async () => {
  const folder = join(import.meta.dirname, '..');
  const { readdir } = await import('node:fs/promises');
  const words = Object.keys(JSON.parse(await readFile(join(folder, 'words', 'editor.en.json'), 'utf8')));
  const files = (await Promise.all(['editor', 'pages'].map(async (name) => (await readdir(join(folder, name))).map((file) => join(folder, name, file))))).flat();
  const code = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
  const made = [...code.matchAll(/`(\w+_)\$\{/g)].map(([, start]) => start);
  const unused = words.filter((word) => !made.some((start) => word.startsWith(start)) && !code.includes(`'${word.replace(/_(?:one|other)$/, '')}'`) && !code.includes(`'${word}'`));
  assert.deepEqual(unused, []);
});
