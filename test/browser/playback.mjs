// Recordings play from their signed links, and from no others.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { launch, openContext } from './browser.mjs';
import { eventually } from './eventually.mjs';
import { check, server } from './harness.mjs';

const hls = await readFile(createRequire(import.meta.url).resolve('hls.js/dist/hls.light.min.js'), 'utf8');

const spoken = {
  title: 'Your kitchen',
  config: { interviewMode: 'video' },
  studyGuide: [{ type: 'flat', title: 'Kitchen', items: [{ type: 'open_ended', text: 'Show us your kitchen.', followUp: 'none' }] }],
};

const seconds = 6; // of recording: more than one segment of HLS
const picture = { width: 640, height: 360 };

export function playback() {
  check('a recorded answer plays back from its signed links', async () => {
    const study = await server.launch(spoken);
    const browser = await launch('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', '--autoplay-policy=no-user-gesture-required');
    try {
      const { context, errors } = await openContext(browser, server.origin, { scripts: true });
      const page = await context.newPage();
      await record(page, study);
      const row = await eventually(async () => {
        const [response] = await server.responses(study);
        return response?.transcript.find(({ audio, video }) => audio && video);
      });
      assert.equal(row.screenVideo, null);
      await checkPlayback(page, row);
      await checkSignatures(row);
      assert.deepEqual(errors, []);
    } finally {
      await browser.close();
    }
  });
}

// record answers a study with audio and video, as a client of the protocol.
async function record(page, study) {
  await page.goto(study.link);
  await page.evaluate(async ({ link, seconds, picture }) => {
    const json = { Accept: 'application/json', 'Content-Type': 'application/json' };
    const ask = async (address, request) => {
      const reply = await fetch(address, request);
      if (!reply.ok) throw new Error(`${address} answers ${reply.status} ${await reply.text()}`);
      return reply;
    };
    const { token, step } = await (await ask(`${link}/interviews`, { method: 'POST', headers: json, body: '{}' })).json();
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: picture });
    const recordTracks = (tracks, mimeType) => new Promise((resolve) => {
      const chunks = [];
      const recorder = new MediaRecorder(new MediaStream(tracks), { mimeType });
      recorder.ondataavailable = ({ data }) => {
        chunks.push(data);
        if (chunks.length === seconds) recorder.stop();
      };
      recorder.onstop = () => resolve(new Blob(chunks));
      recorder.start(1000);
    });
    const blobs = await Promise.all([
      recordTracks(stream.getAudioTracks(), 'audio/webm;codecs=opus'), recordTracks(stream.getTracks(), 'video/webm;codecs=vp8,opus'),
    ]);
    const tus = { 'Tus-Resumable': '1.0.0' };
    const upload = async (kind, blob) => {
      const metadata = `kind ${btoa(kind)},stepId ${btoa(step.stepId)}`;
      const created = await ask(`/i/${token}/uploads`, { method: 'POST', headers: { ...tus, 'Upload-Defer-Length': '1', 'Upload-Metadata': metadata } });
      const at = created.headers.get('Location');
      const half = Math.floor(blob.size / 2);
      const bytes = { ...tus, 'Content-Type': 'application/offset+octet-stream' };
      await ask(at, { method: 'PATCH', headers: { ...bytes, 'Upload-Offset': '0' }, body: blob.slice(0, half) });
      await ask(at, { method: 'PATCH', headers: { ...bytes, 'Upload-Offset': String(half), 'Upload-Length': String(blob.size) }, body: blob.slice(half) });
      return at.split('/').pop();
    };
    const [audio, video] = [await upload('audio', blobs[0]), await upload('video', blobs[1])];
    await ask(`/i/${token}/answers`, { method: 'POST', headers: json, body: JSON.stringify({ stepId: step.stepId, text: 'Here it is.', recordings: { audio, video } }) });
  }, { link: study.link, seconds, picture });
}

