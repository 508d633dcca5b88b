// Debian's Chromium, and the checks of its pages: nothing on the console, no violated policy, no request to another host.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { picture, prototype } from './studies.mjs';

const require = createRequire(import.meta.url);

export const sizes = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 900 } },
};

export const launch = (...flags) => chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', ...flags],
});

const tin = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200">
  <path fill="#efe7da" d="M0 0h300v200H0z"/>
  <path fill="#1f5f5b" d="M90 62h120v100q0 14-60 14t-60-14z"/><ellipse cx="150" cy="62" rx="60" ry="15" fill="#2f7a75"/>
  <rect x="112" y="98" width="76" height="44" rx="6" fill="#fffefb"/>
  <path fill="none" stroke="#1f5f5b" stroke-width="4" stroke-linecap="round" d="M124 114h52M124 127h32"/>
</svg>`;

// Content of other sites that the studies show. It is served here, so that no test needs the network.
const externalContent = {
  [picture]: { contentType: 'image/svg+xml', body: tin },
  [prototype]: { contentType: 'text/html', body: '<!doctype html><html lang="en"><title>The timer</title><body style="background:#fff"><p>The timer, a prototype.</p></body></html>' },
};

// openContext returns a browser context of a size, with or without JavaScript, and the list of errors that happen in it.
export async function openContext(browser, origin, { size = 'desktop', scripts = false, ...more } = {}) {
  const context = await browser.newContext({ ...sizes[size], locale: 'en-GB', reducedMotion: 'reduce', javaScriptEnabled: scripts, ...more });
  context.setDefaultTimeout(20_000);
  const errors = [];
  context.on('console', (message) => {
    if (['error', 'warning', 'assert'].includes(message.type())) errors.push(`console ${message.type()}: ${message.text()} (${message.page()?.url()})`);
  });
  context.on('weberror', (error) => errors.push(`error: ${error.error().stack}`));
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:') && !url.startsWith('blob:') && !(url in externalContent)) errors.push(`request to ${url}`);
  });
  await context.route((url) => url.href in externalContent, (route) => route.fulfill(externalContent[route.request().url()]));
  return { context, errors };
}

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const colours = ['color-contrast', 'link-in-text-block'];
const axe = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');

// Auditor runs axe on a page, in light and dark mode. A page without JavaScript cannot run axe, so a copy of it is checked in a context of
// the same size.
export class Auditor {
  #page;
  constructor(page) { this.#page = page; }

  static async create(browser, size) {
    const context = await browser.newContext({ ...sizes[size], locale: 'en-GB', reducedMotion: 'reduce' });
    await context.route((url) => url.href in externalContent, (route) => route.fulfill(externalContent[route.request().url()]));
    return new Auditor(await context.newPage());
  }

  async audit(page, scripts) {
    const target = scripts ? page : await this.#copy(page);
    if (!(await target.evaluate(() => 'axe' in window))) await target.evaluate(axe);
    const found = [];
    // Only the colours differ in dark mode.
    for (const [colorScheme, runOnly] of [['light', { type: 'tag', values: levels }], ['dark', { type: 'rule', values: colours }]]) {
      await target.emulateMedia({ colorScheme });
      const violations = await target.evaluate(async (only) => {
        const report = await window.axe.run(document, { runOnly: only, resultTypes: ['violations'], iframes: false });
        return report.violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.html} ${n.any.concat(n.all).map((c) => c.message).join('; ')}`).join('\n    ')}`);
      }, runOnly);
      found.push(...violations.map((v) => `${colorScheme}: ${v}`));
    }
    await target.emulateMedia({ colorScheme: null });
    assert.deepEqual(found, [], `axe at “${await target.getByRole('heading').first().innerText()}”`);
  }

  async #copy(page) {
    const url = page.url();
    const body = (await page.content()).replace(/<script\b[^>]*>.*?<\/script>/gs, '').replace(/<(\/?)noscript\b/g, '<$1div');
    await this.#page.route(url, (route) => route.fulfill({ contentType: 'text/html', body }), { times: 1 });
    await this.#page.goto(url);
    return this.#page;
  }

  async close() { await this.#page.context().close(); }
}
