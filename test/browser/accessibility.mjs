// Runs axe on every state of the page, in light and dark mode.
import assert from 'node:assert/strict';
import { sizes } from './browser.mjs';
import { allAnswers, completeInterview } from './participant.mjs';
import { everything, short } from './studies.mjs';
import { check, server, withAuditor } from './harness.mjs';

export function accessibility(scripts) {
  for (const size of Object.keys(sizes)) {
    check(`axe at every step, ${size}`, (on) => withAuditor(size, async (auditor) => {
      const study = await server.launch(everything);
      const p = await on.visit(study.link, { scripts, size });
      await auditor.audit(p.page, scripts);
      await p.begin();
      let before = '';
      await completeInterview(p, allAnswers, {
        atStep: async (asked) => {
          if (asked !== before) await auditor.audit(p.page, scripts); // the screens of a MaxDiff are alike
          before = asked;
        },
      });
    }));
  }

  check('axe on what is beside an interview', (on) => withAuditor('phone', async (auditor) => {
    on.expect(/status of (400|404|409|410)/);
    const study = await server.launch(everything);
    const audit = async (p, heading) => {
      if (heading) assert.equal(await p.asked(), heading);
      await auditor.audit(p.page, scripts);
    };
    const p = await on.visit(study.link, { scripts, size: 'phone' });
    await p.switchTo('ar');
    await audit(p);
    await p.begin();
    await p.sendEmpty();
    await audit(p); // the error summary
    await p.choose('Never');
    await p.send();
    await audit(p, p.words.screenedTitle);

    const q = await on.visit((await server.launch(short)).link, { scripts, size: 'phone' });
    await q.begin();
    const address = q.page.url();
    await q.withdrawLink().click();
    await audit(q); // the withdrawal, opened
    await q.page.reload();
    await q.withdraw();
    await audit(q, q.words.withdrawnTitle);
    await q.open(address);
    await audit(q, q.words.goneTitle);
    await q.open(`${server.origin}/s/nowhere`);
    await audit(q, q.words.unknownTitle);
    await q.open(`${server.origin}/i/nowhere`);
    await audit(q, q.words.lostTitle);
  }));

  if (!scripts) return;

  check('axe on what only JavaScript shows', (on) => withAuditor('phone', async (auditor) => {
    on.expect(/ERR_INTERNET_DISCONNECTED/);
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts, size: 'phone' });
    await p.begin();
    await p.button(p.words.pause).click();
    await p.page.getByRole('dialog', { name: p.words.pause }).waitFor();
    await auditor.audit(p.page, scripts);
    await p.page.keyboard.press('Escape');
    await p.write('Busy.');
    await p.page.context().setOffline(true);
    await p.press();
    await p.page.getByRole('status').filter({ hasText: p.words.offline }).waitFor();
    await auditor.audit(p.page, scripts);
    await p.page.context().setOffline(false);
    await p.page.getByRole('region', { name: p.words.earlier }).waitFor();
    await p.open(study.link);
    await p.page.getByRole('link', { name: p.words.resume }).waitFor();
    await auditor.audit(p.page, scripts);
  }));
}
