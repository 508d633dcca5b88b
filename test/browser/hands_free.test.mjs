// Interviews held by voice alone: a synthetic voice speaks into Chromium's microphone, and the stand-in services of test/speech understand it and
// read the questions aloud. HANDS_FREE_QUESTIONS=10 runs the long form.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe } from 'node:test';
import { launch } from './browser.mjs';
import { check, withAuditor } from './harness.mjs';
import { Server } from './server.mjs';

const said = [
  'My brother taught me how to make bread when we were very young.', 'The kitchen window looks out on an old apple tree.',
  'On Sundays we all sit together for a very long time.', 'Nobody in my family likes to wash the large iron pan.',
  'I buy most of our vegetables at the market by the river.', 'When friends come over I always cook far too much.',
  'A good knife is worth more to me than any machine.', 'My grandmother wrote her recipes on the back of letters.',
  'We never throw bread away, we make soup of it.', 'In summer we carry the table outside and eat in the garden.',
];
const count = Number(process.env.HANDS_FREE_QUESTIONS ?? 3);
const questions = Array.from({ length: count }, (_, i) => `Please tell me story number ${i + 1}.`);
const picture = 'https://media.example.test/tin.svg';
const study = (verbatim = {}) => ({
  title: 'Stories', config: { interviewMode: 'audio', verbatim: { voice: { handsFree: true, pauseSeconds: 0.8 }, ...verbatim } },
  studyGuide: [{ type: 'flat', title: 'Stories', items: questions.map((text, i) => ({ type: 'open_ended', text, followUp: 'none', ...(i === 0 && { externalId: 'first', media: [{ name: 'A tin', url: picture, type: 'image' }] }) })) }],
});
const scripts = true;

