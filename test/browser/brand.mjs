// An organization's brand, and the page for devices that a study is not for.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sizes } from './browser.mjs';
import { shortAnswers, completeInterview } from './participant.mjs';
import { Server } from './server.mjs';
import { short } from './studies.mjs';
import { browser, check, server, withAuditor } from './harness.mjs';

// drawLogo writes a picture of a word to a file, as a logo.
export async function drawLogo(path) {
  const page = await browser.newPage();
  await page.setContent('<b style="display:inline-block;padding:10px 24px;font:700 40px system-ui;color:#23272b">Larkspur<span style="color:#b0472b">.</span></b>');
  await page.locator('b').screenshot({ path, omitBackground: true });
  await page.close();
}

const awkward = ['#fff9c4', '#0a0a0a', '#e4572e']; // very light, very dark, and in between

const iPad = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15';
const phone = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';
const hints = { extraHTTPHeaders: { 'sec-ch-ua-platform': '""' } }; // Safari sends no hints; Chromium would send its own

export function brands(scripts) {
  check('an organization’s look', (on) => withAuditor('phone', async (auditor) => {
    const folder = await mkdtemp(join(tmpdir(), 'verbatim-logo-'));
    const own = await Server.begin();
    on.useServer(own);
    try {
      const study = await own.launch(short);
      const plain = await on.visit(study.link, { scripts, size: 'phone' });
      await plain.page.getByText('Larkspur', { exact: true }).waitFor();
      await drawLogo(join(folder, 'logo.png'));
      await own.command('org', 'update', own.org, '--logo', join(folder, 'logo.png'));
      for (const [i, colour] of (scripts ? awkward : awkward.slice(0, 1)).entries()) {
        await own.command('org', 'update', own.org, '--colour', colour);
        const p = await on.visit(study.link, { scripts, size: Object.keys(sizes)[i % 2] });
        const logo = p.page.getByRole('img', { name: 'Larkspur' });
        const look = async () => {
          await logo.waitFor();
          assert.ok(await logo.evaluate((img) => img.decode().then(() => img.naturalWidth > 0)));
          await auditor.audit(p.page, scripts);
        };
        await look();
        const fill = await p.button(p.words.consent).evaluate((button) => getComputedStyle(button).backgroundColor);
        assert.notEqual(fill, 'rgb(31, 95, 91)', 'the button has the service’s own colour');
        await p.begin();
        await look();
        if (i > 0) continue;
        await completeInterview(p, shortAnswers);
        assert.equal(await p.asked(), p.words.completeTitle);
        await look();
      }
    } finally {
      await own.end();
      await rm(folder, { recursive: true, force: true });
    }
  }));

  check('a device that the study is not for', (on) => withAuditor('phone', async (auditor) => {
    const study = await server.launch({ ...short, config: { targetPlatforms: ['desktop'] } });
    const p = await on.visit(study.link, { scripts, size: 'phone', userAgent: phone });
    assert.equal(await p.asked(), p.words.devicesTitle);
    await p.reads(p.words.deviceDesktop);
    await p.reads(study.link);
    assert.equal(await p.button(p.words.consent).count(), 0);
    await auditor.audit(p.page, scripts);

    const begun = await on.visit(study.link, { scripts });
    await begun.begin();
    await p.open(begun.page.url()); // a started interview continues on any device
    assert.equal(await p.asked(), 'How was your morning?');
  }));

  if (!scripts) return;

  check('an iPad that says it is a Mac', async (on) => {
    const study = await server.launch({ ...short, config: { targetPlatforms: ['desktop'] } });
    const mac = await on.visit(study.link, { scripts, userAgent: iPad, ...hints });
    await mac.button(mac.words.consent).waitFor();
    const pad = await on.visit(null, { scripts, userAgent: iPad, ...hints });
    await pad.page.addInitScript(() => Object.defineProperty(navigator, 'maxTouchPoints', { get: () => 5 }));
    await pad.open(study.link);
    assert.equal(await pad.asked(), pad.words.devicesTitle);
    await pad.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await pad.button(pad.words.copy).click();
    await pad.page.getByRole('status').filter({ hasText: pad.words.copied }).waitFor();
    assert.equal(await pad.page.evaluate(() => navigator.clipboard.readText()), study.link);
  });
}