// checkPlayback plays all links of a transcript row on a page of its own, as an application of the API would.
async function checkPlayback(page, row) {
  const address = `${server.origin}/player`;
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>Player</title><script>${hls}</script>` }));
  const ranges = [];
  page.on('response', (reply) => { if (reply.status() === 206) ranges.push(reply.url()); });
  for (const [name, kind, link, ...way] of [
    ['m4a', 'audio', row.audio], ['mp4', 'video', row.video.mp4Url], ['native HLS', 'video', row.video.streamUrl], ['hls.js', 'video', row.video.streamUrl, 'hls.js'],
  ]) {
    await page.goto(address);
    const seen = await page.evaluate(play, { kind, link, hlsjs: way.length > 0 });
    if (seen === 'cannot') {
      assert.equal(name, 'native HLS');
      continue;
    }
    assert.ok(Math.abs(seen.duration - seconds) < 1.5, `${name} lasts ${seen.duration} s`);
    assert.ok(seen.after > seen.before + 0.3, `${name} stands still at ${seen.after}`);
    assert.ok(Math.abs(seen.sought - (seen.duration - 1.5)) < 0.1, `${name} seeks to ${seen.sought} of ${seen.duration}`);
    assert.ok(seen.afterSeek > seen.sought + 0.3, `${name} stands still at ${seen.afterSeek} after seeking`);
    assert.deepEqual([seen.width, seen.height], kind === 'video' ? [picture.width, picture.height] : [undefined, undefined], name);
  }
  assert.ok(ranges.includes(row.video.mp4Url) && ranges.includes(row.audio), 'media are requested in ranges');
}

// play runs in the page. It plays a link from the start and from near the end, and returns the positions before and after.
async function play({ kind, link, hlsjs }) {
  const player = document.body.appendChild(document.createElement(kind));
  player.muted = true;
  const until = (name, holds = () => true) => new Promise((resolve, reject) => {
    const look = () => {
      if (player.error) reject(new Error(player.error.message));
      else if (holds()) resolve();
      else return;
      for (const at of [name, 'error']) player.removeEventListener(at, look);
    };
    for (const at of [name, 'error']) player.addEventListener(at, look);
  });
  const loaded = until('loadedmetadata');
  if (hlsjs) {
    const stream = new window.Hls();
    stream.on(window.Hls.Events.ERROR, (_, error) => { if (error.fatal) throw new Error(error.details); });
    stream.loadSource(link);
    stream.attachMedia(player);
  } else {
    if (link.endsWith('.m3u8') && !player.canPlayType('application/vnd.apple.mpegurl')) return 'cannot';
    player.src = link;
  }
  await loaded;
  const before = player.currentTime;
  await player.play();
  await until('timeupdate', () => player.currentTime > before + 0.3);
  const seen = { before, after: player.currentTime, duration: player.duration, width: player.videoWidth, height: player.videoHeight };
  player.pause();
  const sought = until('seeked');
  player.currentTime = player.duration - 1.5;
  await sought;
  seen.sought = player.currentTime;
  await player.play();
  await until('timeupdate', () => player.currentTime > seen.sought + 0.3);
  return { ...seen, afterSeek: player.currentTime };
}

// checkSignatures checks that links work unchanged, and not with any signed byte changed. That they expire after an hour is tested where
// the clock can be set.
async function checkSignatures(row) {
  const playlist = await (await fetch(row.video.streamUrl)).text();
  const folder = row.video.streamUrl.slice(0, row.video.streamUrl.lastIndexOf('/') + 1);
  const segments = [...playlist.matchAll(/^(?:#EXT-X-MAP:URI="([^"]+)"|([^#\s].*))$/gm)].map(([, map, segment]) => folder + (map ?? segment));
  assert.ok(segments.length >= 3, playlist);
  for (const link of [row.audio, row.video.mp4Url, row.video.streamUrl, ...segments]) {
    assert.equal((await fetch(link)).status, 200, link);
    for (let i = `${server.origin}/m/`.length; i < link.length; i++) {
      if (link[i] === '/') continue;
      const other = link.slice(0, i) + (link[i] === '1' ? '2' : '1') + link.slice(i + 1);
      const inStream = other.startsWith(folder); // one signature covers the stream's folder and everything in it
      assert.equal((await fetch(other)).status, !inStream ? 403 : segments.includes(other) ? 200 : 404, other);
    }
  }
  // The signature of an object is not valid for another, and that of the stream not outside its folder.
  const split = (link) => link.slice(`${server.origin}/m/`.length).match(/^(\d+\/[^/]+)\/(.+)$/).slice(1);
  const [[audioSignature, audio], [videoSignature, video], [streamSignature, list]] = [row.audio, row.video.mp4Url, row.video.streamUrl].map(split);
  for (const [signature, name] of [
    [audioSignature, video], [videoSignature, audio], [videoSignature, list], [streamSignature, video], [streamSignature, audio], [audioSignature, list],
  ]) {
    const reply = await fetch(`${server.origin}/m/${signature}/${name}`);
    assert.deepEqual([reply.status, (await reply.json()).code], [403, 'invalid_link'], name);
  }
}
