// What participants see during an outage: a correct message in their language, and no answer is lost or stored twice.
import assert from 'node:assert/strict';
import { eventually } from './eventually.mjs';
import { shortAnswers, completeInterview } from './participant.mjs';
import { short } from './studies.mjs';
import { check, server, checkResponse } from './harness.mjs';

const scripts = true;

// startOutage answers requests as a server does whose database is unavailable or full, until the returned function is called.
async function startOutage(p, address, { status = 503, code = 'service_unavailable' } = {}) {
  const refuse = (route) => route.fulfill({ status, headers: { 'Retry-After': '1' }, json: { error: 'Away.', code } });
  await p.page.route(address, refuse);
  return () => p.page.unroute(address, refuse);
}

export function outages() {
  check('begun in an outage, the interview begins when it is over, once', async (on) => {
    on.expect(/status of 503/);
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts, size: 'phone' });
    const keys = [];
    p.page.on('request', (request) => { if (request.url().includes('/interviews')) keys.push(request.headers()['idempotency-key']); });
    const endOutage = await startOutage(p, '**/interviews*');
    await p.button(p.words.consent).click();
    await p.page.getByRole('alert').filter({ hasText: p.words.startTrouble }).waitFor();
    await eventually(() => keys.length > 1 || undefined);
    await endOutage();
    await p.page.waitForURL('**/i/*');
    const said = await completeInterview(p, shortAnswers);
    await checkResponse(server, study, said);
    assert.equal(new Set(keys).size, 1, `one start has the keys ${keys}`);
    assert.match(keys[0], /^[0-9a-f]{32}$/);
  });

  check('a begin whose answer is lost makes one response, also from a page that was opened again', async (on) => {
    on.expect(/ERR_CONNECTION_RESET/);
    const study = await server.launch(short);
    const p = await on.visit(`${study.link}?panel=p7`, { scripts });
    const started = [];
    const loseResponse = async (route) => {
      const reply = await route.fetch();
      started.push((await reply.json()).token);
      await route.abort('connectionreset');
    };
    await p.page.route('**/interviews*', loseResponse);
    await p.button(p.words.consent).click();
    await p.page.getByRole('alert').filter({ hasText: p.words.startTrouble }).waitFor();
    await p.open(`${study.link}?panel=p7`);
    await p.page.unroute('**/interviews*', loseResponse);
    await p.begin();
    await p.page.waitForURL((url) => url.pathname === `/i/${started[0]}`);
    assert.equal(new Set(started).size, 1, `the starts led to ${started}`);
    const said = await completeInterview(p, shortAnswers);
    await checkResponse(server, study, said);
    await p.open(`${study.link}?panel=p7`); // another participant on the same device
    await p.begin();
    assert.notEqual(new URL(p.page.url()).pathname, `/i/${started[0]}`);
  });

  for (const [what, refusal] of Object.entries({ 'the database is away': {}, 'its disk is full': { status: 507, code: 'insufficient_storage' } })) {
    check(`an answer while ${what} is kept and sent again`, async (on) => {
      on.expect(/status of 50[37]/);
      const study = await server.launch(short);
      const p = await on.visit(study.link, { scripts });
      await p.begin();
      await p.write('Busy.');
      const endOutage = await startOutage(p, '**/answers', refusal);
      await p.press();
      await p.page.getByRole('status').filter({ hasText: p.words.trouble }).waitFor();
      await p.page.reload(); // the answer is still stored, and being sent
      await p.page.getByRole('status').filter({ hasText: p.words.trouble }).waitFor();
      await endOutage();
      await p.page.getByRole('region', { name: p.words.earlier }).waitFor();
      const said = await completeInterview(p, shortAnswers);
      await checkResponse(server, study, [{ asked: 'How was your morning?', answered: 'Busy.', followUp: false }, ...said]);
    });
  }
}
