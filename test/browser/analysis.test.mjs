// The analysis page of the dashboard on the demo's study, in a real browser and on the real server.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Auditor, launch, openContext } from './browser.mjs';
import { answer, DashboardServer, kitchen, sound } from './dashboard_visitor.mjs';

const dashboard = await DashboardServer.begin();
const browser = await launch('--autoplay-policy=no-user-gesture-required');
after(async () => {
  await browser.close();
  await dashboard.end();
});

const guide = JSON.parse(await readFile(join(import.meta.dirname, '..', '..', 'internal', 'domain', 'guide', 'sample', 'sample.json'), 'utf8'));
const people = 16;
const linkOf = ({ link }) => new URL(link).pathname.split('/').pop();
const coffee = await dashboard.server.launch(guide);
const link = linkOf(coffee);
await dashboard.server.command('study', 'simulate', link, '--participants', String(people));

// analysed returns the report that the command makes: the page has to show its cells.
const analysed = (...flags) => dashboard.server.command('study', 'analyse', link, ...flags);
const sectionOf = (report, key) => report.sections.find((section) => section.key === key);
const tableOf = (report, section, key) => sectionOf(report, section).tables.find((table) => table.key === key);

async function visit(options, run) {
  const { context, errors } = await openContext(browser, dashboard.origin, { scripts: true, ...options });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.addInitScript(() => {
      window.violations = [];
      document.addEventListener('securitypolicyviolation', (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
    });
    await dashboard.signIn(page);
    await run(page, context);
    assert.deepEqual(await page.evaluate(() => window.violations), []);
    assert.deepEqual(errors.filter((error) => ![/favicon/, /status of 401/, /status of 404.*\/signin\)$/, ...(options.expected ?? [])].some((pattern) => pattern.test(error))), []);
  } catch (error) {
    for (const page of context.pages()) console.error(`${page.url()} shows\n${(await page.locator('body').innerText({ timeout: 1000 }).catch(String)).slice(0, 4000)}`);
    throw error;
  } finally {
    await context.close();
  }
}

const check = (name, options, run) => test(name, { timeout: 240_000 }, () => visit(options, run));
const address = (query = '', of = link) => `${dashboard.origin}/p/${of}/analysis${query}`;

// make opens a report, and has it made if there is none yet.
async function make(page, query = '', of = link) {
  await page.goto(address(query, of));
  const button = page.getByRole('button', { name: 'Make the report' });
  await button.or(page.locator('.report')).first().waitFor();
  if (await button.isVisible()) await button.click();
  await page.locator('.report').waitFor();
}

// shown returns the rows of a table as they are printed.
const shown = (page, section, title) => page.locator(`[id="s-${section}"] table`).filter({ hasText: title }).first().evaluate((table) =>
  [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)));

const printed = (value, digits) => (typeof value === 'number' ? value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }) : (value ?? ''));

check('the report in three clicks, with the numbers of the command', {}, async (page, context) => {
  await page.getByRole('link', { name: guide.title }).click();
  await page.getByRole('link', { name: 'Analysis' }).click();
  await page.getByRole('button', { name: 'Make the report' }).click();
  await page.locator('.report').waitFor();
  const report = await analysed();
  let compared = 0;
  for (const section of report.sections.filter(({ kind }) => kind === 'multiple_choice')) {
    for (const table of section.tables.filter(({ key }) => /^answers(-c\d+)?$/.test(key))) {
      const want = table.rows.map((row) => [row.label, printed(row.count, 0), printed(row.base, 0), ...['share', 'low', 'high'].map((key) => printed(row[key], 1))]);
      assert.deepEqual(await shown(page, section.key, table.title), want, `${section.key} ${table.key}`);
      compared += want.length;
    }
  }
  assert.ok(compared > 15, `${compared} rows were compared`);
  const daily = tableOf(report, 'home-frequency', 'answers').rows[0];
  await page.locator('#s-home-frequency svg').getByText(`${printed(daily.share, 1)} % (${daily.count} of ${daily.base})`).waitFor();

  const figure = page.locator('#s-home-frequency figure');
  await figure.getByRole('button', { name: 'Table' }).click();
  await figure.getByRole('region', { name: 'Answers' }).waitFor();
  assert.equal(await figure.locator('svg').count(), 0);
  const [csv] = await Promise.all([page.waitForEvent('download'), figure.getByRole('link', { name: 'Answers as CSV' }).click()]);
  assert.match(await readFile(await csv.path(), 'utf8'), new RegExp(`^\uFEFFOption,.*\n${daily.label},${daily.count},${daily.base},`));
  await figure.getByRole('button', { name: 'Chart' }).click();
  const [svg] = await Promise.all([page.waitForEvent('download'), figure.getByRole('button', { name: /SVG/ }).click()]);
  const drawn = await readFile(await svg.path(), 'utf8');
  assert.match(drawn, /fill="rgb\(31, 95, 91\)"/);
  assert.ok(drawn.includes('How often do you make coffee at home?') && !drawn.includes('class='), 'the file stands alone');

  const items = tableOf(report, 'funnel', 'items').rows;
  assert.equal(items.length, guide.studyGuide.flatMap(({ items: all }) => all).length, 'statements are in the funnel');
  await page.locator('#s-funnel').getByText(`${items[0].shown} shown`).first().waitFor();
  assert.ok(!(await context.cookies()).some(({ httpOnly }) => !httpOnly));
});

