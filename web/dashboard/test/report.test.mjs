import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonsOf, digitsOf, partsOf, wrap } from '../analysis/report';
import { parseQuote, quoteAddress } from '../quote';

const columns = (...keys) => keys.map((key) => ({ key, head: key }));
const groups = [{ key: 'label', head: 'Option' }, { key: 'g1', head: 'mail %' }, { key: 'g2', head: 'panel %' }];

test('a column has the digits with which the report prints it', () => {
  const digits = digitsOf({ columns: columns('label', 'share', 'g1', 'g2'), rows: [{ label: 'a', share: 28, g1: 13.6, g2: 0 }, { label: 'b', share: 14.25, g1: 0, g2: 100 }] });
  assert.deepEqual([...digits], [['label', 0], ['share', 2], ['g1', 1], ['g2', 1]]);
});

test('a comparison marks what the tests of the report bear out, and nothing else', () => {
  const tables = [
    { key: 'base', columns: [], rows: [{ about: 'The question', asked: 60, answered: 60, base: null }] },
    { key: 'by-shares', title: 'Answers', columns: groups, rows: [{ label: 'Yes', g1: 80, g2: 20 }, { label: 'No', g1: 20, g2: 80 }] },
    { key: 'by-bases', columns: [], rows: [{ group: 'mail', people: 40, base: null }, { group: 'panel', people: 20, base: 'small' }] },
    { key: 'by-residuals', columns: [{ key: 'label', head: 'Option' }, { key: 'g1', head: 'mail' }, { key: 'g2', head: 'panel' }], rows: [{ label: 'Yes', g1: 3.1, g2: -3.1 }, { label: 'No', g1: -0.5, g2: 0.5 }] },
  ];
  const section = { key: 'q', kind: 'multiple_choice', heading: 'Q', sentences: [], warnings: [], tables };
  const [part] = partsOf(section);
  const [plain] = comparisonsOf(section, part);
  assert.equal(plain.marks.size, 0, 'no test has found a difference');
  assert.deepEqual(plain.groups.map(({ name, people, small }) => [name, people, small]), [['mail', 40, false], ['panel', 20, true]]);
  const tested = { ...section, tables: [...tables, { key: 'by-residuals-furthest', columns: [], rows: [{}] },
    { key: 'by-letters', columns: [{ key: 'label', head: 'Option' }, { key: 'g1', head: 'mail (A)' }, { key: 'g2', head: 'panel (B)' }], rows: [{ label: 'Yes', g1: 'B', g2: null }] }] };
  const [compared] = comparisonsOf(tested, part);
  assert.deepEqual([...compared.marks], [['Yes\ng1', { sign: '▲', lower: 'B' }], ['Yes\ng2', { sign: '▼', lower: '' }]]);
  assert.deepEqual(compared.groups.map(({ letter }) => letter), ['A', 'B']);
});

test('labels break into lines, and long ones end with an ellipsis', () => {
  assert.deepEqual(wrap('one two three', 7, 3), ['one two', 'three']);
  assert.deepEqual(wrap('unbreakable', 4, 2), ['unbr', 'eak…']);
});

test('the address of a quote is read as it was written', () => {
  const address = quoteAddress('k7Rm', 8, 2, 'So “good”, 50 %=#1');
  assert.deepEqual(parseQuote(address.slice(address.indexOf('#'))), { row: 2, quote: 'So “good”, 50 %=#1' });
  for (const other of ['', '#row-', '#row-x=1', '#else']) assert.equal(parseQuote(other), null);
  assert.deepEqual(parseQuote('#row-3=%E0%A4%A'), { row: 3, quote: '' });
});
