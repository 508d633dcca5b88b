import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apply, diff } from '../editor/changes';
import { merge, settle } from '../editor/merge';
import { copyItem, move, moveTo, remove } from '../editor/outline';
import { guideOf, tableOf } from '../editor/table';
import { nothing, redoLast, remember, undoLast } from '../editor/undo';
import { coffee, edited } from './editor_guides.mjs';

const item = (guide, id) => guide.studyGuide.flatMap(({ items }) => items).find(({ externalId }) => externalId === id);
const ids = (guide) => guide.studyGuide.map(({ items }) => items.map(({ externalId }) => externalId));

test('a guide survives its table', () => {
  for (const guide of [coffee(), { title: '', studyGuide: [] }, edited(coffee(), (g) => {
    g.config = {};
    g.studyGuide[0].conceptSamplingConfig = null;
    g.studyGuide[1].items.push(structuredClone(g.studyGuide[1].items[0]), { type: 'ranking', text: '', options: [{ text: 'a' }, { text: 'a' }] });
    g.studyGuide[1].items[1].conditional = null;
    g.unknown = { deep: [1, { a: 2 }] };
    g.studyGuide[2].conceptSamplingConfig = { concepts: [] };
  })]) {
    assert.deepEqual(guideOf(tableOf(guide)), guide);
  }
});

test('people read keys in the order of the contract', () => {
  const { studyGuide, title } = coffee();
  assert.deepEqual(Object.keys(guideOf(tableOf({ studyGuide, title, closingMessage: 'x' }))), ['title', 'closingMessage', 'studyGuide']);
});

// random changes, the same in every run
function chance(seed) {
  let state = seed;
  return (n) => { state = (state * 1_103_515_245 + 12_345) % 2_147_483_648; return Math.floor((state / 2_147_483_648) * n); };
}

function edit(guide, pick, mark) {
  const items = guide.studyGuide.flatMap((block) => block.items);
  const one = items[pick(items.length)];
  if (!one) return guide;
  const id = one.externalId;
  switch (pick(6)) {
    case 0: return edited(guide, (g) => { item(g, id).text = `text ${mark}`; });
    case 1: return move(guide, id, pick(2) ? 1 : -1);
    case 2: return moveTo(guide, id, guide.studyGuide[pick(guide.studyGuide.length)].externalId, pick(2) ? 'start' : 'end');
    case 3: return remove(guide, id);
    case 4: return copyItem(guide, id, () => `copy-${mark}`).guide;
    default: return edited(guide, (g) => { const it = item(g, id); if (it.options) it.options.splice(pick(it.options.length + 1), 0, { text: mark, externalId: `o-${mark}` }); else it.rows = [{ text: mark }]; });
  }
}

test('differences lead from any version to any other', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const pick = chance(seed * 7919);
    let [a, b] = [coffee(), coffee()];
    for (let i = 0; i < 5; i++) [a, b] = [edit(a, pick, `a${i}`), edit(b, pick, `b${i}`)];
    const { table, conflicts } = apply(tableOf(a), diff(tableOf(a), tableOf(b)));
    assert.deepEqual(conflicts, [], `seed ${seed}`);
    assert.deepEqual(guideOf(table), b, `seed ${seed}`);
    assert.deepEqual(diff(tableOf(a), tableOf(structuredClone(a))), []);
  }
});

test('disjoint edits of two people merge, in either order', () => {
  const base = coffee();
  const mine = move(edited(base, (g) => { item(g, 'story').text = 'Mine'; item(g, 'where').options.splice(1, 0, { text: 'In the car', externalId: 'car' }); }), 'photo', -1);
  const theirs = remove(edited(base, (g) => { item(g, 'story').followUp = 'none'; item(g, 'where').options[0].text = 'In the kitchen'; g.title = 'Theirs'; }), 'intro');
  const merged = merge(base, mine, theirs);
  assert.deepEqual(merged.disputes, []);
  assert.deepEqual(merge(base, theirs, mine).guide, merged.guide);
  assert.equal(item(merged.guide, 'story').text, 'Mine');
  assert.equal(item(merged.guide, 'story').followUp, 'none');
  assert.deepEqual(item(merged.guide, 'where').options.map(({ text }) => text), ['In the kitchen', 'In the car', 'At work', 'Nowhere']);
  assert.deepEqual(ids(merged.guide), [['often'], ['story', 'where', 'order', 'good', 'photo', 'matters'], ['what']]);
  assert.equal(merged.guide.title, 'Theirs');
});

test('an item that one person moved keeps what the other wrote in it', () => {
  const base = coffee();
  const mine = moveTo(base, 'story', 'ideas', 'end');
  const theirs = edited(base, (g) => { item(g, 'story').text = 'Theirs'; });
  const { guide, disputes } = merge(base, mine, theirs);
  assert.deepEqual(disputes, []);
  assert.deepEqual(ids(guide)[2], ['what', 'story']);
  assert.equal(item(guide, 'story').text, 'Theirs');
});

