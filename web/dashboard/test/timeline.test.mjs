import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locate, segmentOf, timelineOf } from '../timeline';

const recording = (kind, seconds, state = 'ready') => ({ kind, state, durationSeconds: seconds, url: state === 'ready' ? `/m/${kind}` : null });
const rows = [
  { index: 0, recordings: [] },
  { index: 1, recordings: [recording('audio', 4)] },
  { index: 2, recordings: [recording('screenVideo', 6), recording('audio', 6), recording('video', 6)] },
  { index: 3, recordings: [recording('audio', 9, 'failed')] },
  { index: 5, recordings: [recording('screenVideo', 2)] },
];

test('recordings lie one after the other', () => {
  const { segments, duration } = timelineOf(rows);
  assert.equal(duration, 12);
  assert.deepEqual(segments.map((s) => [s.row, s.start, s.duration, s.recording.kind, s.screen?.kind ?? null]), [
    [1, 0, 4, 'audio', null], [2, 4, 6, 'video', 'screenVideo'], [5, 10, 2, 'screenVideo', null],
  ]);
});

test('what the media say wins over what the server says', () => {
  const timeline = timelineOf(rows, new Map([[1, 5.5]]));
  assert.deepEqual(timeline.segments.map((s) => s.start), [0, 5.5, 11.5]);
  assert.equal(timeline.duration, 13.5);
});

test('every second belongs to one segment', () => {
  const timeline = timelineOf(rows);
  assert.deepEqual(locate(timeline, 0), { index: 0, offset: 0 });
  assert.deepEqual(locate(timeline, 4), { index: 1, offset: 0 });
  assert.deepEqual(locate(timeline, 9.5), { index: 1, offset: 5.5 });
  assert.deepEqual(locate(timeline, -3), { index: 0, offset: 0 });
  assert.deepEqual(locate(timeline, 99), { index: 2, offset: 2 });
  assert.deepEqual(locate(timelineOf([]), 3), { index: -1, offset: 0 });
  assert.equal(segmentOf(timeline, 5), 2);
  assert.equal(segmentOf(timeline, 3), -1);
});
