// Prints how long a key takes until it is painted, in a guide of 300 items: node typing.mjs
import { launch, openContext } from './browser.mjs';
import { DashboardServer } from './dashboard_visitor.mjs';

const dashboard = await DashboardServer.begin();
const browser = await launch();
try {
  const { context } = await openContext(browser, dashboard.origin, { scripts: true });
  const page = await context.newPage();
  await dashboard.signIn(page);
  const options = (i) => Array.from({ length: 5 }, (_, o) => ({ text: `Option ${o} of ${i}`, externalId: `o${i}-${o}` }));
  const item = (i) => ({ type: 'multiple_choice', text: `Which of these have you tried, number ${i}?`, externalId: `q${i}`, options: options(i), ...(i % 5 === 4 && { conditional: { operator: 'and', criteria: [{ type: 'selectedTemplateOptions', questionId: `q${i - 1}`, matchingCriteria: 'mustSelect', choices: [`o${i - 1}-1`] }] } }) });
  const guide = { title: 'Long', studyGoal: 'Long.', studyGuide: Array.from({ length: 10 }, (_, b) => ({ type: 'flat', title: `Block ${b}`, externalId: `b${b}`, items: Array.from({ length: 30 }, (_, i) => item(30 * b + i)) })) };
  const me = await (await page.request.get(`${dashboard.origin}/api/dashboard/session`)).json();
  const reply = await page.request.post(`${dashboard.origin}/api/dashboard/organizations/${me.organizations[0].id}/studies`, { data: { from: 'guide', guide } });
  await page.goto(`${dashboard.origin}/p/${(await reply.json()).study.linkId}/edit#q150`);
  await page.locator('.saved', { hasText: /^Saved$/ }).waitFor();
  const field = page.locator('.item.open').getByLabel('Question', { exact: true });
  await field.focus();
  await page.evaluate(() => {
    window.keys = [];
    document.addEventListener('keydown', () => {
      const began = performance.now();
      requestAnimationFrame(() => { // painted: the next task after the frame
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => window.keys.push(performance.now() - began);
        port2.postMessage(null);
      });
    }, true);
  });
  for (const key of 'and why do you think that this is so, after all these many years of it being so?'.repeat(2)) await page.keyboard.press(key === ' ' ? 'Space' : key);
  const times = (await page.evaluate(() => window.keys)).sort((a, b) => a - b);
  const at = (share) => Math.round(times[Math.min(times.length - 1, Math.floor(share * times.length))]);
  console.log(`key to paint at 300 items, ms: p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)} of ${times.length} keys`);
} finally {
  await browser.close();
  await dashboard.end();
}