test('the same field is theirs until a person decides', () => {
  const base = coffee();
  const mine = edited(base, (g) => { item(g, 'story').text = 'Mine'; g.closingMessage = 'Bye'; });
  const theirs = edited(base, (g) => { item(g, 'story').text = 'Theirs'; });
  const { guide, disputes: [dispute, ...others] } = merge(base, mine, theirs);
  assert.deepEqual(others, []);
  assert.equal(item(guide, 'story').text, 'Theirs');
  assert.equal(guide.closingMessage, 'Bye');
  assert.deepEqual([dispute.why, dispute.field, dispute.base, dispute.mine, dispute.theirs], ['field', 'text', 'Tell us.', 'Mine', 'Theirs']);
  for (const [choice, text] of [['mine', 'Mine'], ['theirs', 'Theirs'], ['base', 'Tell us.']]) assert.equal(item(settle(guide, dispute, choice), 'story').text, text);
});

test('what one person removed and the other changed is not lost', () => {
  const base = coffee();
  const without = remove(base, 'where');
  const changed = edited(base, (g) => { item(g, 'where').options[1].text = 'At the office'; item(g, 'where').text = 'Where then?'; });
  const theyRemoved = merge(base, changed, without);
  assert.equal(item(theyRemoved.guide, 'where'), undefined);
  assert.equal(theyRemoved.disputes.length, 1);
  assert.equal(theyRemoved.disputes[0].why, 'theyRemoved');
  const back = settle(theyRemoved.guide, theyRemoved.disputes[0], 'mine');
  assert.deepEqual(back, changed);
  const iRemoved = merge(base, without, changed);
  assert.deepEqual(iRemoved.guide, changed);
  assert.equal(iRemoved.disputes[0].why, 'iRemoved');
  assert.deepEqual(settle(iRemoved.guide, iRemoved.disputes[0], 'mine'), without);
  assert.deepEqual(settle(iRemoved.guide, iRemoved.disputes[0], 'theirs'), changed);
});

test('nothing of random edits of two people is lost without a word', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const pick = chance(seed * 104_729);
    const base = coffee();
    let [mine, theirs] = [base, base];
    for (let i = 0; i < 3; i++) [mine, theirs] = [edit(mine, pick, `mine${i}`), edit(theirs, pick, `theirs${i}`)];
    const { guide, disputes } = merge(base, mine, theirs);
    const said = JSON.stringify([guide, disputes]);
    for (const side of [mine, theirs]) {
      for (const word of JSON.stringify(side).match(/(?:text|copy|o)[ -](?:mine|theirs)\d/g) ?? []) assert.ok(said.includes(word), `seed ${seed}: ${word}`);
    }
    assert.deepEqual(guideOf(tableOf(guide)), guide);
  }
});

test('typing is undone as one edit, and done again', () => {
  const first = coffee();
  let [guide, undo] = [first, nothing];
  for (const [i, text] of ['N', 'Ne', 'New'].entries()) {
    const next = edited(guide, (g) => { item(g, 'story').text = text; });
    undo = remember(undo, guide, next, 'story text', i * 100);
    guide = next;
  }
  const gone = remove(guide, 'where');
  undo = remember(undo, guide, gone, '', 400);
  assert.equal(undo.done.length, 2);
  undo = structuredClone(undo); // as it comes back after a reload
  const one = undoLast(gone, undo);
  assert.deepEqual(one.guide, guide);
  const two = undoLast(one.guide, one.undo);
  assert.deepEqual(two.guide, first);
  assert.equal(undoLast(two.guide, two.undo), null);
  const again = redoLast(two.guide, two.undo);
  assert.deepEqual(redoLast(again.guide, again.undo).guide, gone);
});

test('undoing leaves what others did', () => {
  const base = coffee();
  const mine = edited(base, (g) => { item(g, 'story').text = 'Mine'; g.studyGoal = 'Mine'; });
  const undo = remember(nothing, base, mine, '', 0);
  const both = edited(mine, (g) => { item(g, 'story').text = 'Theirs'; item(g, 'where').text = 'Theirs'; });
  const { guide, left } = undoLast(both, undo);
  assert.equal(left, 1);
  assert.deepEqual([item(guide, 'story').text, item(guide, 'where').text, guide.studyGoal], ['Theirs', 'Theirs', 'Mornings']);
  const added = copyItem(base, 'story', () => 'new').guide;
  const written = edited(added, (g) => { item(g, 'new').text = 'Theirs'; });
  const kept = undoLast(written, remember(nothing, base, added, '', 0));
  assert.equal(kept.left, 1);
  assert.deepEqual(kept.guide, written);
});
