// Measures how fast the page is on a slow phone, with Chromium's throttling, for `make bench-web`.
import assert from 'node:assert/strict';
import { launch, openContext } from './browser.mjs';
import { Server } from './server.mjs';
import { short } from './studies.mjs';

const bits = (perSecond) => perSecond / 8;

/** Slow networks. latency is in ms, for each request; throughput in bytes a second. */
export const networks = [
  {
    name: 'Slow 4G: 150 ms, 1.6 Mbit/s', what: 'The profile that Lighthouse calls slow 4G.',
    latency: 150, downloadThroughput: bits(1.6e6), uploadThroughput: bits(0.75e6),
  },
  {
    name: 'The same with connections: 562 ms, 1.44 Mbit/s', what: 'As Chromium’s developer tools stretch it, for their throttling sets up connections in no time.',
    latency: 562.5, downloadThroughput: bits(1.44e6), uploadThroughput: bits(0.675e6),
  },
];
export const slowDown = 4; // factor for the processor

// watch runs in the page before anything else. It sets window.times, in ms from the start of the navigation: when the first control was
// painted and could be focused, and when the app had rendered it.
function watch() {
  const times = { usable: 0, app: 0, shift: 0, blocked: 0, largest: 0 };
  window.times = times;
  const on = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  on('largest-contentful-paint', (entry) => { times.largest = entry.startTime; });
  on('layout-shift', (entry) => { times.shift += entry.value; });
  on('longtask', (entry) => { times.blocked = Math.max(times.blocked, entry.duration); });
  const control = () => document.querySelector('main textarea, main form button, main > button');
  const look = () => {
    const field = control();
    const painted = performance.getEntriesByName('first-contentful-paint').length > 0;
    if (field && painted && !times.usable) {
      const before = document.activeElement;
      field.focus({ preventScroll: true });
      if (document.activeElement === field && !field.disabled) times.usable = performance.now();
      if (before === document.body) field.blur();
    }
    if (field?.closest('.app') && painted) times.app = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

// pressed returns the time from pressing the page's button to the frame that shows another heading.
function pressed() {
  const before = document.querySelector('h1').textContent;
  return new Promise((resolve) => {
    const start = performance.now();
    document.querySelector('main .go button, main > button').click();
    const look = () => {
      const now = document.querySelector('h1')?.textContent;
      if (now && now !== before) setTimeout(() => resolve(performance.now() - start));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

async function visit(browser, server, network, address) {
  const { context } = await openContext(browser, server.origin, { size: 'phone', scripts: true });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    const { latency, downloadThroughput, uploadThroughput } = network;
    await devtools.send('Network.emulateNetworkConditions', { offline: false, latency, downloadThroughput, uploadThroughput });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
    let bytes = 0;
    devtools.on('Network.loadingFinished', (done) => { bytes += done.encodedDataLength; });
    await page.addInitScript(watch);
    await page.goto(address);
    await page.waitForFunction(() => window.times.app > 0);
    await page.evaluate(() => new Promise((resolve) => { requestIdleCallback(resolve); }));
    const times = await page.evaluate(() => ({ ...window.times, first: performance.getEntriesByName('first-contentful-paint')[0].startTime }));
    times.bytes = bytes;
    const field = page.getByRole('textbox');
    if (await field.count()) await field.fill('Busy, and a bit too short.');
    times.next = await page.evaluate(pressed);
    return times;
  } finally {
    await context.close();
  }
}

const figures = [
  ['first', 'first contentful paint', 'ms'],
  ['largest', 'largest contentful paint', 'ms'],
  ['usable', 'usable', 'ms'],
  ['app', 'the app has taken over', 'ms'],
  ['blocked', 'longest task', 'ms'],
  ['next', 'from pressing to the next question', 'ms'],
  ['shift', 'layout shift', ''],
  ['bytes', 'bytes over the network', ''],
];

/** Measures loads of each page on each network, with a cold cache. Rows are {network, page, figure, unit, median, worst}. */
export async function speed(loads) {
  const server = await Server.begin();
  const browser = await launch();
  try {
    const study = await server.launch(short);
    const start = async () => {
      const reply = await fetch(`${study.link.replace(/\?.*/, '')}/interviews`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
      assert.equal(reply.status, 201);
      return `${server.origin}/i/${(await reply.json()).token}`;
    };
    const pages = [['welcome, /s/{linkId}', async () => study.link], ['first question, /i/{token}', start]];
    const rows = [];
    for (const network of networks) {
      for (const [page, address] of pages) {
        const all = [];
        await visit(browser, server, network, await address()); // not counted, to warm up the browser and the server
        for (let i = 0; i < loads; i++) all.push(await visit(browser, server, network, await address()));
        for (const [key, figure, unit] of figures) {
          const sorted = all.map((times) => times[key]).sort((a, b) => a - b);
          rows.push({ network: network.name, page, key, figure, unit, median: sorted[loads >> 1], worst: sorted.at(-1) });
        }
      }
    }
    return { rows, browser: `Chromium ${browser.version()}` };
  } finally {
    await browser.close();
    await server.end();
  }
}
