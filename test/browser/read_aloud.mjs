// Questions read aloud. The browser of the tests has no voices, so it gets fake ones that record the texts.
import assert from 'node:assert/strict';
import { short } from './studies.mjs';
import { check, server, withAuditor } from './harness.mjs';

const scripts = true;

// fakeSynthesis gives the page a speech synthesis with voices of these languages, which are loaded late, as in real browsers. Speech ends
// when the test calls endSpeech().
const fakeSynthesis = (languages) => {
  const spoken = [];
  let queue = [];
  const target = new EventTarget();
  const voices = languages.map((lang) => ({ lang, name: lang, default: false, localService: true, voiceURI: lang }));
  let loaded = [];
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  Object.defineProperty(window, 'speechSynthesis', {
    value: Object.assign(target, {
      getVoices: () => loaded,
      speak(part) { spoken.push({ text: part.text, lang: part.lang }); queue.push(part); },
      cancel() { queue = []; },
    }),
  });
  Object.assign(window, {
    spoken,
    saying: () => queue.length,
    endSpeech: () => { for (const part of queue.splice(0)) part.onend?.(); },
    bringVoices: () => { loaded = voices; target.dispatchEvent(new Event('voiceschanged')); },
  });
};

async function begin(on, languages, prepare = async () => {}) {
  const study = await server.launch(short);
  const p = await on.visit(null, { scripts, size: 'phone' });
  await p.page.addInitScript(fakeSynthesis, languages);
  await prepare(p);
  await p.open(study.link);
  await p.begin();
  return p;
}

// loadVoices loads the voices and waits until the page has found them.
async function loadVoices(p) {
  await p.page.waitForFunction(() => { window.bringVoices(); return document.querySelector('.aloud') !== null; });
}

const texts = (p) => p.page.evaluate(() => window.spoken.map((part) => part.text).join(' '));

export function readAloud() {
  check('questions are read aloud to those who ask for it', (on) => withAuditor('phone', async (auditor) => {
    const p = await begin(on, ['de-DE', 'en-US', 'en-GB']);
    const toggle = p.button(p.words.aloud);
    const stop = p.button(p.words.aloudStop);
    assert.equal(await toggle.count(), 0, 'there are no voices yet');
    await loadVoices(p);
    assert.equal(await toggle.getAttribute('aria-pressed'), 'false');
    assert.equal(await texts(p), '');

    await toggle.click();
    assert.equal(await texts(p), 'How was your morning?');
    assert.match(await p.page.evaluate(() => window.spoken[0].lang), /^en-/);
    await stop.waitFor();
    await auditor.audit(p.page, scripts);
    await stop.click();
    assert.equal(await p.page.evaluate(() => window.saying()), 0);
    await stop.waitFor({ state: 'hidden' });

    await p.write('Busy.');
    await p.send(); // the next question is read automatically
    const followUp = await p.asked();
    assert.equal(await texts(p), `How was your morning? ${followUp}`);
    await p.page.evaluate(() => window.endSpeech());
    await stop.waitFor({ state: 'hidden' });

    await p.page.reload();
    await loadVoices(p);
    assert.equal(await toggle.getAttribute('aria-pressed'), 'true', 'it is remembered');
    await toggle.click();
    await p.write('The kettle.');
    const before = await texts(p);
    await p.send();
    assert.equal(await texts(p), before, 'switched off, it is silent');
  }));

  check('a voice that never ends holds up nothing', async (on) => {
    const p = await begin(on, ['en-US'], ({ page }) => page.clock.install());
    await loadVoices(p);
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
    const q = await on.visit((await server.launch(short)).link, { scripts }); // without fake voices
    await q.begin();
    await q.write('Busy.');
    await q.send();
    assert.equal(await q.button(q.words.aloud).count(), 0);
  });
}
