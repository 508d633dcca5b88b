// The pages of the organization and of the installation in a real browser, on the real server.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Auditor, launch, openContext } from './browser.mjs';
import { DashboardServer, kitchen } from './dashboard_visitor.mjs';

const dashboard = await DashboardServer.begin();
const browser = await launch();
after(async () => {
  await browser.close();
  await dashboard.end();
});

// check runs a test with the page of an admin. Errors on the console fail it, except those of refused requests that it expects.
const check = (name, options, run) => test(name, { timeout: 180_000 }, async () => {
  const { context, errors } = await openContext(browser, dashboard.origin, { scripts: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  try {
    await dashboard.signIn(page);
    await run(page, new URL(page.url()).pathname.split('/')[2]);
    assert.deepEqual(errors.filter((error) => ![/favicon/, /status of 401/, ...(options.expected ?? [])].some((pattern) => pattern.test(error))), []);
  } catch (error) {
    console.error(`${page.url()} shows\n${await page.locator('body').innerText({ timeout: 1000 }).catch(String)}`);
    throw error;
  } finally {
    await context.close();
  }
});

check('a wallet is topped up, and the log says who did it', {}, async (page, org) => {
  await page.goto(`${dashboard.origin}/o/${org}/wallets`);
  const before = await page.locator('tbody tr').first().locator('td.number').first().innerText();
  await page.getByRole('button', { name: /^Top up/ }).click();
  await page.getByLabel('Credits').fill('12.5');
  await page.getByLabel('Note (optional)').fill('Invoice 7');
  await page.keyboard.press('Enter');
  await page.getByText(/^12.5 credits were added/).waitFor();
  await page.waitForFunction((was) => document.querySelector('tbody tr td.number').textContent !== was, before);
  assert.equal(await page.getByRole('row', { name: /^Added/ }).first().getByRole('cell').nth(3).innerText(), '+12.5');
  await page.goto(`${dashboard.origin}/o/${org}/audit?action=wallet.deposited`);
  await page.getByText('Invoice 7').waitFor();
  await page.getByLabel('Who', { exact: true }).selectOption('operator');
  await page.waitForURL(/user=operator/);
  await page.reload();
  assert.equal(await page.getByLabel('Who', { exact: true }).inputValue(), 'operator');
  await page.getByRole('link', { name: 'Show all' }).click();
  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'JSONL' }).click();
  assert.match((await file).suggestedFilename(), /^audit-.*\.jsonl$/);
});

check('a key gets another name and an end', {}, async (page, org) => {
  await page.goto(`${dashboard.origin}/o/${org}/keys`);
  await page.getByRole('button', { name: /^Change/ }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Renamed');
  await dialog.getByLabel('Valid for').selectOption('30');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Renamed is changed.').waitFor();
  await page.getByRole('row', { name: /Renamed/ }).waitFor();
});

check('a retention rule is looked at before it is saved, and waits for a day', { expected: [/status of 404/] }, async (page, org) => {
  await dashboard.study({ ...kitchen, title: 'Kept' }, [['At the price.', '']]);
  await page.goto(`${dashboard.origin}/o/${org}/retention`);
  await page.getByText('Everything is kept until somebody deletes it.').waitFor();
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('Delete responses after days').fill('7');
  await page.getByRole('button', { name: 'See what it deletes' }).click();
  const preview = page.getByRole('dialog', { name: 'What this rule deletes' });
  await preview.getByRole('row', { name: /Kept.*1 response/ }).waitFor();
  await preview.getByRole('button', { name: 'Save the rule' }).click();
  await page.getByText('deleted after 7 days').waitFor();
  await page.locator('p.warn').filter({ hasText: 'Until then nothing is deleted' }).waitFor();
  await page.getByRole('button', { name: 'Add a study' }).click();
  await page.getByLabel('Study', { exact: true }).fill('no-such-study');
  await page.getByRole('button', { name: 'See what it deletes' }).click();
  await page.getByRole('alert').waitFor();
});

check('the database is tried', {}, async (page) => {
  await page.getByRole('link', { name: 'Installation' }).click();
  await page.getByRole('button', { name: 'Try Database' }).click();
  await page.getByRole('region', { name: 'Database' }).getByText('Complete').waitFor();
  await page.getByRole('region', { name: 'Mail' }).getByText('Not configured.').waitFor();
});

for (const size of ['phone', 'desktop']) {
  check(`axe on every page, ${size}`, { size, expected: [/status of 500/] }, async (page, org) => {
    const auditor = new Auditor(page); // in light and dark
    for (const path of [`/o/${org}/wallets`, `/o/${org}/wallets?account=recruitment`, `/o/${org}/audit`, `/o/${org}/audit?action=nothing`, `/o/${org}/retention`, `/o/${org}/keys`, '/instance']) {
      await page.goto(dashboard.origin + path);
      await page.locator('h1').waitFor();
      await page.waitForFunction(() => !document.querySelector('.skeleton'));
      await auditor.audit(page, true);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${path} is too wide`);
      for (const colorScheme of process.env.PICTURES ? ['light', 'dark'] : []) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${process.env.PICTURES}/${size}-${colorScheme}-${path.replace(org, '').replaceAll(/[^a-z]+/g, '-')}.png`, fullPage: true });
      }
    }
    await page.route('**/api/dashboard/**/retention', (route) => route.fulfill({ status: 500, json: { error: 'Broken.', code: 'internal_error' }, headers: { 'X-Request-Id': 'r-1' } }));
    await page.goto(`${dashboard.origin}/o/${org}/retention`);
    await page.getByText('r-1').waitFor();
    await auditor.audit(page, true);
  });
}
