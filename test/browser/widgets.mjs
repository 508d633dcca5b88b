// Videos that must be watched, and file uploads: on both sizes, with pointer and keyboard, and with a failing network.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { Auditor } from './browser.mjs';
import { eventually } from './eventually.mjs';
import { Server } from './server.mjs';
import { film } from './studies.mjs';
import { check, server, checkResponse } from './harness.mjs';

const scripts = true;
const question = film.studyGuide[0].items[0];
const { url: address, name: title } = question.media[0];

const album = {
  title: 'The album',
  studyGuide: [{
    type: 'flat', title: 'Album', items: [
      { type: 'file_upload', text: 'Which pictures do you like?' }, { type: 'open_ended', text: 'Why these?', followUp: 'none' },
    ],
  }],
};
const [asked, why] = album.studyGuide[0].items.map(({ text }) => text);

// testVideo makes a video of six seconds, once.
let cachedVideo;
export const testVideo = () => cachedVideo ??= (async () => {
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-film-'));
  try {
    const file = join(folder, 'film.webm');
    await promisify(execFile)('ffmpeg', [...'-nostdin -v error -f lavfi -i testsrc=s=320x180:r=10:d=6 -f lavfi -i sine=d=6 -c:v libvpx -deadline realtime -c:a libopus'.split(' '), file]);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
})();

// serveVideo serves a video with range requests, so that a player can seek.
async function serveVideo(p, content) {
  await p.page.context().route(address, async (route) => {
    if (!content) return route.fulfill({ status: 404 });
    const [, from, to] = /bytes=(\d+)-(\d*)/.exec((await route.request().allHeaders()).range ?? 'bytes=0-');
    const end = to ? Number(to) : content.length - 1;
    return route.fulfill({
      status: 206, contentType: 'video/webm', body: content.subarray(Number(from), end + 1),
      headers: { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes ${from}-${end}/${content.length}` },
    });
  });
}

const next = (p) => p.button(p.words.next);
const isLocked = async (p) => (await next(p).getAttribute('aria-disabled')) === 'true';

function videos() {
  check('a film has to be watched to its end', async (on) => {
    on.expect(/request to https:\/\/media\.example\.test\/film/);
    const study = await server.launch(film);
    const p = await on.visit(null, { scripts });
    await serveVideo(p, await testVideo());
    await p.open(study.link);
    await p.begin();
    let answers = 0;
    p.page.on('request', (request) => { if (request.url().endsWith('/answers')) answers++; });
    const player = p.page.getByLabel(title);
    const at = () => player.evaluate((video) => video.currentTime);
    await p.reads(p.words.watch);
    await new Auditor(p.page).audit(p.page, true);

    const typed = await p.write('The handle is on the left.');
    await next(p).click({ force: true });
    await next(p).press('Enter');
    await p.page.getByRole('textbox').press('ControlOrMeta+Enter');
    assert.ok(await isLocked(p));
    await player.evaluate((video) => new Promise((resolve) => {
      video.addEventListener('seeked', () => { if (video.currentTime < 1) resolve(); });
      video.currentTime = video.duration - 0.1;
    }));
    assert.ok(await at() < 1, 'skipping ahead leads back');
    assert.ok(await isLocked(p));

    await player.focus();
    await p.page.keyboard.press('Space');
    await player.evaluate((video) => new Promise((resolve) => {
      video.addEventListener('timeupdate', () => { if (video.currentTime > 2) resolve(); });
    }));
    assert.ok(await isLocked(p), 'half of it is not enough');
    await player.evaluate((video) => new Promise((resolve) => { // going back is allowed
      video.addEventListener('seeked', resolve);
      video.currentTime = 1;
    }));
    await player.evaluate((video) => video.ended || new Promise((resolve) => { video.addEventListener('ended', resolve); }));
    await p.page.getByText(p.words.watch).waitFor({ state: 'hidden' });
    assert.ok(!(await isLocked(p)));
    assert.equal(answers, 0);

    await p.page.reload();
    await p.heading().waitFor();
    assert.equal(await p.page.getByRole('textbox').inputValue(), typed);
    assert.ok(!(await isLocked(p)), 'it is remembered as watched');
    await p.send();
    await checkResponse(server, study, [{ asked: question.text, answered: typed, followUp: false }]);
  });

  check('a film that cannot be played holds nobody back', async (on) => {
    on.expect(/request to https:\/\/media\.example\.test\/film/, /status of 404/);
    const study = await server.launch(film);
    const p = await on.visit(null, { scripts, size: 'phone' });
    await serveVideo(p, null);
    await p.open(study.link);
    await p.begin();
    await p.reads(p.words.watchFailed);
    const typed = await p.write('I could not see it.');
    await p.send();
    await checkResponse(server, study, [{ asked: question.text, answered: typed, followUp: false }]);
  });

  check('without JavaScript a film is shown and holds nobody back', async (on) => {
    on.expect(/request to https:\/\/media\.example\.test\/film/);
    const study = await server.launch(film);
    const p = await on.visit(null, { scripts: false });
    await serveVideo(p, await testVideo());
    await p.open(study.link);
    await p.begin();
    assert.equal(await p.page.getByLabel(title).getAttribute('src'), address);
    const typed = await p.write('A pot.');
    await p.send();
    await checkResponse(server, study, [{ asked: question.text, answered: typed, followUp: false }]);
  });
}

const png = (bytes) => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(bytes, 7)]);
const file = (name, content) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

// files returns the names that the page lists as sent.
const files = async (p) => (await p.page.locator('.files li.done span').allInnerTexts()).sort();
const listed = (p, ...names) => eventually(async () => (await files(p)).join() === [...names].sort().join());
const failed = (p, key, name) => p.page.getByRole('alert').filter({ hasText: p.fill(key, { text: name }) });
const remove = (p, name) => p.button(p.fill('fileRemove', { text: name }));
const input = (p) => p.page.locator('input[type=file]');

// drop drops files of this machine onto an element, with the browser's own events.
async function drop(p, target, ...paths) {
  const { x, y, width, height } = await target.boundingBox();
  const devtools = await p.page.context().newCDPSession(p.page);
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await devtools.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data: { items: [], files: paths, dragOperationsMask: 1 } });
  }
}

// limitedServer returns a server that accepts files of at most 1 MiB. It is started by the first test that needs it.
let begun;
const limitedServer = () => begun ??= Server.begin('--max-file=1MiB');
after(async () => (await begun)?.end());

function uploads() {
  check('files are chosen, dropped, refused, taken back and sent', async (on) => {
    on.expect(/status of 413/, /status of 415/, /status of 400/);
    const at = await limitedServer();
    on.useServer(at);
    const study = await at.plant(album);
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    await p.sendEmpty();
    await p.reads(p.words.errUpload);
    await new Auditor(p.page).audit(p.page, true);

    await input(p).setInputFiles([file('Grüße 1.txt', 'hello'), file('cat.png', png(200_000)), file('dog.png', png(300_000))]);
    await listed(p, 'Grüße 1.txt', 'cat.png', 'dog.png');
    const folder = await mkdtemp(join(tmpdir(), 'verbatim-drop-'));
    try {
      const dropped = join(folder, 'dropped.png');
      await writeFile(dropped, png(1000));
      await drop(p, p.page.locator('.choose'), dropped);
      await listed(p, 'Grüße 1.txt', 'cat.png', 'dog.png', 'dropped.png');
    } finally {
      await rm(folder, { recursive: true });
    }

    await input(p).setInputFiles([file('page.html', '<!doctype html><script>alert(1)</script>'), file('huge.png', png(1 << 20))]);
    await failed(p, 'fileType', 'page.html').waitFor();
    await failed(p, 'fileTooLarge', 'huge.png').waitFor();
    await new Auditor(p.page).audit(p.page, true);
    for (const name of ['page.html', 'huge.png']) {
      await remove(p, name).press('Enter');
      await p.page.getByRole('alert').filter({ hasText: name }).waitFor({ state: 'detached' });
    }
    const gone = p.page.waitForResponse((reply) => reply.request().method() === 'DELETE');
    await remove(p, 'dog.png').click();
    assert.equal((await gone).status(), 204);
    await listed(p, 'Grüße 1.txt', 'cat.png', 'dropped.png');

    await p.page.reload();
    await listed(p, 'Grüße 1.txt', 'cat.png', 'dropped.png');
    const names = await p.page.locator('.files li.done span').allInnerTexts();
    await p.send();
    assert.equal(await p.asked(), why);
    const because = await p.write('They are mine.');
    await p.send();
    await checkResponse(at, study, [{ asked, answered: names.join('; '), followUp: false }, { asked: why, answered: because, followUp: false }]);
  });

  check('a large file is seen on its way, and goes on where the network broke', async (on) => {
    on.expect(/ERR_INTERNET_DISCONNECTED/);
    const study = await server.plant(album);
    const p = await on.visit(study.link, { scripts, size: 'phone' });
    await p.begin();
    const bytes = 9_000_000; // three chunks
    const sent = [];
    let release;
    const held = new Promise((resolve) => { release = resolve; });
    await p.page.route('**/uploads/*', async (route) => {
      const request = route.request();
      sent.push([request.method(), request.headers()['upload-offset']]);
      if (request.method() === 'PATCH' && sent.filter(([method]) => method === 'PATCH').length === 2) {
        await held;
        await p.page.context().setOffline(true);
        return route.abort('internetdisconnected');
      }
      return route.continue();
    });
    await input(p).setInputFiles([file('long.png', png(bytes - 8))]);
    const bar = p.page.getByRole('progressbar', { name: 'long.png' });
    await eventually(async () => Number(await bar.getAttribute('value')) >= 46);
    assert.ok(Number(await bar.getAttribute('value')) < 100);
    assert.ok(await isLocked(p), 'the answer waits for its files');
    await next(p).click({ force: true });
    assert.equal(await p.asked(), asked);
    await new Auditor(p.page).audit(p.page, true);

    release();
    await eventually(() => p.page.evaluate(() => !navigator.onLine));
    await p.page.context().setOffline(false);
    await listed(p, 'long.png');
    const patches = sent.filter(([method]) => method === 'PATCH').map(([, offset]) => Number(offset));
    assert.deepEqual(patches.filter((offset) => offset === 0), [0], 'bytes that had arrived are not sent again');
    assert.ok(sent.some(([method]) => method === 'HEAD'), 'the upload’s offset is requested');
    assert.ok(!(await isLocked(p)));
    await p.send();
    const because = await p.write('It is long.');
    await p.send();
    await checkResponse(server, study, [{ asked, answered: 'long.png', followUp: false }, { asked: why, answered: because, followUp: false }]);
  });
}

export function widgets() {
  videos();
  uploads();
}
