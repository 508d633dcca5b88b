// The consent that a study sets: read before the interview, with a question for the age, and again when its text has changed.
import assert from 'node:assert/strict';
import { check, server, withAuditor } from './harness.mjs';
import { short } from './studies.mjs';

const consenting = {
  ...short, title: 'Agreed mornings',
  config: { availableLanguages: ['en', 'de'], verbatim: { consent: {
    text: 'We study **mornings**.', contact: 'Ann Example', privacyUrl: 'https://example.org/privacy', retention: 'Until May.', minimumAge: 16,
  } } },
};

export function consent(scripts) {
  check('a study\'s consent is read, and whoever is too young begins nothing', (on) => withAuditor('phone', async (auditor) => {
    const study = await server.launch(consenting);
    const p = await on.visit(study.link, { scripts, size: 'phone' });
    await p.reads('Until May.');
    await p.reads('What you type and choose');
    assert.equal(await p.page.getByText('Your voice, while').count(), 0);
    await auditor.audit(p.page, scripts);
    if (scripts) {
      await p.button(p.words.consent).click();
      await p.reads('Please answer the question about your age first.');
    }
    await p.page.getByRole('radio', { name: 'No' }).check();
    on.expect(/status of 403/);
    await p.button(p.words.consent).click();
    await p.reads('This study is for older participants');
    await auditor.audit(p.page, scripts);
    assert.equal((await server.command('study', 'show', study.id)).underWay, 0);
    const other = await on.visit(study.link, { scripts, size: 'phone' });
    await other.page.getByRole('radio', { name: 'Yes' }).check();
    await other.button(other.words.consent).click();
    await other.page.locator('textarea').waitFor();
    const [{ id: org }] = await server.command('org', 'list');
    await server.command('org', 'update', org, '--name', scripts ? 'Wren' : 'Lark');
    await other.page.reload();
    await other.reads(`Responsible for this study: ${scripts ? 'Wren' : 'Lark'}`);
    await auditor.audit(other.page, scripts);
    await other.button('I agree, continue').click();
    await other.page.locator('textarea').waitFor();
  }));
}
