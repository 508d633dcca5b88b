// Answers by voice, camera and screen: recorded, sent while they are recorded, and not lost whatever happens meanwhile.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before } from 'node:test';
import { promisify } from 'node:util';
import { launch, sizes } from './browser.mjs';
import { eventually } from './eventually.mjs';
import { keyboard } from './input_methods.mjs';
import { Server } from './server.mjs';
import { breakfast as asked, spoken } from './studies.mjs';
import { check, server, withAuditor } from './harness.mjs';

const kinds = { audio: ['audio'], audio_text: ['audio'], audio_screen: ['audio', 'screenVideo'], video: ['video'], video_screen: ['video', 'screenVideo'] };
let recordingBrowser; // a browser with a fake camera, microphone and screen

const run = promisify(execFile);

// After a request that was cut off, or whose server was killed, the next one on the same upload may come too early; the page sends it again.
const tooEarly = /status of 423/;

// durationOf returns the duration of the media at a signed link, in seconds.
async function durationOf(address) {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', address]);
  return Number(stdout);
}

// waitForRecording waits until the recordings of a study's only answer can be played, and returns their transcript row.
const waitForRecording = (at, study, ...parts) => eventually(async () => {
  const [response] = await at.responses(study);
  return response.transcript.find((row) => row.moderator === asked && parts.every((part) => row[part]));
});

// openRecorder begins an interview and opens the recorder.
async function openRecorder(on, study, options = {}) {
  on.expect(/status of (404|501)/); // no transcripts here
  const p = await on.visit(null, { scripts: true, from: recordingBrowser, ...options });
  p.page.on('dialog', (dialog) => dialog.accept());
  if (options.before) await p.page.addInitScript(options.before);
  await p.open(study.link);
  await p.begin();
  const speak = p.button(p.words.recSpeak);
  await speak.or(p.button(p.words.recAllow)).first().waitFor();
  if (await speak.isVisible()) await p.inputMethod.press(p.page, speak);
  return p;
}

const startButton = (p) => p.page.locator('.rec-start');
const waitForTakes = (p) => p.button(p.words.recAgain).waitFor();

// passDeviceCheck allows the devices and passes their check.
async function passDeviceCheck(p) {
  await p.inputMethod.press(p.page, p.button(p.words.recAllow));
  await p.page.getByText(p.words.recHear).waitFor();
  await p.inputMethod.press(p.page, p.button(p.words.recWorks));
  await startButton(p).waitFor();
}

async function startRecording(p) {
  await p.inputMethod.press(p.page, startButton(p));
  await p.button(p.words.recStop).waitFor();
}

// recordedFor waits until at least so many seconds were recorded. On a busy machine the clock skips some of them.
const recordedFor = (p, seconds) => p.page.waitForFunction((min) => {
  const [minutes, rest] = (document.querySelector('.rec-clock')?.textContent ?? '').split(':').map(Number);
  return minutes * 60 + rest >= min;
}, seconds);

// shownDuration returns the recorded seconds that the page shows.
async function shownDuration(p) {
  const [, minutes, rest] = /(\d+):(\d\d)/.exec(await p.page.getByText(p.words.recRecorded.split('{text}')[0]).first().innerText());
  return Number(minutes) * 60 + Number(rest);
}

async function record(p, seconds = 2) {
  await startRecording(p);
  await recordedFor(p, seconds);
  await p.inputMethod.press(p.page, p.button(p.words.recStop));
  await waitForTakes(p);
}

// finishInterview sends the recorded answer and answers the rest of the interview.
async function finishInterview(p) {
  await p.send();
  await p.choose('Yes');
  await p.send();
  assert.equal(await p.asked(), p.words.completeTitle);
  const unsent = p.page.getByText(p.words.recUnsent.split('{n}')[0]);
  await unsent.waitFor({ state: 'detached' });
}

// failingMicrophone returns a script that makes getUserMedia fail with the error that window.broken names.
const failingMicrophone = (name) => `window.broken = '${name}';
  const real = MediaDevices.prototype.getUserMedia;
  MediaDevices.prototype.getUserMedia = async function (...of) {
    if (window.broken) throw new DOMException('', window.broken);
    return window.stream = await real.apply(this, of);
  };`;