describe('hands-free interviews', () => {
  let folder, provider, server, talking, silent;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'verbatim-hands-free-'));
    const wav = join(folder, 'voice.wav');
    provider = spawn('go', ['run', './test/speech/provider', wav, '8s', ...said.slice(0, Math.max(count, 3))], { cwd: join(import.meta.dirname, '..', '..'), stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(provider.stdout), 'line');
    const { url } = JSON.parse(line);
    server = await Server.begin('--speech-url', url, '--speak-url', url);
    const fake = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
    talking = await launch(...fake, `--use-file-for-fake-audio-capture=${wav}%noloop`);
    silent = await launch(...fake);
  });
  after(async () => {
    await Promise.all([talking?.close(), silent?.close()]);
    await server?.end();
    if (provider) {
      const gone = once(provider, 'exit');
      provider.stdin.end();
      await gone;
    }
    await rm(folder, { recursive: true, force: true });
  });

  // arrive opens a study and begins the interview, up to its first question.
  async function arrive(on, options, guide = study()) {
    on.useServer(server);
    const { link, id } = await server.launch(guide);
    const p = await on.visit(null, { scripts, permissions: ['microphone'], ...options });
    p.page.on('dialog', (dialog) => dialog.accept());
    await p.page.route(picture, (route) => route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"/>' }));
    await p.open(link);
    await p.begin();
    await p.button(p.words.hfStart).waitFor();
    return { p, study: { id, link } };
  }
  const state = (p, phase) => p.page.locator(`.hands-${phase}`).waitFor({ timeout: 60_000 });
  const question = (p, n) => p.page.getByRole('heading', { level: 1, name: n <= count ? questions[n - 1] : p.words.completeTitle }).waitFor({ timeout: 60_000 });
  const hears = (p) => p.page.locator('.hands-listening, .hands-speech, .hands-more').waitFor({ timeout: 60_000 }); // Chromium's own fake microphone beeps
  // delays returns the ms from the end of each answer (its second chance included) until the sound of the next question was there.
  const delays = (p) => p.page.evaluate(() => {
    const sounds = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/speech'));
    return performance.getEntriesByName('handsfree-end').flatMap(({ startTime }) => {
      const next = sounds.find((sound) => sound.startTime > startTime);
      return next ? [Math.round(next.responseEnd - startTime)] : [];
    });
  });

  check(`an interview of ${count} questions, cut off and reloaded on the way`, async (on) => {
    on.expect(/ERR_INTERNET_DISCONNECTED|status of 423/);
    const { p, study: { id } } = await arrive(on, { from: talking, size: 'phone' });
    await p.button(p.words.hfStart).click();
    await state(p, 'speech'); // the network is gone while the first answer is spoken
    await p.page.context().setOffline(true);
    await state(p, 'writing');
    await p.page.getByRole('status').filter({ hasText: p.words.recOffline }).waitFor();
    await p.page.context().setOffline(false);
    await question(p, 2);
    const arrives = () => p.page.waitForResponse((reply) => reply.request().method() === 'PATCH' && reply.url().includes('/uploads/'));
    await state(p, 'speech'); // the page is loaded again while the second is
    await arrives();
    await arrives();
    await p.page.reload();
    await p.page.getByText(p.words.hfBack).waitFor();
    await p.button(p.words.hfResume).click(); // the voice begins again with its first sentence
    for (let n = 3; n <= count + 1; n++) await question(p, n);
    console.log(`from the end of an answer to the next question, what providers take included: ${await delays(p)} ms`);
    const [response] = await server.responses({ id });
    const rows = response.transcript.filter((row) => row.discussionGuideQuestionId).map(({ moderator, user }) => [moderator, user]);
    assert.deepEqual(rows, questions.map((text, i) => [text, i === 0 ? said[0] : i === 1 ? `${said[1]} ${said[0]}` : said[i - 1]]));
    assert.equal((await delays(p)).length, count - 2, 'every question after the second was read aloud');
    console.log(`answers recognized: ${rows.length} of ${count}`);
  });

  check('the offer, the question aloud, and the way back to typing', (on) => withAuditor('phone', async (auditor) => {
    const { p } = await arrive(on, { from: silent, size: 'phone' });
    await auditor.audit(p.page, scripts);
    const spoken = p.page.waitForResponse((reply) => reply.url().endsWith('/speech'));
    await p.button(p.words.hfStart).click();
    const sound = await spoken;
    assert.equal(sound.headers()['content-type'], 'audio/wav');
    await hears(p);
    assert.equal(await p.button(p.words.next).count(), 0, 'no button to press');
    await auditor.audit(p.page, scripts);
    await p.button(p.words.hfType).click();
    assert.ok(await p.page.getByRole('button', { name: p.words.hfStart }).isVisible());
    await p.write('I type this one.');
    await p.send();
    await question(p, 2);
  }));

  check('a tone and a hum do not end an answer for ever: I am done', async (on) => {
    const { p } = await arrive(on, { from: silent });
    await p.page.keyboard.press('Tab');
    await p.button(p.words.hfStart).focus();
    await p.page.keyboard.press('Enter');
    await state(p, 'speech'); // the beeps of Chromium's own fake microphone
    for (let part = 0; part < 2; part++) await p.page.waitForResponse((response) => response.request().method() === 'PATCH'); // else there may be nothing to hear yet
    await p.button(p.words.hfDone).focus();
    await p.page.keyboard.press('Enter');
    await question(p, 2);
  });

  check('who speaks while the moderator speaks interrupts, and loses no word', async (on) => {
    const { p } = await arrive(on, { from: talking });
    const long = Buffer.alloc(44 + 2 * 8000 * 30); // half a minute without a sound
    long.write('RIFF', 0);
    long.writeUInt32LE(long.length - 8, 4);
    long.write('WAVEfmt ', 8);
    long.writeUInt32LE(16, 16);
    for (const [at, value] of [[20, 1], [22, 1], [32, 2], [34, 16]]) long.writeUInt16LE(value, at);
    long.writeUInt32LE(8000, 24);
    long.writeUInt32LE(16_000, 28);
    long.write('data', 36);
    long.writeUInt32LE(long.length - 44, 40);
    await p.page.route('**/speech', (route) => route.fulfill({ contentType: 'audio/wav', body: long }), { times: 1 });
    await p.button(p.words.hfStart).click();
    await state(p, 'speaking');
    await state(p, 'speech'); // long before the moderator would have ended
    await p.page.locator('.said').getByText(said[0]).waitFor({ timeout: 60_000 });
  });

  for (const [name, word] of [['NotAllowedError', 'recDeniedTitle'], ['NotFoundError', 'recNoneTitle']]) {
    check(`the microphone fails with ${name}: the page works as usual, and says why`, async (on) => {
      const { p } = await arrive(on, { from: silent });
      await p.page.evaluate((error) => { MediaDevices.prototype.getUserMedia = async () => { throw new DOMException('', error); }; }, name);
      await p.button(p.words.hfStart).click();
      await p.page.getByRole('alert').filter({ hasText: p.words[word] }).first().waitFor();
      await p.button(p.words.recAllow).waitFor();
    });
  }

  check('the microphone is taken away in the middle of an answer: nothing is lost', async (on) => {
    const { p } = await arrive(on, { from: talking });
    await p.page.evaluate(() => {
      const real = MediaDevices.prototype.getUserMedia;
      MediaDevices.prototype.getUserMedia = async function (...of) { return window.stream = await real.apply(this, of); };
    });
    await p.button(p.words.hfStart).click();
    await state(p, 'speech');
    await p.page.waitForResponse((reply) => reply.request().method() === 'PATCH');
    await p.page.waitForResponse((reply) => reply.request().method() === 'PATCH');
    await p.page.evaluate(() => {
      const [track] = window.stream.getAudioTracks();
      track.stop();
      track.dispatchEvent(new Event('ended'));
    });
    await p.page.getByRole('alert').filter({ hasText: p.words.recGoneTitle }).first().waitFor();
    await p.page.waitForFunction((text) => document.querySelector('textarea')?.value === text, said[0], { timeout: 60_000 });
    await p.send();
    await question(p, 2);
  });

  for (const [name, answer] of [
    ['is down', (route) => route.fulfill({ status: 503, json: { error: 'No.', code: 'speech_failed' } })],
    ['is a page of a proxy', (route) => route.fulfill({ contentType: 'text/html', body: '<title>Sign in</title>' })],
    ['has no sound for these words', (route) => route.fulfill({ status: 404, json: { error: 'No.', code: 'speech_unavailable' } })],
  ]) {
    check(`the speech service ${name}: the question is read, and listening begins`, async (on) => {
      on.expect(/status of (404|503)/);
      const { p } = await arrive(on, { from: silent });
      await p.page.route('**/speech', answer);
      await p.button(p.words.hfStart).click();
      await hears(p);
      assert.equal(await p.page.evaluate(() => document.activeElement.tagName), 'H1', 'a screen reader reads it');
    });
  }

  check('who leaves the tab finds the microphone off, and goes on', async (on) => {
    const { p } = await arrive(on, { from: silent });
    await p.button(p.words.hfStart).click();
    await hears(p);
    await p.page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await p.page.getByText(p.words.hfHidden).waitFor();
    await p.page.evaluate(() => delete document.visibilityState);
    await p.button(p.words.hfResume).click();
    await hears(p);
  });

  check('a phone is asked for a computer where the screen is recorded', async (on) => {
    on.useServer(server);
    const { link } = await server.launch({ ...study(), config: { interviewMode: 'audio_screen' } });
    const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
    const p = await on.visit(link, { scripts, size: 'phone', userAgent });
    assert.equal(await p.asked(), p.words.screenDeviceTitle);
    await p.button(p.words.copy).waitFor();
    assert.match(await p.page.locator('.address').innerText(), /\/s\//);
  });

  check('a picture stays at the follow-ups of its question', async (on) => {
    const guide = study({ voice: undefined });
    guide.config = {};
    guide.studyGuide[0].items[0].followUp = 'medium';
    on.useServer(server);
    const { link } = await server.launch(guide);
    for (const withScripts of [true, false]) {
      const p = await on.visit(null, { scripts: withScripts });
      await p.page.route(picture, (route) => route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"/>' }));
      await p.open(link);
      await p.begin();
      await p.write('It was fine.');
      await p.send();
      assert.notEqual(await p.asked(), questions[0]);
      await p.page.getByRole('img', { name: 'A tin' }).waitFor();
    }
  });
});
