import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate } from '../draft';
import { matches } from '../find_options';
import { lettersLeft } from '../letters';
import { matrixLayout, nextOpenRow } from '../matrix_layout';

test('a grid is as wide as its words need', () => {
  const agree = ['Strongly disagree', 'Disagree', 'Neither agree nor disagree', 'Agree', 'Strongly agree'];
  const few = matrixLayout(['Yes', 'No'], ['I cook', 'I bake']);
  const five = matrixLayout(agree, ['I enjoy cooking for guests', 'I like trying unfamiliar ingredients']);
  assert.ok(few.needed < 20 && five.needed > 38 && five.needed < 62, `${few.needed} and ${five.needed} rem`);
  assert.ok(five.column >= 'Strongly'.length * 0.5, 'no word is broken');
  assert.ok(matrixLayout([...'0123456789', '10'], ['How likely are you to recommend it?']).needed < 60, 'eleven short columns fit on a laptop');
  assert.equal(matrixLayout(['Rindfleischetikettierungsüberwachungsgesetz', 'x', 'y', 'z'], ['a']), null, 'what fits on no screen is a list');
  assert.equal(matrixLayout(['Yes'], ['Geschwindigkeitsbeschränkungsüberschreitungsverdächtig']), null);
  assert.ok(matrixLayout(['非常不同意', '不同意', '一般', '同意', '非常同意'], ['我喜欢为客人做饭']).needed < 60, 'scripts without spaces may break anywhere');
});

test('a matrix goes on with the next row without an answer', () => {
  const rows = ['a', 'b', 'c'].map((id) => ({ id }));
  assert.equal(nextOpenRow(rows, undefined, -1), 0);
  assert.equal(nextOpenRow(rows, { a: 'x' }, 0), 1);
  assert.equal(nextOpenRow(rows, { b: 'x', c: 'x' }, 2), 0, 'a row that was passed over comes again');
  assert.equal(nextOpenRow(rows, { a: 'x', b: 'x', c: 'x' }, 1), 3, 'then the overview');
  assert.equal(nextOpenRow([], {}, -1), 0);
});

test('options are found whatever their case and accents', () => {
  assert.ok(matches('Türkiye', 'turk') && matches('Côte d’Ivoire', 'IVOIRE cote') && matches('Austria', ''));
  assert.ok(!matches('Austria', 'aust x'));
});

test('characters are counted as the server counts them', () => {
  assert.equal(lettersLeft('a'.repeat(20_000)), 0);
  assert.equal(lettersLeft('👵🏽'.repeat(9_500)), 1000, 'not by halves of a pair');
  const step = { kind: 'question', question: { type: 'open_ended' }, capture: null };
  assert.deepEqual(validate(step, { text: 'a'.repeat(20_001) }), [{ key: 'errLong', field: 'answer', n: 20_000 }]);
  assert.deepEqual(validate(step, { text: 'a'.repeat(20_000) }), []);
});
