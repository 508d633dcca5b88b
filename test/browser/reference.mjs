// The API reference under its own Content-Security-Policy: each document is rendered, and a call is tried out.
import assert from 'node:assert/strict';
import { check, server } from './harness.mjs';

export function reference() {
  check('the page at the root', async (on) => {
    const { page } = await on.visit(null, { scripts: true });
    await page.goto(`${server.origin}/`);
    await page.getByRole('link', { name: 'API reference' }).first().waitFor();
  });

  for (const name of ['v1', 'legacy', 'participant']) {
    check(`the reference of ${name}`, async (on) => {
      const { page } = await on.visit(null, { scripts: true });
      const answer = await page.goto(`${server.origin}/docs/?document=${name}`);
      assert.match(answer.headers()['content-security-policy'], /frame-ancestors 'none'/);
      await page.locator('.opblock').first().waitFor();
      for (const operation of (await page.locator('.opblock-summary-control').all()).slice(0, 3)) {
        await operation.click();
        await page.locator('.opblock.is-open .responses-table').first().waitFor();
        await operation.click();
      }
      if (name !== 'v1') return;
      await page.getByRole('button', { name: 'Authorize', exact: true }).first().click();
      await page.locator('.auth-container input').fill(server.key);
      await page.locator('.auth-btn-wrapper').getByRole('button', { name: /apply credentials/i }).click();
      await page.locator('.auth-btn-wrapper').getByRole('button', { name: /close/i }).click();
      const wallets = page.locator('#operations-Wallets-listWallets');
      await wallets.locator('.opblock-summary-control').click();
      await wallets.getByRole('button', { name: /try it out/i }).click();
      await wallets.getByRole('button', { name: /execute/i }).click();
      await wallets.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    });
  }
}
