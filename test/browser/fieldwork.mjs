// What participants see of a study's quotas and its end, and what a researcher sees of a preview.
import assert from 'node:assert/strict';
import { check, server, withAuditor } from './harness.mjs';
import { short } from './studies.mjs';

const fullText = 'We have heard from many people who start the day well.\nThank you.';
const full = {
  ...short, title: 'Full mornings',
  config: { availableLanguages: ['en', 'de'], verbatim: { quotas: [{
    limit: 0, fullText, dimensions: [{ questionId: 'good', groups: [{ externalId: 'yes', choices: ['Yes'] }] }],
  }] } },
  studyGuide: [{ ...short.studyGuide[0], items: short.studyGuide[0].items.slice(1).map((item, i) => (i === 0 ? { ...item, externalId: 'good' } : item)) }],
};

export function fieldwork(scripts) {
  check('a full quota ends the interview with the study\'s text', (on) => withAuditor('phone', async (auditor) => {
    const study = await server.launch(full);
    const p = await on.visit(study.link, { scripts, size: 'phone' });
    await p.begin();
    await p.choose('Yes');
    await p.send();
    await p.reads('many people who start the day well');
    await auditor.audit(p.page, scripts);
    const [cell] = await server.command('study', 'quota', study.link.split('/').pop());
    assert.equal(cell.turnedAway, 1);
  }));

  check('a paused study says so, and goes on when it is reopened', async (on) => {
    on.expect(/409/);
    const study = await server.launch({ ...short, title: 'Paused mornings', config: { availableLanguages: ['en', 'de'] } });
    const link = study.link.split('/').pop();
    await server.command('study', 'pause', link);
    const p = await on.visit(undefined, { scripts, size: 'phone' });
    await p.page.goto(`${study.link}?_language=de`);
    await p.page.getByRole('heading', { name: 'Die Studie macht gerade Pause' }).waitFor();
    await server.command('study', 'reopen', link);
    await p.page.goto(study.link);
    await p.page.getByRole('button', { name: p.words.consent }).waitFor();
  });

  check('a preview goes through a draft and leaves nothing', async (on) => {
    const { id, linkId } = await server.api('POST', '/studies/create', { ...short, title: 'Draft mornings' });
    const { link } = await server.command('study', 'preview', linkId, '--base-url', server.origin);
    const p = await on.visit(link, { scripts, size: 'desktop' });
    const note = p.page.getByText(p.words.previewNote);
    await note.waitFor();
    await p.begin();
    await p.write('Nothing to say.');
    await p.send();
    await note.waitFor();
    await p.reads('Was it a good one?');
    assert.equal((await server.command('study', 'show', id)).underWay, 0);
  });
}
