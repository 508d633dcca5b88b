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
  const delays = (p) => p.page.evaluate(() => {
    const marks = performance.getEntriesByType('mark').filter(({ name }) => name.startsWith('handsfree-'));
    return marks.flatMap(({ name, startTime }, i) => (name === 'handsfree-question' && marks[i - 1]?.name === 'handsfree-end' ? [Math.round(startTime - marks[i - 1].startTime)] : []));
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
    console.log(`from the end of an answer to the next question: ${await delays(p)} ms`);
    await p.page.reload();
    await p.page.getByText(p.words.hfBack).waitFor();
    await p.button(p.words.hfResume).click(); // the voice begins again with its first sentence
    for (let n = 3; n <= count + 1; n++) await question(p, n);
    const [response] = await server.responses({ id });
    const rows = response.transcript.filter((row) => row.discussionGuideQuestionId).map(({ moderator, user }) => [moderator, user]);
    assert.deepEqual(rows, questions.map((text, i) => [text, i === 0 ? said[0] : i === 1 ? `${said[1]} ${said[0]}` : said[i - 1]]));
    console.log(`answers recognized: ${rows.length} of ${count}`);
  });
});
