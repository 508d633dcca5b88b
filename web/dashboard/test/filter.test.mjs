import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterQuery, isFiltered, parseAfter, parseFilter, withQuery } from '../filter';

test('a filter survives the address', () => {
  const filter = { progress: 'complete', hidden: 'any', qualityFrom: 3, qualityTo: 4.5, tag: 'price & "time"', parameter: 'source=e-mail=2', q: 'größer 好' };
  assert.deepEqual(parseFilter(`?${filterQuery(filter)}`), filter);
  assert.equal(filterQuery({ q: 'x', progress: 'complete' }), 'progress=complete&q=x', 'always in the same order');
});

test('what does not belong to a filter is left out', () => {
  assert.deepEqual(parseFilter('?progress=done&hidden=false&qualityFrom=9&qualityTo=abc&tag=%20&parameter=novalue&q=&after=3&__proto__=1'), {});
  assert.equal(isFiltered({}), false);
  assert.equal(isFiltered({ tag: 'a' }), true);
});

test('pages go on below a number', () => {
  assert.equal(parseAfter('?after=713'), 713);
  for (const other of ['', '?after=', '?after=0', '?after=-1', '?after=1.5', '?after=x']) assert.equal(parseAfter(other), undefined, other);
  assert.equal(withQuery('/p/a', filterQuery({ tag: 'a' }, { after: 3 })), '/p/a?tag=a&after=3');
  assert.equal(withQuery('/p/a', ''), '/p/a');
});
