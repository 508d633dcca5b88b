// Writes screenshots of the participant's page to docs/screenshots, with an index. Each line in `pictures` is one of them. Words on the
// command line select pictures by name.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launch, openContext } from './browser.mjs';
import { allAnswers } from './participant.mjs';
import { AppParticipant } from './app_participant.mjs';
import { Server } from './server.mjs';
import { arabic, everything, film, long, restricted, spoken } from './studies.mjs';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'screenshots');
const maxSize = 150_000; // bytes

const phone = { size: 'phone', deviceScaleFactor: 1.5 };
const small = { ...phone, viewport: { width: 320, height: 640 } };
const desktop = { size: 'desktop' };
const dark = { colorScheme: 'dark' };

const answers = {
  ...allAnswers,
  'Tell us about your last cup of coffee.': (p) => p.write('In the old moka pot, and it was a bit bitter.'),
  'What goes through your mind?': (p) => p.write('That would have saved me the stale beans of last month.'),
};
const followUp = (p) => p.write('I had left it on the stove for too long, as always.');
const [coffee, rank, matrix, maxdiff] = [
  'Tell us about your last cup of coffee.', 'What matters most to you?', 'How content are you?', 'Which would you miss most, and which least?',
];

// Functions that lead to a state of the page. until answers all questions before a question, and that question without sending it.
const start = () => {};
const until = (wanted, concept = wanted) => async (p) => {
  await p.begin();
  for (;;) {
    const asked = await p.asked();
    if (asked === p.words.completeTitle) return assert.equal(wanted, 'end');
    const known = asked in answers;
    await (answers[asked] ?? followUp)(p);
    if (wanted === asked ? wanted === concept || (await p.concept()) === concept : wanted === 'follow-up' && !known) return undefined;
    await p.send(asked === 'First we talk about your mornings.' ? 'Let us begin' : undefined);
  }
};
const begun = (act = async () => {}) => async (p) => {
  await p.begin();
  await act(p);
};
const then = (way, act) => async (p) => {
  await way(p);
  await act(p);
};

