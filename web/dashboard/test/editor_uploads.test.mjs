import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../api';
import { Uploads } from '../editor/uploads';
import { withCaptions, withDecorative, captionsOf, decorativeIn, thumbnail, withMedia } from '../editor/media';
import { moveBeside } from '../editor/outline';

// server keeps one upload; fail decides what happens to a request.
function server(size, fail = () => null) {
  const media = { id: 'm', kind: 'image', stage: 'uploading', name: 'a.png', size, received: 0, url: null, problem: '' };
  const log = [];
  const act = (what, work) => async (...args) => {
    log.push(what);
    const error = fail(what, log.filter((entry) => entry === what).length);
    if (error === 'lost') work(...args);
    if (error) throw error === 'lost' ? new Failure('', 'offline', 0) : error;
    return { ...work(...args) };
  };
  return {
    log,
    begin: act('begin', () => media),
    send: act('send', (_id, offset, chunk) => {
      if (offset !== media.received) throw new Failure('', 'offset_conflict', 409);
      media.received += chunk.size;
      if (media.received === size) Object.assign(media, { stage: 'ready', url: 'https://x/media/1' });
      return media;
    }),
    look: act('look', () => media),
    cancel: act('cancel', () => media),
    wait: async () => {},
    now: () => 0,
  };
}

const file = (size) => new File([new Uint8Array(size)], 'a.png');

test('a file arrives in pieces in spite of lost answers and a lost network', async () => {
  const at = server(9 << 20, (what, n) => (what === 'send' && n === 1 ? 'lost' : what === 'send' && n === 3 ? new Failure('', 'busy', 503) : null));
  const uploads = new Uploads(at);
  const done = [];
  await uploads.start(file(9 << 20), 'card', (media) => done.push(media.url));
  assert.deepEqual(done, ['https://x/media/1']);
  assert.deepEqual(uploads.all.value, []);
  assert.ok(at.log.includes('look'), 'the page asks how far the upload is after an answer was lost');
});

test('a refused file says why, and a cancelled one is taken back', async () => {
  const refusing = new Uploads(server(10, (what) => (what === 'begin' ? new Failure('Too large.', 'media_full', 409) : null)));
  await refusing.start(file(10), 'card', () => assert.fail());
  assert.deepEqual(refusing.all.value.map(({ state, problem }) => [state, problem]), [['failed', 'Too large.']]);
  refusing.stop(refusing.all.value[0].key);
  assert.deepEqual(refusing.all.value, []);
  const at = server(9 << 20);
  const uploads = new Uploads({ ...at, send: async (...args) => { uploads.stop(1); return at.send(...args); } });
  await uploads.start(file(9 << 20), 'card', () => assert.fail());
  assert.ok(at.log.includes('cancel'));
  assert.deepEqual(uploads.all.value, []);
});

const guide = () => ({ title: '', studyGuide: [
  { type: 'flat', title: 'A', externalId: 'a', items: [{ type: 'statement', text: '', externalId: '1' }, { type: 'statement', text: '', externalId: '2' }] },
  { type: 'concept', title: 'B', externalId: 'b', items: [{ type: 'statement', text: '', externalId: '3' }], conceptSamplingConfig: { concepts: [{ nickname: '', content: { title: '' }, externalId: 'c' }] } },
] });
const order = ({ studyGuide }) => studyGuide.map(({ externalId, items }) => `${externalId}:${items.map((item) => item.externalId).join('')}`).join(' ');

test('what is dragged goes beside what it is dropped on', () => {
  assert.equal(order(moveBeside(guide(), '1', '2', 'after')), 'a:21 b:3');
  assert.equal(order(moveBeside(guide(), '1', '3', 'before')), 'a:2 b:13');
  assert.equal(order(moveBeside(guide(), '3', '1', 'after')), 'a:132 b:');
  assert.equal(order(moveBeside(guide(), '1', 'b', 'after')), 'a:2 b:13');
  assert.equal(order(moveBeside(guide(), 'a', 'b', 'after')), 'b:3 a:12');
  assert.equal(order(moveBeside(guide(), 'b', '1', 'before')), 'a:12 b:3');
  assert.equal(order(moveBeside(guide(), '1', 'gone', 'after')), 'a:12 b:3');
});

test('media, captions and decoration stand where the guide has them', () => {
  const image = { name: '', url: 'https://x/1', type: 'image' };
  const with1 = withMedia(withMedia(guide(), '1', (all) => [...all, image]), 'c', (all) => [...all, image]);
  assert.deepEqual([with1.studyGuide[0].items[0].media, with1.studyGuide[1].conceptSamplingConfig.concepts[0].content.media], [[image], [image]]);
  const captions = { mediaUrl: 'https://x/1', url: 'https://x/2', language: 'de' };
  const own = withDecorative(withCaptions({ ...guide(), config: { verbatim: { model: {} } } }, captions), image.url, true);
  assert.deepEqual([captionsOf(own), decorativeIn(own), own.config.verbatim.model], [[captions], [image.url], {}]);
  const bare = withDecorative(withCaptions(own, { ...captions, url: '' }), image.url, false);
  assert.deepEqual(bare.config.verbatim, { model: {} });
  const path = '/media/0198f9d1-3e5f-7b06-8d42-77c1a0e4b9d3/0123456789abcdef0123456789abcdef/';
  assert.deepEqual([`https://a.example${path}film.mp4`, `https://a.example${path}page.html`, 'javascript:1'].map(thumbnail), [`${path}poster.jpg`, '', '']);
});