export function recording() {
  before(async () => {
    recordingBrowser = await launch('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', '--autoplay-policy=no-user-gesture-required');
  });
  after(() => recordingBrowser.close());

  for (const [mode, parts] of Object.entries(kinds)) {
    for (const size of Object.keys(sizes)) {
      check(`recorded in mode ${mode}, ${size}`, async (on) => {
        const study = await server.launch(spoken(mode));
        const p = await openRecorder(on, study, { size });
        await passDeviceCheck(p);
        await record(p, 1);
        const width = await p.page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
        assert.ok(width[0] <= width[1], `the recorder is ${width}`);
        await p.page.waitForFunction((n) => document.querySelectorAll('.rec-players :is(audio, video)').length === n, parts.length);
        await p.write('Bread and jam.');
        const named = p.page.waitForRequest((request) => request.url().endsWith('/answers'));
        await finishInterview(p);
        assert.deepEqual(Object.keys((await named).postDataJSON().recordings).sort(), [...parts].sort());
        if (size === 'phone' || mode === 'audio_text') return; // the result is the same as for the others
        const row = await waitForRecording(server, study, ...parts);
        assert.equal(row.user, 'Bread and jam.');
        for (const part of ['video', 'screenVideo']) assert.equal(row[part] !== null, parts.includes(part), part);
      });
    }
  }

  check('a text interview knows no recorder', async (on) => {
    const p = await on.visit((await server.launch(spoken('text'))).link, { scripts: true, from: recordingBrowser });
    await p.begin();
    assert.equal(await p.button(p.words.recSpeak).count(), 0);
    await p.write('Nothing.');
    await p.send();
    assert.ok(!(await p.page.evaluate(() => performance.getEntriesByType('resource').some((entry) => entry.name.includes('recorder')))));
  });

  for (const [name, word] of [['NotAllowedError', 'recDenied'], ['NotFoundError', 'recNone'], ['NotReadableError', 'recBusy']]) {
    check(`the microphone fails with ${name}`, async (on) => {
      const study = await server.launch(spoken('audio'));
      const p = await openRecorder(on, study, { size: 'phone', before: failingMicrophone(name) });
      await p.button(p.words.recAllow).click();
      await p.page.getByRole('alert').filter({ hasText: p.words[`${word}Title`] }).waitFor();
      await p.page.evaluate(() => { window.broken = ''; });
      await p.button(p.words.recTry).click();
      await p.button(p.words.recWorks).waitFor();
      await p.button(p.words.recType).click();
      await p.write('Eggs.');
      await finishInterview(p);
      const [response] = await server.responses(study);
      assert.equal(response.transcript.find((row) => row.moderator === asked).user, 'Eggs.');
    });
  }

  for (const [where, script, word] of [
    ['a browser that cannot record', 'delete window.MediaRecorder;', 'recUnsupported'],
    ['an address that is not secure', "Object.defineProperty(window, 'isSecureContext', { value: false });", 'recInsecure'],
  ]) {
    check(where, async (on) => {
      const p = await openRecorder(on, await server.launch(spoken('video')), { before: script });
      await p.button(p.words.recAllow).click();
      await p.page.getByRole('alert').filter({ hasText: p.words[`${word}Title`] }).waitFor();
      await p.button(p.words.recType).click();
      await p.write('Eggs.');
      await finishInterview(p);
    });
  }

  check('without the camera, and without the screen', async (on) => {
    const study = await server.launch(spoken('video_screen'));
    const p = await openRecorder(on, study, { before: `const real = MediaDevices.prototype.getUserMedia;
      MediaDevices.prototype.getUserMedia = async function (of) {
        if (of.video) throw new DOMException('', 'NotFoundError');
        return real.call(this, of);
      };
      MediaDevices.prototype.getDisplayMedia = async () => { throw new DOMException('', 'NotAllowedError'); };` });
    await p.button(p.words.recAllow).click();
    await p.button(p.words.recWithoutCamera).click();
    await p.button(p.words.recWorks).click();
    await startButton(p).click();
    await p.page.getByRole('alert').filter({ hasText: p.words.recScreenTitle }).waitFor();
    await p.button(p.words.recWithoutScreen).click();
    await record(p, 1);
    await finishInterview(p);
    const row = await waitForRecording(server, study, 'audio');
    assert.deepEqual([row.video, row.screenVideo], [null, null]);
  });

  check('the microphone is lost while it records', async (on) => {
    const study = await server.launch(spoken('audio'));
    const p = await openRecorder(on, study, { before: failingMicrophone('') });
    await passDeviceCheck(p);
    await startRecording(p);
    await recordedFor(p, 2);
    await p.page.evaluate(() => {
      const [track] = window.stream.getAudioTracks();
      track.stop();
      track.dispatchEvent(new Event('ended'));
    });
    await p.page.getByRole('alert').filter({ hasText: p.words.recGoneTitle }).waitFor();
    await waitForTakes(p);
    await p.button(p.words.recTry).click();
    await record(p, 1);
    await finishInterview(p);
    const { audio } = await waitForRecording(server, study, 'audio');
    assert.ok(await durationOf(audio) > 2.5, 'both takes are there');
  });

  check('a second take replaces the first', async (on) => {
    const study = await server.launch(spoken('audio'));
    const p = await openRecorder(on, study);
    await passDeviceCheck(p);
    await record(p, 4);
    const removed = p.page.waitForResponse((reply) => reply.request().method() === 'DELETE');
    await p.button(p.words.recAgain).click();
    assert.equal((await removed).status(), 204);
    await record(p, 1);
    const second = await shownDuration(p);
    await finishInterview(p);
    const { audio } = await waitForRecording(server, study, 'audio');
    assert.ok(await durationOf(audio) < second + 2, 'the first take is gone');
  });

  check('typing instead, in the middle of a recording', async (on) => {
    const study = await server.launch(spoken('audio'));
    const p = await openRecorder(on, study);
    await passDeviceCheck(p);
    await startRecording(p);
    await recordedFor(p, 1);
    const removed = p.page.waitForResponse((reply) => reply.request().method() === 'DELETE');
    await p.button(p.words.recTypeOnly).click();
    assert.equal((await removed).status(), 204);
    await p.write('I would rather write.');
    await finishInterview(p);
    const [response] = await server.responses(study);
    const row = response.transcript.find((row) => row.moderator === asked);
    assert.deepEqual([row.user, row.audio], ['I would rather write.', null]);
  });

  check('reloaded while it records', async (on) => {
    on.expect(tooEarly);
    const study = await server.launch(spoken('audio'));
    const p = await openRecorder(on, study);
    await passDeviceCheck(p);
    await startRecording(p);
    await recordedFor(p, 4);
    await p.page.reload();
    await waitForTakes(p);
    await p.button(p.words.recMore).click();
    await startButton(p).waitFor();
    await record(p, 2);
    await finishInterview(p);
    const { audio } = await waitForRecording(server, study, 'audio');
    assert.ok(await durationOf(audio) > 4.5, 'both takes are there');
  });

  check('the network is cut while it records', async (on) => {
    on.expect(/ERR_INTERNET_DISCONNECTED/, tooEarly);
    const study = await server.launch(spoken('video'));
    const p = await openRecorder(on, study);
    await passDeviceCheck(p);
    await startRecording(p);
    await recordedFor(p, 1);
    await p.page.context().setOffline(true);
    await p.page.getByText(p.words.recOffline).waitFor();
    await recordedFor(p, 4);
    await p.page.context().setOffline(false);
    await recordedFor(p, 5);
    await p.button(p.words.recStop).click();
    await waitForTakes(p);
    const length = await shownDuration(p);
    await finishInterview(p);
    const { video } = await waitForRecording(server, study, 'video');
    const seconds = await durationOf(video.mp4Url);
    assert.ok(Math.abs(seconds - length) < 2, `it lasts ${seconds} s of ${length}`);
  });

  check('the answer is sent while the network is cut', async (on) => {
    on.expect(/ERR_INTERNET_DISCONNECTED/, tooEarly);
    const study = await server.launch(spoken('audio'));
    const p = await openRecorder(on, study);
    await passDeviceCheck(p);
    await startRecording(p);
    await recordedFor(p, 1);
    await p.page.context().setOffline(true);
    await p.button(p.words.recStop).click();
    await waitForTakes(p);
    await p.press();
    await p.page.getByRole('status').filter({ hasText: p.words.offline }).waitFor();
    await p.page.context().setOffline(false);
    await p.option('radio', 'Yes').waitFor();
    await p.choose('Yes');
    await p.send();
    assert.equal(await p.asked(), p.words.completeTitle);
    assert.ok(await durationOf((await waitForRecording(server, study, 'audio')).audio) > 0.5);
  });

  check('the server is restarted while it records, and is busy afterwards', async (on) => {
    on.expect(/ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|status of 503/, tooEarly);
    const own = await Server.begin();
    try {
      on.useServer(own);
      const study = await own.launch(spoken('audio'));
      const p = await openRecorder(on, study);
      await passDeviceCheck(p);
      await startRecording(p);
      await recordedFor(p, 2);
      await own.kill();
      await recordedFor(p, 3);
      let busyReplies = 0;
      await p.page.route('**/uploads/*', (route) => {
        busyReplies++;
        return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { code: 'busy', error: 'Busy.' } });
      }, { times: 1 });
      await own.start();
      await p.button(p.words.recStop).click();
      await waitForTakes(p);
      await finishInterview(p);
      assert.equal(busyReplies, 1);
      const { audio } = await waitForRecording(own, study, 'audio');
      assert.ok(await durationOf(audio) > 2.5);
    } finally {
      await own.end();
    }
  });

  check('while the object store is away the interview goes on, and what was recorded is sent later', async (on) => {
    on.expect(/status of 503/);
    const study = await server.launch(spoken('audio'));
    const p = await openRecorder(on, study);
    await passDeviceCheck(p);
    let away = true;
    let refused = 0;
    await p.page.route('**/uploads/*', (route) => {
      if (!away || route.request().method() !== 'PATCH') return route.continue();
      refused++;
      return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { error: 'Away.', code: 'service_unavailable' } });
    });
    await record(p);
    await p.send();
    await p.choose('Yes');
    await p.send();
    await p.page.getByText(p.words.recUnsent.split('{n}')[0]).waitFor();
    assert.ok(refused > 0);
    away = false;
    await p.page.getByText(p.words.recSent).waitFor();
    assert.ok(await durationOf((await waitForRecording(server, study, 'audio')).audio) > 1.5);
  });

  check('the end waits until everything has arrived', async (on) => {
    on.expect(/ERR_CONNECTION_RESET/);
    const study = await server.launch(spoken('audio'));
    const p = await openRecorder(on, study);
    await passDeviceCheck(p);
    let cut = true;
    await p.page.route('**/uploads/*', (route) => (cut && route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue()));
    await record(p);
    await p.send();
    await p.choose('Yes');
    await p.send();
    await p.page.getByText(p.words.recUnsent.split('{n}')[0]).waitFor();
    await p.page.reload(); // the recording is still stored
    await p.page.getByText(p.words.recUnsent.split('{n}')[0]).waitFor();
    cut = false;
    await p.page.getByText(p.words.recSent).waitFor();
    assert.ok(await durationOf((await waitForRecording(server, study, 'audio')).audio) > 1.5);
  });

  check('answered in another window while it records', async (on) => {
    on.expect(/status of (409|410)/);
    const study = await server.launch(spoken('audio'));
    const p = await openRecorder(on, study);
    await passDeviceCheck(p);
    await startRecording(p);
    await recordedFor(p, 2);
    const other = await p.anotherTab();
    await other.button(p.words.recTypeOnly).click();
    await other.write('I typed it over there.');
    await other.send();
    await p.overtaken();
    await p.choose('Yes');
    await p.send();
    assert.equal(await p.asked(), p.words.completeTitle);
    const [response] = await server.responses(study);
    const row = response.transcript.find((row) => row.moderator === asked);
    assert.deepEqual([row.user, row.audio], ['I typed it over there.', null]);
  });

  check('a recording that the server refuses', async (on) => {
    on.expect(/status of 403/);
    const p = await openRecorder(on, await server.launch(spoken('audio')));
    await p.page.route('**/uploads', (route) => route.fulfill({ status: 403, json: { code: 'upload_quota_exceeded', error: 'Full.' } }));
    await passDeviceCheck(p);
    await record(p, 1);
    await p.page.getByRole('alert').filter({ hasText: p.words.recQuota }).waitFor();
    await p.button(p.words.next).click();
    await p.page.getByRole('alert').filter({ hasText: p.words.errRecord }).waitFor();
    await p.write('Toast.');
    await finishInterview(p);
  });

  check('a recording ends before it is too large', async (on) => {
    const p = await on.visit(null, { scripts: true, from: recordingBrowser });
    on.expect(/status of (404|501)/);
    await p.page.route('**/interviews', async (route) => {
      const reply = await route.fetch();
      const body = await reply.json();
      body.step.capture.maxBytes.audio = 60_000;
      await route.fulfill({ response: reply, json: body });
    });
    await p.open((await server.launch(spoken('audio'))).link);
    await p.begin();
    await passDeviceCheck(p);
    await startRecording(p);
    await p.page.getByText(p.words.recLimit.split('{n}')[0]).waitFor();
    await waitForTakes(p);
    await p.page.getByText(p.words.recLimitReached).waitFor({ state: 'attached' });
    await finishInterview(p);
  });

  check('what was said is written down, and left alone once it was changed', async (on) => {
    const p = await openRecorder(on, await server.launch(spoken('audio')));
    const words = ['Bread', 'and', 'yam.'].map((text, i) => ({ text, start: i, end: i + 1, confidence: i < 2 ? .9 : .3, low: i === 2 }));
    await p.page.route('**/transcript', (route) => route.fulfill({ json: { status: 'heard', text: 'Bread and yam.', words, language: 'en' } }));
    await passDeviceCheck(p);
    await record(p, 1);
    await p.page.getByText(p.words.recHeardHint).waitFor();
    const field = p.page.getByRole('textbox');
    assert.equal(await field.inputValue(), 'Bread and yam.');
    assert.match(await p.page.locator('mark').innerText(), /^yam\./);
    await p.write('Bread and jam.');
    await p.button(p.words.recMore).click();
    await startButton(p).waitFor();
    await record(p, 1);
    assert.equal(await field.inputValue(), 'Bread and jam.');
    await finishInterview(p);
  });

  check('where nothing was heard', async (on) => {
    const p = await openRecorder(on, await server.launch(spoken('audio')));
    await p.page.route('**/transcript', (route) => route.fulfill({ json: { status: 'silent', text: '', words: [], language: 'en' } }));
    await passDeviceCheck(p);
    await record(p, 1);
    await p.page.getByText(p.words.recSilent).waitFor();
    await finishInterview(p);
  });

  check('recorded by the keyboard alone', async (on) => {
    const study = await server.launch(spoken('audio_text'));
    const p = await openRecorder(on, study, { inputMethod: keyboard });
    await passDeviceCheck(p);
    await record(p, 1);
    const named = p.page.waitForRequest((request) => request.url().endsWith('/answers'));
    await finishInterview(p);
    assert.deepEqual(Object.keys((await named).postDataJSON().recordings), ['audio']);
  });

  for (const size of Object.keys(sizes)) {
    check(`axe on the recorder, ${size}`, (on) => withAuditor(size, async (auditor) => {
      const p = await openRecorder(on, await server.launch(spoken('video')), { size, before: failingMicrophone('NotAllowedError') });
      const audit = () => auditor.audit(p.page, true);
      const words = [{ text: 'Yam', start: 0, end: 1, confidence: .2, low: true }];
      await p.page.route('**/transcript', (route) => route.fulfill({ json: { status: 'heard', text: 'Yam', words, language: 'en' } }));
      await audit(); // the explanation
      await p.button(p.words.recAllow).click();
      await p.page.getByRole('alert').waitFor();
      await audit(); // the problem
      await p.page.evaluate(() => { window.broken = ''; });
      await p.button(p.words.recTry).click();
      await p.button(p.words.recWorks).waitFor();
      await audit(); // the device check
      await p.button(p.words.recWorks).click();
      await startButton(p).waitFor();
      await audit();
      await startRecording(p);
      await audit(); // while recording
      await p.button(p.words.recPause).click();
      await audit();
      await p.button(p.words.recStop).click();
      await p.page.locator('mark').waitFor();
      await audit(); // the takes
    }));
  }
}
