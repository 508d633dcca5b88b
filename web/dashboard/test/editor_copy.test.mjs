import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../api';
import { Copy } from '../editor/copy';
import { coffee, edited } from './editor_guides.mjs';

// A server whose clock stands still until it is moved, and a browser that keeps the last record.
class World {
  version = 1;
  guide = coffee();
  now = 1_000;
  timers = [];
  saves = [];
  down = null;
  kept = null;

  server = {
    load: () => Promise.resolve(this.draft()),
    save: async (guide, version) => {
      await null;
      if (this.down) throw this.down;
      if (version !== this.version) return { newer: this.draft() };
      this.saves.push(structuredClone(guide));
      this.version++;
      this.guide = structuredClone(guide);
      return { saved: { version: this.version, valid: true, unpublished: true, problems: [], updatedAt: '', guide: null } };
    },
    now: () => this.now,
    later: (milliseconds, run) => {
      const timer = { at: this.now + milliseconds, run };
      this.timers.push(timer);
      return () => { this.timers = this.timers.filter((other) => other !== timer); };
    },
  };

  draft() {
    return { version: this.version, guide: structuredClone(this.guide), valid: true, unpublished: true, problems: [], updatedAt: '', updatedBy: 'Ben' };
  }

  // another person saves
  other(edit) {
    this.guide = edited(this.guide, edit);
    this.version++;
  }

  async open() {
    const found = this.kept ? [structuredClone(this.kept)] : [];
    const copy = new Copy(this.server, { works: true, found, keep: (kept) => { this.kept = structuredClone(kept); } });
    await copy.begin();
    return copy;
  }

  async pass(milliseconds) {
    const until = this.now + milliseconds;
    for (;;) {
      await new Promise((resolve) => { setImmediate(resolve); });
      const next = this.timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((other) => other !== next);
      this.now = next.at;
      next.run();
    }
    this.now = until;
  }
}

const type = (copy, title) => copy.edit((guide) => ({ ...guide, title }), 'guide title');

test('a pause saves, and going on saves after five seconds', async () => {
  const world = new World();
  const copy = await world.open();
  type(copy, 'a');
  assert.equal(copy.state.value.kind, 'typed');
  await world.pass(799);
  assert.equal(world.saves.length, 0);
  await world.pass(1);
  assert.deepEqual([world.saves.length, copy.state.value.kind, copy.dirty], [1, 'saved', false]);
  for (let i = 0; i < 12; i++) {
    type(copy, `b${i}`);
    await world.pass(500);
  }
  assert.equal(world.saves.length, 2, 'in the middle of typing');
  await world.pass(800);
  assert.equal(world.guide.title, 'b11');
});

test('what is typed while a save is under way is saved after it', async () => {
  const world = new World();
  const copy = await world.open();
  type(copy, 'a');
  const saved = copy.flush();
  type(copy, 'ab');
  await saved;
  assert.deepEqual(world.saves.map(({ title }) => title), ['a', 'ab']);
});

test('without a network everything is kept, and saved once it is back', async () => {
  const world = new World();
  const copy = await world.open();
  world.down = new Failure('', 'offline', 0);
  type(copy, 'a');
  await world.pass(10_000);
  assert.equal(copy.state.value.kind, 'waiting');
  type(copy, 'ab');
  assert.equal(copy.state.value.kind, 'waiting', 'it does not say that it will be saved in a moment');
  assert.equal(world.kept.mine.title, 'ab');
  world.down = null;
  copy.again();
  await world.pass(0);
  assert.deepEqual([world.guide.title, copy.state.value.kind], ['ab', 'saved']);
});

test('a refusal is said, and tried again with the next edit', async () => {
  const world = new World();
  const copy = await world.open();
  world.down = new Failure('Too large', 'payload_too_large', 413);
  type(copy, 'a');
  await world.pass(60_000);
  assert.equal(copy.state.value.kind, 'refused');
  assert.equal(world.timers.length, 0);
  world.down = null;
  type(copy, 'b');
  await world.pass(800);
  assert.equal(world.guide.title, 'b');
});

test('a reload in the middle loses nothing, and can still undo', async () => {
  const world = new World();
  const first = await world.open();
  type(first, 'typed');
  const second = await world.open(); // the first was not saved
  assert.equal(second.guide.value.title, 'typed');
  assert.equal(second.state.value.kind, 'typed');
  await second.flush();
  assert.equal(world.guide.title, 'typed');
  const third = await world.open();
  third.undo();
  assert.equal(third.guide.value.title, 'Coffee');
  await third.flush();
  assert.equal(world.guide.title, 'Coffee');
});

test('a reload puts what was kept onto what others saved meanwhile', async () => {
  const world = new World();
  const first = await world.open();
  type(first, 'mine');
  world.other((guide) => { guide.studyGoal = 'theirs'; });
  const second = await world.open();
  await second.flush();
  assert.deepEqual([world.guide.title, world.guide.studyGoal], ['mine', 'theirs']);
});

test('two people type at once: both are there, and the same field is decided by a person', async () => {
  const world = new World();
  const copy = await world.open();
  type(copy, 'mine');
  copy.edit((guide) => ({ ...guide, studyGoal: 'mine' }));
  world.other((guide) => { guide.title = 'theirs'; guide.closingMessage = 'theirs'; });
  await copy.flush();
  assert.deepEqual([world.guide.title, world.guide.studyGoal, world.guide.closingMessage], ['theirs', 'mine', 'theirs']);
  assert.deepEqual(copy.others.value, { name: 'Ben', changes: 2 });
  const [dispute, ...more] = copy.disputes.value;
  assert.deepEqual([dispute.mine, dispute.theirs, dispute.base, more.length], ['mine', 'theirs', 'Coffee', 0]);
  assert.equal(world.kept.disputes.length, 1, 'a reload keeps the question');
  copy.decide(dispute, 'mine');
  await copy.flush();
  assert.equal(world.guide.title, 'mine');
  copy.undo();
  assert.equal(copy.guide.value.title, 'theirs');
});

test('what others save comes in by itself', async () => {
  const world = new World();
  const copy = await world.open();
  world.other((guide) => { guide.title = 'theirs'; });
  await copy.refresh();
  assert.deepEqual([copy.guide.value.title, copy.dirty, copy.version.value], ['theirs', false, 2]);
  copy.undo();
  assert.equal(copy.guide.value.title, 'theirs', 'it is not mine to undo');
});
