// An interview continues where it was: after the back button, in two tabs, and after the server was killed.
import assert from 'node:assert/strict';
import { shortAnswers, completeInterview } from './participant.mjs';
import { short } from './studies.mjs';
import { check, server, checkResponse } from './harness.mjs';
import { Server } from './server.mjs';

export function resuming(scripts) {
  check('the back button asks nothing twice', async (on) => {
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    const address = p.page.url();
    await p.write('Busy.');
    const said = [{ asked: await p.asked(), answered: 'Busy.', followUp: false }];
    await p.send();
    const current = await p.asked();
    await p.page.goBack();
    if (p.page.url() !== address) await p.page.goForward(); // it went to the page before the interview
    assert.equal(await p.asked(), current);
    said.push(...(await completeInterview(p, shortAnswers)));
    await checkResponse(server, study, said);
  });

  check('two tabs stand at the same step, and the first answer counts', async (on) => {
    if (!scripts) on.expect(/status of 409/); // the form of the second tab
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    const other = await p.anotherTab();
    assert.equal(await other.asked(), await p.asked());
    await other.write('From the second tab.');
    await p.write('From the first tab.');
    await p.send();
    await other.overtaken();
    assert.equal(await other.asked(), await p.asked());
    await other.page.getByRole('region', { name: other.words.keptTitle }).getByText('From the second tab.').waitFor();
    const said = await completeInterview(other, shortAnswers);
    await p.page.reload();
    assert.equal(await p.asked(), p.words.completeTitle);
    await checkResponse(server, study, [{ asked: 'How was your morning?', answered: 'From the first tab.', followUp: false }, ...said]);
  });

  check('the server is killed and comes back', async (on) => {
    const own = await Server.begin();
    try {
      on.useServer(own);
      const study = await own.launch(short);
      const p = await on.visit(study.link, { scripts });
      await p.begin();
      const address = p.page.url();
      const said = [{ asked: await p.asked(), answered: await p.write('Busy.'), followUp: false }];
      await p.send();
      const current = await p.asked();
      const typed = await p.write('Said into the void.');
      await own.kill();
      said.push(...(await p.sendAndSurvive(on, own, address, current, typed)));
      said.push(...(await completeInterview(p, shortAnswers)));
      await checkResponse(own, study, said);
    } finally {
      await own.end();
    }
  });
}
