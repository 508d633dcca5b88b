// Exports in the dashboard, in a real browser, on the real server.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { Auditor, launch, openContext } from './browser.mjs';
import { DashboardServer, kitchen } from './dashboard_visitor.mjs';

const dashboard = await DashboardServer.begin();
const browser = await launch();
after(async () => {
  await browser.close();
  await dashboard.end();
});

test('compare groups, hand over: from the filtered list to a file in three clicks, by keyboard as well', { timeout: 180_000 }, async () => {
  const study = await dashboard.study({ ...kitchen, title: 'Handed over' }, [['The price.', '?source=mail'], ['The smell.', '?source=panel'], ['=1+1', '?source=mail']]);
  const { context, errors } = await openContext(browser, dashboard.origin, { scripts: true });
  try {
    const page = await context.newPage();
    const audit = new Auditor(page);
    await dashboard.signIn(page);
    await page.goto(`${dashboard.origin}/p/${study.linkId}?parameter=source%3Dmail`);
    await page.getByRole('link', { name: 'Export' }).click();
    await page.getByRole('heading', { name: '2 responses' }).waitFor();
    await page.getByRole('heading', { name: 'No file yet' }).waitFor();
    await audit.audit(page, true);

    await page.getByRole('radio', { name: /^CSV/ }).focus();
    await page.keyboard.press('Space');
    await page.getByLabel('Chosen options as').selectOption('labels');
    await page.getByRole('button', { name: 'Write the file' }).press('Enter');
    const ready = page.getByRole('link', { name: `Download ${study.linkId}.csv` });
    await ready.waitFor();
    await audit.audit(page, true);
    const [download] = await Promise.all([page.waitForEvent('download'), ready.click()]);
    assert.equal(download.suggestedFilename(), `${study.linkId}.csv`);
    const text = await readFile(await download.path(), 'utf8');
    assert.equal(text.match(/^\d+,[0-9a-f-]{36},/gm)?.length, 2, 'a row for each response');
    assert.match(text, /The price\./);
    assert.match(text, /'=1\+1/);
    assert.doesNotMatch(text, /The smell/);

    // SPSS files have codes and labels, so these are not asked for.
    await page.getByRole('radio', { name: /^SPSS/ }).check();
    assert.equal(await page.getByLabel('Chosen options as').count(), 0);
    assert.equal(await page.getByLabel('Layout').count(), 0);

    await page.getByRole('button', { name: `Remove ${study.linkId}.csv` }).click();
    await page.getByRole('heading', { name: 'No file yet' }).waitFor();
    await page.goto(`${dashboard.origin}/p/nowhere/export`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.deepEqual(errors.filter((error) => !/favicon|status of 40[14]/.test(error)), []);
  } finally {
    await context.close();
  }
});
