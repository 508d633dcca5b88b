// Tells speech from noise, and the end of an answer from a pause, on made-up levels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Listening } from '../handsfree/listening';
import { frame, VoiceDetector } from '../handsfree/voice_detector';

// A repeatable noise of about one decibel.
let seed = 1;
const noise = () => {
  seed = (seed * 48271) % 2147483647;
  return (seed / 2147483647 - .5) * 4;
};
const steady = (seconds, level) => Array.from({ length: seconds * 50 }, () => level + noise());
// Syllables of 160 ms with gaps of 60 ms, as loud as level above noise that never stops.
const speech = (seconds, level, background) => Array.from({ length: seconds * 50 }, (_, i) => (i % 11 < 8 ? level : background) + noise());

const detect = (levels, detector = new VoiceDetector()) => levels.map((level) => detector.add(level));
const share = (flags) => flags.filter(Boolean).length / flags.length;

test('speech is told from a quiet room, an office and a street', () => {
  for (const background of [-90, -60, -45, -35]) {
    const flags = detect([...steady(3, background), ...speech(3, background + 25 < -40 ? -38 : background + 25, background), ...steady(2, background)]);
    assert.equal(share(flags.slice(100, 150)), 0, `noise of ${background} dB is speech`);
    assert.ok(share(flags.slice(160, 300)) > .95, `speech over ${background} dB has gaps`);
    assert.equal(share(flags.slice(320)), 0, `speech over ${background} dB does not end`);
  }
});

test('who speaks at once is heard', () => {
  assert.ok(share(detect(speech(2, -30, -65)).slice(8)) > .95);
});

test('noise that begins is speech for some seconds, and then noise', () => {
  const flags = detect([...steady(3, -65), ...steady(20, -40)]);
  assert.equal(share(flags.slice(9 * 50)), 0);
});

test('a click and a cough are no speech that interrupts', () => {
  const detector = new VoiceDetector();
  const flags = detect([...steady(3, -60), ...steady(.04, -20), ...steady(1, -60)], detector);
  assert.equal(share(flags), 0);
  detect(steady(.3, -20), detector);
  assert.equal(detector.insisting, false);
  detect(speech(.8, -25, -60), detector);
  assert.equal(detector.insisting, true);
  detector.restart();
  assert.equal(detector.insisting, false);
});

// play gives a listener speech (positive) and silence (negative), in seconds, and returns what happened with the second that it happened in.
function play(listening, ...parts) {
  const events = [];
  let at = 0;
  for (const part of parts) {
    for (let i = 0; i < Math.abs(part) * 1000 / frame; i++) {
      at += frame / 1000;
      const event = listening.add(part > 0, frame);
      if (event) events.push(`${event} ${at.toFixed(1)}`);
    }
  }
  return events;
}

test('an answer ends after a pause and a second chance, which speech resumes', () => {
  const listening = () => new Listening({ pause: 1500, cuts: false });
  assert.deepEqual(play(listening(), -2, 3, -5), ['spoke 2.0', 'pause 6.5', 'end 9.5']);
  assert.deepEqual(play(listening(), 1, -1.4, 1, -1.4), ['spoke 0.0'], 'a short pause is none');
  assert.deepEqual(play(listening(), 1, -4, 1, -4.5), ['spoke 0.0', 'pause 2.5', 'resumed 5.0', 'pause 7.5', 'end 10.5']);
});

test('who interrupts speaks already', () => {
  assert.deepEqual(play(new Listening({ pause: 1500, cuts: false, speaking: true }), 1, -4.6), ['pause 2.5', 'end 5.5']);
});

test('silence is remarked once, and then nobody is there', () => {
  assert.deepEqual(play(new Listening({ pause: 1500, cuts: false }), -70), ['silent 20.0', 'gone 60.0']);
});

test('the pause can be changed while it lasts', () => {
  const listening = new Listening({ pause: 800, cuts: false });
  assert.deepEqual(play(listening, 1, -.5), ['spoke 0.0']);
  listening.setPause(4000);
  assert.deepEqual(play(listening, -3), []);
  assert.deepEqual(play(listening, -1), ['pause 0.5']);
});

test('live words are cut at short pauses, not too often', () => {
  assert.deepEqual(play(new Listening({ pause: 2000, cuts: true }), 5, -1, 1, -1, 4, -1), ['spoke 0.0', 'cut 5.7', 'cut 12.7']);
});