check('themes are renamed and merged, a quote is moved, and the numbers follow', { expected: [/status of 409/] }, async (page) => {
  await make(page);
  const question = page.locator('#s-morning-story');
  const names = () => question.locator('.theme b').allInnerTexts();
  const [first, second, third] = await names();
  await question.getByRole('button', { name: `Rename “${first}”` }).focus();
  await page.keyboard.press('Enter');
  const payload = '<img src=x onerror=window.stolen=1>';
  await page.keyboard.type(payload);
  await page.keyboard.press('Enter');
  await question.locator('.theme b').filter({ hasText: payload }).waitFor();
  await question.getByText('named by Ada').waitFor();
  await question.locator('.chart tspan').filter({ hasText: payload }).waitFor(); // the next report has it

  await question.getByLabel(`Select “${payload}” for merging`).check();
  await question.getByLabel(`Select “${second}” for merging`).check();
  await question.getByLabel('Merge into').selectOption({ label: payload });
  await question.getByRole('button', { name: 'Merge', exact: true }).click();
  await question.locator('.theme b').filter({ hasText: second }).waitFor({ state: 'detached' });
  const after = await analysed();
  const merged = tableOf(after, 'morning-story', 'themes').rows.find(({ label }) => label === payload);
  await question.locator('.theme').filter({ hasText: payload }).getByText(`${merged.count} of ${merged.base}`).waitFor();

  await question.locator('li').filter({ has: page.locator('.theme b', { hasText: third }) }).getByLabel(/^Move the quote/).first().selectOption({ label: payload });
  await question.getByText('Who changed what').click();
  await question.locator('.theme-changes li').filter({ hasText: 'an answer is in' }).waitFor();
  const moved = tableOf(await analysed(), 'morning-story', 'themes').rows.find(({ label }) => label === payload);
  await question.locator('.theme').filter({ hasText: payload }).getByText(`${moved.count} of ${moved.base}`).waitFor();
  assert.equal(await question.locator('.theme-changes li').count(), 4);

  // Somebody else is quicker.
  await dashboard.server.command('study', 'theme', 'rename', link, 'Q4', payload, 'Mornings');
  await question.getByRole('button', { name: `Rename “${third}”` }).click();
  await page.keyboard.type('Late');
  await page.keyboard.press('Enter');
  await question.getByRole('alert').filter({ hasText: 'Somebody else changed these themes' }).waitFor();
  await question.locator('.theme b').filter({ hasText: 'Mornings' }).waitFor();
  assert.equal(await page.evaluate(() => window.stolen), undefined);
});

