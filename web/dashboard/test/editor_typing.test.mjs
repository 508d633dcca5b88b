import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diff } from '../editor/changes';
import { fieldChanges } from '../editor/field_changes';
import { editItem, move, remove } from '../editor/outline';
import { tableOf } from '../editor/table';
import { nothing, remember, undoLast, redoLast } from '../editor/undo';
import { coffee } from './editor_guides.mjs';

const ofFields = (guide, other) => diff(tableOf(guide), tableOf(other)).filter(({ kind }) => kind === 'field');
const plain = (changes) => JSON.stringify([...changes].sort((a, b) => (a.node + a.field < b.node + b.field ? -1 : 1)));

test('edits of fields are found without reading the whole guide, and are those that a comparison finds', () => {
  const guide = coffee();
  for (const edited of [
    { ...guide, title: 'Tea', config: { ...guide.config, questionLanguage: 'fr' } },
    editItem(guide, 'where', (item) => ({ ...item, text: 'Where else?', options: item.options.map((option, i) => (i ? option : { ...option, text: 'Indoors' })) })),
    editItem(guide, 'photo', ({ conditional: _gone, ...item }) => item),
    { ...guide, closingMessage: undefined },
  ]) assert.equal(plain(fieldChanges(guide, edited)), plain(ofFields(guide, edited)));
  assert.deepEqual(fieldChanges(guide, guide), []);
});

test('what was moved, added or removed, or has an id twice, is compared as a whole', () => {
  const guide = coffee();
  const twins = editItem(guide, 'photo', (item) => ({ ...item, externalId: 'where' }));
  for (const edited of [move(guide, 'story', -1), remove(guide, 'photo'), twins, editItem(guide, 'where', (item) => ({ ...item, options: item.options.slice(1) }))]) assert.equal(fieldChanges(guide, edited), null);
});

test('typing in one field is undone at once, whatever was typed before', () => {
  const guide = coffee();
  let now = guide;
  let undo = nothing;
  for (const [i, text] of ['W', 'Wh', 'Why', 'Why?'].entries()) {
    const next = editItem(now, 'where', (item) => ({ ...item, text }));
    undo = remember(undo, now, next, 'where text', 100 * i);
    now = next;
  }
  assert.equal(undo.done.length, 1);
  const back = undoLast(now, undo);
  assert.equal(plain(ofFields(back.guide, guide)), '[]');
  assert.equal(plain(ofFields(redoLast(back.guide, back.undo).guide, now)), '[]');
});
