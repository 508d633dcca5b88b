import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCsv, parseCsv } from '../csv';

test('what is written as CSV is read back, and no cell is a formula', () => {
  const rows = [['key', 'source', 'de'], ['a', 'Say "hi",\nthen go; on', '=1+1'], ['b', "'=1", '-2'], ['c', '', '\u0627']];
  const text = formatCsv(rows);
  assert.deepEqual(parseCsv(text), rows);
  for (const cell of text.split(/[,\r\n]+/)) assert.doesNotMatch(cell, /^"?[=+\-@]/);
});

test('the CSV of spreadsheets is read, whatever parts its cells', () => {
  assert.deepEqual(parseCsv('key;de\n"a;b";"x ""y"""\n\nc;'), [['key', 'de'], ['a;b', 'x "y"'], ['c', '']]);
  assert.deepEqual(parseCsv('\ufeffkey\tde\r\na\tb'), [['key', 'de'], ['a', 'b']]);
});