check('a quote leads to the second at which it was said', {}, async (page) => {
  await make(page);
  const quotes = page.locator('#s-cleaning-story .quotes li');
  const quote = (await quotes.first().locator('q').innerText());
  const source = quotes.first().getByRole('link');
  const number = (await source.innerText()).replace(/\D/g, '');
  let expected = null;
  await page.route(new RegExp(`/api/dashboard/studies/${link}/responses/${number}(\\?|$)`), async (route) => {
    const reply = await route.fetch();
    const response = await reply.json();
    for (const row of response.rows.filter(({ answer: said }) => said.includes(quote))) {
      let at = 0;
      const words = row.answer.split(/\s+/).map((word, i) => {
        const from = row.answer.indexOf(word, at);
        at = from + word.length;
        return [i * 0.4, i * 0.4 + 0.35, from, at, 0.9];
      });
      expected = words.find(([, , , to]) => to > row.answer.indexOf(quote))[0];
      row.recordings = [{ kind: 'audio', state: 'ready', failure: '', durationSeconds: 40, mediaType: 'audio/wav', url: '/test-media/said.wav', stream: null, poster: null, waveform: null, transcript: { text: row.answer, isAnswer: true, words } }];
    }
    response.linksExpireAt = new Date(Date.now() + 3_600_000).toISOString().replace('Z', '000Z');
    await route.fulfill({ response: reply, json: response });
  });
  const body = sound(40);
  await page.route('**/plays', (route) => route.fulfill({ status: 204 })); // the server has no such recording
  await page.route('**/test-media/*', (route) => {
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(route.request().headers().range ?? '') ?? [];
    const end = Math.min(Number(to || body.length - 1), body.length - 1);
    return route.fulfill({ status: 206, contentType: 'audio/wav', body: body.subarray(Number(from), end + 1), headers: { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes ${from}-${end}/${body.length}` } });
  });
  await source.click();
  await page.getByRole('heading', { name: `Response ${number}` }).waitFor();
  await page.waitForFunction(() => { const [player] = document.querySelectorAll('video'); return player && !player.paused && player.currentTime > 0; });
  const at = await page.evaluate(() => { const [player] = document.querySelectorAll('video'); player.pause(); return player.currentTime; });
  assert.ok(at >= expected - 0.01 && at < expected + 5, `plays at ${at} s what is said at ${expected} s`);
  assert.deepEqual(await page.evaluate(() => [...(CSS.highlights.get('evidence') ?? [])].map(String)), [quote]);
  await page.goBack();
  await page.locator('.report').waitFor();
});

check('groups are compared, and some people counted', {}, async (page) => {
  await make(page);
  await page.getByLabel('Compare by').selectOption({ label: 'source' });
  await page.locator('#s-groups, .facts-of').first().waitFor();
  const report = await analysed('--by', 'param:source');
  const groups = tableOf(report, 'home-frequency', 'by-bases').rows;
  for (const { group, people: n } of groups) await page.locator('#s-home-frequency').getByText(`${group}: n = ${n}`).waitFor();
  const shares = tableOf(report, 'home-frequency', 'by-shares');
  assert.deepEqual(await shown(page, 'home-frequency', shares.title), shares.rows.map((row) => [row.label, ...groups.map((_, i) => printed(row[`g${i + 1}`], 1))]));
  await page.getByLabel('Compare by').selectOption('');
  await page.getByLabel('Count', { exact: true }).selectOption({ label: groups[0].group });
  await page.getByText(`Counted: source = ${groups[0].group}`).waitFor();
  await page.locator('#s-home-frequency').getByText(`n = ${groups[0].people}`, { exact: true }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Count everybody again' }).click();
  await page.locator('#s-home-frequency').getByText(`n = ${people}`, { exact: true }).waitFor();
  await page.getByLabel('Your question').fill('What do people say about the water and the kettle?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.locator('.asking q').first().waitFor();
});

check('a small study, and what came since', {}, async (page) => {
  const study = await dashboard.server.launch({ ...kitchen, title: 'Three people' });
  await make(page, '', link); // signs in elsewhere first, so that the empty one is loaded by the app
  await page.goto(address('', linkOf(study)));
  await page.getByText('There is something to analyse as soon as').waitFor();
  for (const text of ['The price.', 'The smell of fresh bread.', 'Whether it is open.']) await answer(study, text);
  await page.reload();
  await page.getByRole('button', { name: 'Make the report' }).click();
  await page.locator('.report').waitFor();
  await page.locator('.question').first().getByText('base under 30').first().waitFor();
  await answer(study, 'One more thing.');
  await page.reload();
  await page.getByText('1 new response since').waitFor();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('n = 4', { exact: true }).first().waitFor();
  await page.getByText('Up to date').waitFor();
});

for (const size of ['phone', 'desktop']) {
  check(`axe and widths, ${size}`, { size, expected: [/status of (404|409|500)/] }, async (page) => {
    const auditor = new Auditor(page);
    const audit = async () => {
      await page.waitForFunction(() => !document.querySelector('.skeleton'));
      await auditor.audit(page, true);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wider <= 0, `${page.url()} is ${wider} px too wide`);
    };
    const empty = await dashboard.server.launch({ ...kitchen, title: `Nobody yet, ${size}` });
    await page.goto(address('', linkOf(empty)));
    await page.getByText('No responses yet').waitFor();
    await audit();
    await make(page);
    const question = page.locator('#s-cleaning-story');
    await question.getByText('All tables of this question').click();
    await question.getByText('Notes').click();
    await question.getByRole('button', { name: /^Split/ }).first().click();
    await question.getByRole('checkbox').nth(0).check();
    await question.getByRole('checkbox').nth(1).check();
    await page.locator('#s-home-frequency').getByRole('button', { name: 'Table' }).click();
    await audit();
    for (const width of size === 'phone' ? [360] : [700, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `the page is wider than ${width} px`);
    }
    await page.route('**/report*', (route) => (route.request().method() === 'GET' ? route.fulfill({ json: { state: 'failed', reportId: null, asOf: null, newResponses: 0, themesChanged: false, lastFailed: false, usesModel: false, underway: null, report: null } }) : route.continue()));
    await page.goto(address());
    await page.getByText('The report could not be made').waitFor();
    await audit();
    await page.unroute('**/report*');
    await page.route('**/report*', (route) => route.fulfill({ json: { state: 'none', reportId: null, asOf: null, newResponses: 0, themesChanged: false, lastFailed: false, usesModel: false, underway: { same: true, step: 'reading', percent: 31 }, report: null } }));
    await page.goto(address());
    await page.getByText('reading the responses').waitFor();
    await audit();
  });
}
