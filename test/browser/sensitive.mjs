// What a participant is shown whose answer speaks of grief, in a study that is prepared for it.
import assert from 'node:assert/strict';
import { check, server, withAuditor } from './harness.mjs';
import { sensitive } from './studies.mjs';

export function sensitiveTopics(scripts) {
  check('an answer of grief gets a message and no follow-up', (on) => withAuditor('phone', async (auditor) => {
    const p = await on.visit((await server.launch(sensitive)).link, { scripts, size: 'phone' });
    await p.begin();
    await p.write('Bad. My father died in the night.');
    await p.send();
    const support = p.page.getByRole('region', { name: p.words.supportTitle });
    await support.getByText('The helpline 116 123 listens').waitFor();
    assert.match(await p.asked(), /Was it a good one/);
    await auditor.audit(p.page, scripts);
    if (scripts) {
      assert.equal(await p.page.evaluate(() => document.activeElement.id), 'support', 'the focus is on the message');
      await support.getByRole('button', { name: p.words.pause, exact: true }).click();
      await p.page.getByRole('dialog', { name: p.words.pause }).waitFor();
      await p.page.keyboard.press('Escape');
      await p.page.reload();
      await support.waitFor(); // it is still there for who comes back
      await support.getByRole('button', { name: p.words.withdraw, exact: true }).click();
      await p.page.getByRole('dialog', { name: p.words.withdraw }).waitFor();
      await p.page.keyboard.press('Escape');
    }
    await p.choose('No');
    await p.send();
    await p.reads('And how will the evening be?');
    await support.waitFor({ state: 'detached' });
  }));
}
