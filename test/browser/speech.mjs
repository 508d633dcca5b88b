// A real voice is played into the browser's microphone, and the page shows the transcript of a real speech-to-text engine: see
// test/speech.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before } from 'node:test';
import { launch } from './browser.mjs';
import { Server } from './server.mjs';
import { check } from './harness.mjs';

const asked = 'How do you cook?';
const guide = {
  title: 'Cooking', config: { interviewMode: 'audio' },
  studyGuide: [{ type: 'flat', title: 'Cooking', items: [{ type: 'open_ended', text: asked, followUp: 'none' }] }],
};
const voiceEnd = 21; // seconds, when the voice has ended

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

// errorRate returns the word error rate: words to substitute, delete or insert, divided by the words said.
function errorRate(said, transcribed) {
  const [want, got] = [wordsOf(said), wordsOf(transcribed)];
  let row = got.map((_, i) => i + 1);
  row.unshift(0);
  for (const [i, word] of want.entries()) {
    const next = [i + 1];
    for (const [j, other] of got.entries()) next.push(Math.min(row[j] + (word === other ? 0 : 1), row[j + 1] + 1, next[j] + 1));
    row = next;
  }
  return row.at(-1) / want.length;
}

export function speech() {
  let recordingBrowser, speechServer, folder, provider, said;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'verbatim-speech-'));
    const wav = join(folder, 'voice.wav');
    provider = spawn('go', ['run', './test/speech/provider', wav], { cwd: join(import.meta.dirname, '..', '..'), stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(provider.stdout), 'line');
    const { url, said: text } = JSON.parse(line);
    said = text;
    speechServer = await Server.begin('--speech-url', url, '--speech-model', 'pocketsphinx');
    recordingBrowser = await launch('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', `--use-file-for-fake-audio-capture=${wav}%noloop`);
  });
  after(async () => {
    await recordingBrowser?.close();
    await speechServer?.end();
    if (provider) {
      const gone = once(provider, 'exit');
      provider.stdin.end();
      await gone;
    }
    await rm(folder, { recursive: true, force: true });
  });

  check('what is said can be read, corrected and sent', async (on) => {
    on.useServer(speechServer);
    const study = await speechServer.launch(guide);
    const p = await on.visit(study.link, { scripts: true, from: recordingBrowser, permissions: ['microphone'] });
    await p.begin();
    const speak = p.button(p.words.recSpeak), allow = p.button(p.words.recAllow);
    await speak.or(allow).first().waitFor();
    if (await speak.isVisible()) await p.inputMethod.press(p.page, speak);
    for (const next of [allow, p.button(p.words.recWorks), p.page.locator('.rec-start')]) await p.inputMethod.press(p.page, next);
    await p.page.getByText(`0:${voiceEnd}`, { exact: true }).waitFor({ timeout: 60_000 });
    await p.inputMethod.press(p.page, p.button(p.words.recStop));

    const box = p.page.getByRole('textbox');
    await p.page.waitForFunction(() => document.querySelector('textarea')?.value.length > 40, null, { timeout: 60_000 });
    const transcribed = await box.inputValue();
    const rate = errorRate(said, transcribed);
    console.log(`word error rate ${Math.round(100 * rate)} %: ${transcribed}`);
    assert.ok(rate < 0.25, `word error rate ${rate}: ${transcribed}`);

    const corrected = `${transcribed} And I like it.`;
    await p.write(corrected);
    await p.send();
    assert.equal(await p.asked(), p.words.completeTitle);
    const [response] = await speechServer.responses(study);
    assert.equal(response.transcript.find((row) => row.moderator === asked).user, corrected);
  });
}
