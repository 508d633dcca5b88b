// What people see while the service cannot do its work: what is true, in their language, and nothing that they gave is lost or stored twice.
import assert from 'node:assert/strict';
import { eventually } from './eventually.mjs';
import { shortSaid, take } from './participant.mjs';
import { short } from './studies.mjs';
import { check, server, tells } from './world.mjs';

const scripts = true;

// out answers requests as a server does whose database is away, or full, until the function that comes back is called.
async function out(p, address, { status = 503, code = 'service_unavailable' } = {}) {
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
    const over = await out(p, '**/interviews*');
    await p.button(p.words.consent).click();
    await p.page.getByRole('alert').filter({ hasText: p.words.startTrouble }).waitFor();
    await eventually(() => keys.length > 1 || undefined);
    await over();
    await p.page.waitForURL('**/i/*');
    const said = await take(p, shortSaid);
    await tells(server, study, said);
    assert.equal(new Set(keys).size, 1, `one begin has the keys ${keys}`);
    assert.match(keys[0], /^[0-9a-f]{32}$/);
  });

  check('a begin whose answer is lost makes one response, also from a page that was opened again', async (on) => {
    on.expect(/ERR_CONNECTION_RESET/);
    const study = await server.launch(short);
    const p = await on.visit(`${study.link}?panel=p7`, { scripts });
    const begun = [];
    const lose = async (route) => {
      const reply = await route.fetch();
      begun.push((await reply.json()).token);
      await route.abort('connectionreset');
    };
    await p.page.route('**/interviews*', lose);
    await p.button(p.words.consent).click();
    await p.page.getByRole('alert').filter({ hasText: p.words.startTrouble }).waitFor();
    await p.open(`${study.link}?panel=p7`);
    await p.page.unroute('**/interviews*', lose);
    await p.begin();
    await p.page.waitForURL((url) => url.pathname === `/i/${begun[0]}`);
    assert.equal(new Set(begun).size, 1, `the begins led to ${begun}`);
    const said = await take(p, shortSaid);
    await tells(server, study, said);
    await p.open(`${study.link}?panel=p7`); // somebody else, at the same device
    await p.begin();
    assert.notEqual(new URL(p.page.url()).pathname, `/i/${begun[0]}`);
  });

  for (const [what, refusal] of Object.entries({ 'the database is away': {}, 'its disk is full': { status: 507, code: 'insufficient_storage' } })) {
    check(`an answer while ${what} is kept and sent again`, async (on) => {
      on.expect(/status of 50[37]/);
      const study = await server.launch(short);
      const p = await on.visit(study.link, { scripts });
      await p.begin();
      await p.write('Busy.');
      const over = await out(p, '**/answers', refusal);
      await p.press();
      await p.page.getByRole('status').filter({ hasText: p.words.trouble }).waitFor();
      await p.page.reload(); // the answer is still there, and on its way
      await p.page.getByRole('status').filter({ hasText: p.words.trouble }).waitFor();
      await over();
      await p.page.getByRole('region', { name: p.words.earlier }).waitFor();
      const said = await take(p, shortSaid);
      await tells(server, study, [{ asked: 'How was your morning?', answered: 'Busy.', followUp: false }, ...said]);
    });
  }
}