const [voice, camera, screen] = [spoken('audio_text'), spoken('video'), spoken('audio_screen')];
const handsFree = { ...spoken('audio'), config: { interviewMode: 'audio', verbatim: { voice: { handsFree: true, pauseSeconds: 0.8 } } } };
const iPhone = { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1' };
// conversing leads to the offer of a hands-free interview, or to its listening.
const conversing = (begins) => begun(async (p) => {
  await p.button(p.words.hfStart).waitFor();
  if (!begins) return;
  await p.button(p.words.hfStart).click();
  await p.page.locator('.hands-listening, .hands-speech, .hands-more').waitFor();
});
const denied = () => {
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
};
// speaking leads to a phase of the recorder: intro, check, ready, live or takes.
const speaking = (wanted) => begun(async (p) => {
  const { words } = p;
  const allow = p.button(words.recAllow);
  await p.button(words.recSpeak).or(allow).first().waitFor();
  if (!(await allow.isVisible())) await p.button(words.recSpeak).click();
  for (const [at, go, then] of [
    ['intro', words.recAllow, () => p.page.getByText(words.recHear).or(p.page.getByText(words.recDeniedTitle)).first().waitFor()],
    ['check', words.recWorks, () => p.page.locator('.rec-start').waitFor()],
    ['ready', '', () => p.page.waitForFunction(() => document.querySelector('.rec-clock')?.textContent >= '0:03')],
    ['live', words.recStop, () => p.button(words.recAgain).waitFor()],
  ]) {
    if (at === wanted) return;
    await (go ? p.button(go) : p.page.locator('.rec-start')).click();
    await then();
  }
});

const pictures = [
  ['phone-welcome', phone, everything, start, 'Welcome: what it is about, that an AI moderates, consent, languages'],
  ['phone-question', phone, everything, until(coffee), 'An open question'],
  ['phone-follow-up', phone, everything, until('follow-up'), 'A follow-up, below what was said'],
  ['phone-choice', phone, everything, until('What do you own?'), 'Several answers, one of one’s own, and one that excludes the others'],
  ['phone-ranking', phone, everything, until(rank), 'An order, made by dragging or by buttons'],
  ['phone-matrix', phone, everything, until(matrix), 'A matrix, reflowed'],
  ['phone-maxdiff', phone, everything, until(maxdiff), 'The most and the least'],
  ['phone-concept', phone, everything, until('What goes through your mind?', 'The tin'), 'A concept with a picture'],
  ['phone-film', phone, film, begun((p) => p.page.waitForFunction(() => document.querySelector('video').readyState > 1)), 'A film to be watched to its end'],
  ['phone-error', phone, everything, begun((p) => p.sendEmpty()), 'Nothing was answered'],
  ['phone-offline', phone, everything, then(until(coffee), offline), 'The network is gone: the answer waits'],
  ['phone-pause', phone, everything, then(until(coffee), (p) => p.button(p.words.pause).click()), 'A pause'],
  ['phone-withdraw', phone, everything, begun((p) => p.withdrawLink().click()), 'Taking everything back'],
  ['phone-withdrawn', phone, everything, begun((p) => p.withdraw()), 'Everything was taken back'],
  ['phone-resume', phone, everything, then(until(coffee), (p) => p.open(p.link)), 'The link, opened again'],
  ['phone-screened-out', phone, everything, begun(async (p) => { await p.choose('Never'); await p.send(); }), 'Screened out'],
  ['phone-end', phone, everything, until('end'), 'The end'],
  ['phone-unknown', phone, everything, (p) => p.open(`${p.link}x`), 'An address without a study'],
  ['phone-device', phone, restricted, start, 'A study for other devices'],
  ['phone-arabic', phone, arabic, begun((p) => p.choose('في المطبخ')), 'From right to left', 'ar'],
  ['phone-voice-intro', phone, voice, speaking('intro'), 'An answer by voice: what is asked for, and why'],
  ['phone-voice-denied', { ...phone, before: denied }, voice, speaking('check'), 'The browser refused the microphone'],
  ['phone-voice-check', phone, voice, speaking('check'), 'The microphone is tried'],
  ['phone-voice', phone, voice, speaking('live'), 'Speaking'],
  ['phone-voice-said', phone, voice, speaking('takes'), 'What was said, and how it can be changed'],
  ['phone-hands-free-offer', phone, handsFree, conversing(false), 'The interview can be held without hands'],
  ['phone-hands-free', phone, handsFree, conversing(true), 'It listens'],
  ['phone-hands-free-dark', { ...phone, ...dark }, handsFree, conversing(true), 'It listens, in the dark'],
  ['desktop-hands-free', desktop, handsFree, conversing(true), 'It listens, on a laptop'],
  ['phone-computer', { ...phone, ...iPhone }, screen, start, 'A study that records the screen, on a phone'],
  ['phone-camera', phone, camera, speaking('live'), 'Speaking to the camera'],
  ['desktop-screen', desktop, screen, speaking('live'), 'Showing the screen'],
  ['phone-dark-voice', { ...phone, ...dark }, voice, speaking('live'), 'Speaking, in the dark'],
  ['phone-dark-welcome', { ...phone, ...dark }, everything, start, 'Welcome, in the dark'],
  ['phone-dark', { ...phone, ...dark }, everything, until(maxdiff), 'A question, in the dark'],
  ['small-choice', small, long, begun((p) => p.page.getByRole('checkbox').nth(1).check()), 'Long words on a phone of 320 pixels'],
  ['small-matrix', small, long, begun(async (p) => { await p.page.getByRole('checkbox').first().check(); await p.send(); }), 'A long matrix there'],
  ['desktop-welcome', desktop, everything, start, 'Welcome'],
  ['desktop-follow-up', desktop, everything, until('follow-up'), 'A follow-up'],
  ['desktop-choice', desktop, everything, until('What do you own?'), 'Several answers'],
  ['desktop-ranking', desktop, everything, until(rank), 'An order'],
  ['desktop-matrix', desktop, everything, until(matrix), 'A matrix'],
  ['desktop-concept', desktop, everything, then(until('What goes through your mind?', 'The timer'), (p) => p.page.locator('.embed').evaluate((at) => at.scrollIntoView({ block: 'center' }))), 'A concept with a page of elsewhere'],
  ['desktop-long', desktop, long, begun(async (p) => { await p.page.getByRole('checkbox').first().check(); await p.send(); }), 'A matrix whose columns do not fit side by side'],
  ['desktop-end', desktop, everything, until('end'), 'The end'],
  ['desktop-dark', { ...desktop, ...dark }, everything, until(matrix), 'A matrix, in the dark'],
];

async function offline(p) {
  await p.page.context().setOffline(true);
  await p.press();
  await p.page.getByRole('status').filter({ hasText: p.words.offline }).waitFor();
}

// clip makes the video of the studies.
async function clip() {
  const { stdout } = await promisify(execFile)('ffmpeg', [
    '-v', 'error', '-f', 'lavfi', '-i', 'gradients=s=640x360:d=8:r=12:n=3:c0=0x1f5f5b:c1=0x83c5bd:c2=0xefe7da:seed=7:speed=0.02',
    '-pix_fmt', 'yuv420p', '-c:v', 'libvpx', '-b:v', '200k', '-f', 'webm', 'pipe:1',
  ], { encoding: 'buffer', maxBuffer: 16 << 20 });
  return stdout;
}

const wanted = process.argv.slice(2);
const chosen = pictures.filter(([name]) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
assert.ok(chosen.length > 0, 'no picture has this name');

const server = await Server.begin();
const browser = await launch('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream');
try {
  await mkdir(folder, { recursive: true });
  const body = await clip();
  const studies = new Map();
  for (const [name, { before, ...options }, guide, way, , language = 'en'] of chosen) {
    if (!studies.has(guide)) studies.set(guide, await server.launch(guide));
    const { context } = await openContext(browser, server.origin, { ...options, scripts: true });
    if (before) await context.addInitScript(before);
    await context.route('**/film.webm', (route) => route.fulfill({ contentType: 'video/webm', body }));
    const p = new AppParticipant(await context.newPage()).speaks(language);
    p.link = studies.get(guide).link;
    await p.open(p.link);
    await way(p);
    await p.page.evaluate(() => document.activeElement?.blur());
    await p.page.mouse.move(0, 0);
    const path = join(folder, `${name}.png`);
    await p.page.screenshot({ path, animations: 'disabled' });
    const { size } = await stat(path);
    assert.ok(size <= maxSize, `${name}.png has ${size} bytes`);
    console.log(`${name}.png ${Math.ceil(size / 1000)} kB`);
    await context.close();
  }
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.png') || pictures.some(([name]) => file === `${name}.png`)) continue;
    await unlink(join(folder, file)); // no longer in the list
  }
  const index = pictures.map(([name, , , , says]) => `### ${says}\n\n![${name}](${name}.png)\n`);
  await writeFile(join(folder, 'README.md'), `# What a participant sees\n\nWritten by \`make screenshots\`.\n\n${index.join('\n')}`);
} finally {
  await browser.close();
  await server.end();
}
