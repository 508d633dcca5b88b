// Participants of a panel: the way back, by itself and by hand, completion codes, and what the panel's server is told.
import assert from 'node:assert/strict';
import { check, withAuditor } from './harness.mjs';
import { eventually } from './eventually.mjs';
import { Server } from './server.mjs';
import { short } from './studies.mjs';
import { TestPanel } from './test_panel.mjs';

// withPanel calls run with a server and a test panel, and with a function that launches a study whose participants come from it.
async function withPanel(on, run) {
  const panel = await TestPanel.begin('a secret of both');
  const server = await Server.begin('--postback-networks', '127.0.0.0/8');
  on.useServer(server);
  on.expect(new RegExp(`request to ${panel.origin}/`));
  const back = `${panel.origin}/back?pid={{pid}}&status={{status}}`;
  const launch = async (more) => {
    const settings = {
      participant: { parameter: 'pid' }, redirects: { complete: back, screenedOut: back, withdrawn: back, ...more.redirects },
      signature: { algorithm: 'hmac-sha256', parameter: 'signature' }, postback: { url: `${panel.origin}/postback` },
      ...(more.completionCode ? { completionCode: more.completionCode } : {}),
    };
    const study = await server.launch({
      title: 'Panel', closingMessage: 'That was all.', config: { verbatim: { panel: settings } },
      studyGuide: [{ ...short.studyGuide[0], items: short.studyGuide[0].items.slice(1, 2) }],
    });
    await server.command('study', 'panel', 'secret', study.id, '--file', panel.secretFile);
    return study;
  };
  try {
    await run({ panel, server, launch });
  } finally {
    await server.end();
    await panel.end();
  }
}

const told = (page) => page.replace(/\s+/g, ' ');

export function panels(scripts) {
  check('the end leads back to the panel, whose server is told', (on) => withAuditor('phone', (auditor) => withPanel(on, async ({ panel, launch }) => {
    const { link } = await launch({ redirects: scripts ? { afterSeconds: 1 } : {} });
    const p = await on.visit(`${link}?pid=p%26status%3Dcomplete`, { scripts, size: 'phone' });
    await p.begin();
    await p.choose('Yes');
    if (scripts) {
      await p.press();
      await p.page.waitForURL(`${panel.origin}/**`); // by itself
    } else {
      await p.send();
      await auditor.audit(p.page, scripts);
      await p.page.getByRole('link', { name: p.words.panelBack }).click();
    }
    await p.reads('You are back.');
    const address = p.page.url();
    assert.ok(address.startsWith(`${panel.origin}/back?pid=p%26status%3Dcomplete&status=complete&signature=`), address);
    assert.match(await p.page.locator('main, body').first().innerText(), /Signature: valid \(hmac-sha256, hex, in signature\)/);
    await eventually(async () => /Postback <\/h2>|Postback</.test(await panel.shown()));
    const shown = told(await panel.shown());
    assert.match(shown, /Postback.*&#34;participant&#34;:&#34;p\\u0026status=complete&#34;.*Key: [0-9a-f-]+\.complete.*Signature: valid</);
    if (scripts) { // who comes back is not sent away again
      await p.page.goBack();
      await p.page.getByRole('link', { name: p.words.panelBack }).waitFor();
      assert.equal(await p.page.getByRole('timer').count(), 0);
    }
    await p.page.goto(`${link}?pid=p%26status%3Dcomplete`);
    on.expect(/status of 409/);
    await p.reads(p.words.participatedTitle);
    await auditor.audit(p.page, scripts);
  })));

  if (!scripts) return;
  check('a participant may stay, copy the code, and withdraw', (on) => withAuditor('phone', (auditor) => withPanel(on, async ({ panel, launch }) => {
    const { link } = await launch({ redirects: { afterSeconds: 120, complete: `${panel.origin}/back?code={{code}}` }, completionCode: { fixed: 'CODE-42' } });
    const p = await on.visit(`${link}?pid=p1`, { scripts, size: 'phone', permissions: ['clipboard-read', 'clipboard-write'] });
    await p.begin();
    await p.choose('Yes');
    await p.send();
    await p.page.getByRole('timer').waitFor();
    await auditor.audit(p.page, scripts);
    await p.button(p.words.panelCopy).click();
    await p.reads(p.words.panelCopied);
    assert.equal(await p.page.evaluate(() => navigator.clipboard.readText()), 'CODE-42');
    await p.button(p.words.panelStay).click();
    await p.reads(p.words.panelStayed);
    assert.equal(await p.page.getByRole('timer').count(), 0);
    await p.button(p.words.withdraw).click();
    await p.button(p.words.withdrawButton).click();
    await p.reads(p.words.withdrawnText);
    await p.page.getByRole('link', { name: p.words.panelBack }).click();
    await p.reads('You are back.');
    assert.match(p.page.url(), /pid=p1&status=withdrawn&signature=/);
    const other = await on.visit(`${link}?pid=p2`, { scripts, size: 'phone' });
    await other.begin();
    const again = await on.visit(`${link}?pid=p2`, { scripts, size: 'phone' });
    on.expect(/status of 409/);
    await again.button(again.words.consent).click();
    await again.reads(again.words.startedTitle);
    await auditor.audit(again.page, scripts);
  })));
}
