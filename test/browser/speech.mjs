// A real voice speaks into the browser's microphone, and the page shows what a real recogniser understood: see test/speech.
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
import { check } from './world.mjs';

const asked = 'How do you cook?';
const guide = {
  title: 'Cooking', config: { interviewMode: 'audio' },
  studyGuide: [{ type: 'flat', title: 'Cooking', items: [{ type: 'open_ended', text: asked, followUp: 'none' }] }],
};
const quiet = 21; // seconds after which the voice has ended

const plain = (text) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

// errorRate is how many words must be changed, left out or put in, by the number of words said.
function errorRate(said, heard) {
  const [want, got] = [plain(said), plain(heard)];
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
  let studio, hearing, folder, recogniser, said;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'verbatim-speech-'));
    const wav = join(folder, 'voice.wav');
    recogniser = spawn('go', ['run', './test/speech/recogniser', wav], { cwd: join(import.meta.dirname, '..', '..'), stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(recogniser.stdout), 'line');
    const { url, said: text } = JSON.parse(line);
    said = text;
    hearing = await Server.begin('--speech-url', url, '--speech-model', 'pocketsphinx');
    studio = await launch('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', `--use-file-for-fake-audio-capture=${wav}%noloop`);
  });
  after(async () => {
    await studio?.close();
    await hearing?.end();
    if (recogniser) {
      const gone = once(recogniser, 'exit');
      recogniser.stdin.end();
      await gone;
    }
    await rm(folder, { recursive: true, force: true });
  });

  check('what is said can be read, corrected and sent', async (on) => {
    on.at(hearing);
    const study = await hearing.launch(guide);
    const p = await on.visit(study.link, { scripts: true, from: studio, permissions: ['microphone'] });
    await p.begin();
    const speak = p.button(p.words.recSpeak), allow = p.button(p.words.recAllow);
    await speak.or(allow).first().waitFor();
    if (await speak.isVisible()) await p.hands.press(p.page, speak);
    for (const next of [allow, p.button(p.words.recWorks), p.page.locator('.rec-start')]) await p.hands.press(p.page, next);
    await p.page.getByText(`0:${quiet}`, { exact: true }).waitFor({ timeout: 60_000 });
    await p.hands.press(p.page, p.button(p.words.recStop));

    const box = p.page.getByRole('textbox');
    await p.page.waitForFunction(() => document.querySelector('textarea')?.value.length > 40, null, { timeout: 60_000 });
    const heard = await box.inputValue();
    const rate = errorRate(said, heard);
    console.log(`word error rate ${Math.round(100 * rate)} %: ${heard}`);
    assert.ok(rate < 0.25, `word error rate ${rate}: ${heard}`);

    const corrected = `${heard} And I like it.`;
    await p.write(corrected);
    await p.send();
    assert.equal(await p.asked(), p.words.completeTitle);
    const [response] = await hearing.responses(study);
    assert.equal(response.transcript.find((row) => row.moderator === asked).user, corrected);
  });
}
