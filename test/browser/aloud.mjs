// Questions read aloud. The browser of the tests has no voices, so it is given some that keep what they are told to say.
import assert from 'node:assert/strict';
import { short } from './studies.mjs';
import { check, server, withAuditor } from './world.mjs';

const scripts = true;

// speak gives the page a synthesis with voices of these languages, which come late, as they do. What is said ends when the
// test calls endSpeech().
const speak = (languages) => {
  const heard = [];
  let queue = [];
  const told = new EventTarget();
  const voices = languages.map((lang) => ({ lang, name: lang, default: false, localService: true, voiceURI: lang }));
  let loaded = [];
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  Object.defineProperty(window, 'speechSynthesis', {
    value: Object.assign(told, {
      getVoices: () => loaded,
      speak(part) { heard.push({ text: part.text, lang: part.lang }); queue.push(part); },
      cancel() { queue = []; },
    }),
  });
  Object.assign(window, {
    heard,
    saying: () => queue.length,
    endSpeech: () => { for (const part of queue.splice(0)) part.onend?.(); },
    bringVoices: () => { loaded = voices; told.dispatchEvent(new Event('voiceschanged')); },
  });
};

async function begin(on, languages, prepare = async () => {}) {
  const study = await server.launch(short);
  const p = await on.visit(null, { scripts, size: 'phone' });
  await p.page.addInitScript(speak, languages);
  await prepare(p);
  await p.open(study.link);
  await p.begin();
  return p;
}

// voiced waits until the page has looked at the voices.
async function voiced(p) {
  await p.page.waitForFunction(() => { window.bringVoices(); return document.querySelector('.aloud') !== null; });
}

const texts = (p) => p.page.evaluate(() => window.heard.map((part) => part.text).join(' '));

export function aloud() {
  check('questions are read aloud to those who ask for it', (on) => withAuditor('phone', async (auditor) => {
    const p = await begin(on, ['de-DE', 'en-US', 'en-GB']);
    const toggle = p.button(p.words.aloud);
    const stop = p.button(p.words.aloudStop);
    assert.equal(await toggle.count(), 0, 'there are no voices yet');
    await voiced(p);
    assert.equal(await toggle.getAttribute('aria-pressed'), 'false');
    assert.equal(await texts(p), '');

    await toggle.click();
    assert.equal(await texts(p), 'How was your morning?');
    assert.match(await p.page.evaluate(() => window.heard[0].lang), /^en-/);
    await stop.waitFor();
    await auditor.audit(p.page, scripts);
    await stop.click();
    assert.equal(await p.page.evaluate(() => window.saying()), 0);
    await stop.waitFor({ state: 'hidden' });

    await p.write('Busy.');
    await p.send(); // what comes is read by itself
    const followUp = await p.asked();
    assert.equal(await texts(p), `How was your morning? ${followUp}`);
    await p.page.evaluate(() => window.endSpeech());
    await stop.waitFor({ state: 'hidden' });

    await p.page.reload();
    await voiced(p);
    assert.equal(await toggle.getAttribute('aria-pressed'), 'true', 'it is remembered');
    await toggle.click();
    await p.write('The kettle.');
    const before = await texts(p);
    await p.send();
    assert.equal(await texts(p), before, 'switched off, it is silent');
  }));

  check('a voice that never ends holds up nothing', async (on) => {
    const p = await begin(on, ['en-US'], ({ page }) => page.clock.install());
    await voiced(p);
    await p.button(p.words.aloud).click();
    await p.button(p.words.aloudStop).waitFor();
    await p.page.clock.runFor(60_000);
    await p.button(p.words.aloudStop).waitFor({ state: 'hidden' });
    await p.write('Busy.');
    await p.send();
    assert.notEqual(await p.asked(), 'How was your morning?');
  });

  check('where no voice speaks the language, nothing is offered', async (on) => {
    const p = await begin(on, ['de-DE', 'ja-JP']);
    const loaded = p.page.waitForFunction(() => performance.getEntriesByType('resource').some((entry) => /read_aloud-/.test(entry.name)));
    await loaded;
    await p.page.evaluate(() => window.bringVoices());
    await p.write('Busy.');
    await p.send();
    assert.equal(await p.button(p.words.aloud).count(), 0);
    const q = await on.visit((await server.launch(short)).link, { scripts }); // the browser as it is
    await q.begin();
    await q.write('Busy.');
    await q.send();
    assert.equal(await q.button(q.words.aloud).count(), 0);
  });
}
