// Webhooks in the dashboard, in a real browser, on the real server, with a receiver beside it.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { Auditor, launch, openContext } from './browser.mjs';
import { DashboardServer, kitchen } from './dashboard_visitor.mjs';

const dashboard = await DashboardServer.begin('--postback-networks', '127.0.0.0/8');
const browser = await launch();
const received = [];
let status = 500;
const receiver = createServer((request, reply) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => { body += chunk; }).on('end', () => {
    received.push({ headers: request.headers, body });
    reply.writeHead(status).end('<img src=x onerror=alert(1)>');
  });
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
after(async () => {
  receiver.close();
  await browser.close();
  await dashboard.end();
});

test('create a webhook, keep its secret, test it, see why it fails, and send it again', { timeout: 180_000 }, async () => {
  const { context, errors } = await openContext(browser, dashboard.origin, { scripts: true });
  try {
    const page = await context.newPage();
    const audit = new Auditor(page);
    await dashboard.signIn(page);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await audit.audit(page, true);
    await page.getByRole('button', { name: 'New webhook' }).press('Enter');
    await page.getByLabel('Address').fill('ftp://example.org/');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('must begin with https://').waitFor();
    await page.getByLabel('Address').fill(`http://127.0.0.1:${receiver.address().port}/hooks`);
    await page.getByLabel('What for').fill('Rewards');
    await page.getByLabel('Interview completed').check();
    await audit.audit(page, true);
    await page.getByRole('button', { name: 'Create' }).click();
    const secret = await page.getByRole('textbox', { name: "The webhook's secret" }).inputValue();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'Rewards' }).waitFor();
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('it answers 500').waitFor();
    await audit.audit(page, true);
    status = 200;
    const study = await dashboard.study({ ...kitchen, title: 'Told' }, [['The price.', '?pid=p1']]);
    await page.getByRole('link', { name: `${study.linkId}/1` }).waitFor();
    await page.getByRole('button', { name: /^Send again Interview completed/ }).click();
    await page.getByText('The message is sent again.').waitFor();
    await page.getByText('2 tries').waitFor();
    const [first, second] = received.filter(({ body }) => JSON.parse(body).type === 'response.completed');
    assert.equal(first.headers['webhook-id'], second.headers['webhook-id']);
    const { headers, body } = second;
    const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64');
    assert.equal(headers['webhook-signature'], `v1,${signature}`);
    assert.deepEqual(JSON.parse(body).data.parameters, { pid: 'p1' });
    assert.equal(JSON.parse(body).data.response, undefined);

    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('is not kept for this webhook').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await audit.audit(page, true);
    assert.deepEqual(errors.filter((error) => !/favicon|status of 40[0-9]/.test(error)), []);
    if (process.env.PICTURES) {
      await page.screenshot({ path: `${process.env.PICTURES}/phone-dark.png`, fullPage: true });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.screenshot({ path: `${process.env.PICTURES}/desktop.png`, fullPage: true });
      await page.getByRole('button', { name: 'Change' }).click();
      await page.screenshot({ path: `${process.env.PICTURES}/form.png` });
    }
  } finally {
    await context.close();
  }
});
