// Passkeys, and the question who somebody is, in a browser with an authenticator that Chromium simulates.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { Auditor, launch, openContext } from './browser.mjs';
import { DashboardServer } from './dashboard_visitor.mjs';

// Passkeys are bound to a name, so the server is reached as localhost, at a port that is known before it starts.
const place = createServer().listen(0, '127.0.0.1');
await once(place, 'listening');
const origin = `http://localhost:${place.address().port}`;
await new Promise((resolve) => place.close(resolve));
const dashboard = await DashboardServer.begin('--listen', `127.0.0.1:${new URL(origin).port}`, '--base-url', origin);
const browser = await launch();
after(async () => {
  await browser.close();
  await dashboard.end();
});

// visit runs a test with a page whose browser has an authenticator that verifies its user. Errors on the console fail it.
async function visit({ expected = [], ...options }, run) {
  const { context, errors } = await openContext(browser, origin, { scripts: true, ...options });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    });
    await page.goto((await dashboard.link('signin')).replace(dashboard.origin, origin));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Studies', exact: true }).waitFor();
    await run(page);
    assert.deepEqual(errors.filter((error) => ![/favicon/, /status of 401/, ...expected].some((pattern) => pattern.test(error))), []);
  } finally {
    await context.close();
  }
}

const check = (name, options, run) => test(name, { timeout: 180_000 }, () => visit(options, run));
const look = (page) => new Auditor(page).audit(page, true);

async function addPasskey(page, name) {
  await page.goto(`${origin}/me`);
  await page.getByLabel('Name of the passkey').fill(name);
  await page.getByRole('button', { name: 'Add a passkey' }).press('Enter');
  await page.getByText(`${name} is a passkey now.`).waitFor();
}

check('a passkey is made, signs in, and is revoked', { expected: [/status of 403/] }, async (page) => {
  await addPasskey(page, 'Laptop');
  await look(page);
  await page.request.delete(`${origin}/api/dashboard/session`, { headers: { Origin: origin } });
  await page.goto(`${origin}/signin`);
  const enter = page.getByRole('button', { name: 'Sign in with a passkey' });
  await enter.waitFor();
  await look(page);
  await enter.press('Enter');
  await page.getByRole('heading', { name: 'Studies', exact: true }).waitFor();
  await page.goto(`${origin}/me`);
  await page.getByRole('button', { name: 'Revoke Laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Laptop signs nobody in any more.').waitFor();
  await page.request.delete(`${origin}/api/dashboard/session`, { headers: { Origin: origin } });
  await page.goto(`${origin}/signin`);
  await enter.click(); // the browser still has it, and the server does not
  await page.getByRole('alert').waitFor();
});

for (const [device, viewport] of [['phone', { width: 390, height: 844 }], ['desktop', { width: 1280, height: 900 }]]) {
  check(`a dangerous action asks who it is, and goes on, ${device}`, { viewport, expected: [/status of 403/] }, async (page) => {
    await addPasskey(page, `Key of the ${device}`);
    await page.goto(`${origin}/o/${dashboard.server.org}/keys`);
    await page.getByLabel('Name', { exact: true }).fill(`Robot, ${device}`);
    // The sign-in of this test is recent: the server's answer to an older one is put in its place, once.
    await page.route('**/keys', (route) => (route.request().method() === 'POST'
      ? route.fulfill({ status: 403, json: { error: 'Confirm first that it is you: this needs a recent sign-in.', code: 'confirmation_needed' } })
      : route.continue()), { times: 1 });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Confirm with a passkey' }).waitFor();
    await look(page);
    await dialog.getByRole('button', { name: 'Confirm with a passkey' }).press('Enter');
    await page.getByText(/vb_/).first().waitFor(); // the key was made without asking for its name again
    await look(page);
  });
}
