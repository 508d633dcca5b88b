// Highlights, notes, tags, quotes and corrections of transcripts in a real browser, on the real server.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Auditor, launch, openContext } from './browser.mjs';
import { DashboardServer, kitchen } from './dashboard_visitor.mjs';
import { payloads } from './dashboard_payloads.mjs';

const dashboard = await DashboardServer.begin();
const browser = await launch();
after(async () => {
  await browser.close();
  await dashboard.end();
});

const said = 'I always look at the price 🍏 before anything else.';
const study = await dashboard.study({ ...kitchen, title: 'Marked' }, [[said, ''], ['The smell of fresh bread.', '']]);
const address = (path) => `${dashboard.origin}/p/${study.linkId}${path}`;

const check = (name, options, run) => test(name, { timeout: 240_000 }, async () => {
  const { context, errors } = await openContext(browser, dashboard.origin, { scripts: true, ...options });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.addInitScript(() => {
      window.violations = [];
      document.addEventListener('securitypolicyviolation', (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
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
});

// select selects words of an answer as a pointer does.
const select = (page, words) => page.evaluate((wanted) => {
  const answer = [...document.querySelectorAll('[data-answer]')].find((each) => each.textContent.includes(wanted));
  const walker = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.data.indexOf(wanted);
    if (at < 0) continue;
    const range = new Range();
    range.setStart(node, at);
    range.setEnd(node, at + wanted.length);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }
}, words);

const painted = (page) => page.evaluate(() => [...CSS.highlights].filter(([name]) => name.startsWith('marked-')).flatMap(([name, ranges]) => [...ranges].map((range) => `${name.slice(7)} ${range}`)).sort());
const notes = (page) => page.getByRole('region', { name: 'Highlights and notes' });

check('words are highlighted, tagged and noted by key and by pointer, found among the quotes, and undone', {}, async (page) => {
  await page.goto(address('/responses/1'));
  await page.getByText('Select words of an answer').waitFor();
  await select(page, 'the price 🍏');
  await page.getByRole('toolbar', { name: 'What to do with the selected words' }).waitFor();
  await page.keyboard.press('h');
  await notes(page).getByRole('button', { name: 'Show and play: the price 🍏' }).waitFor();
  await page.waitForFunction(() => [...(CSS.highlights.get('marked-grey') ?? [])].length === 1);
  assert.deepEqual(await painted(page), ['grey the price 🍏']);

  await select(page, 'always look');
  await page.getByRole('toolbar').getByRole('button').nth(1).click();
  const dialog = page.getByRole('dialog', { name: 'Note and tags' });
  await dialog.getByLabel('New tag').fill('#Habit');
  await dialog.getByLabel('Colour').selectOption('violet');
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByRole('checkbox', { name: 'Habit' }).waitFor();
  assert.equal(await dialog.getByRole('checkbox', { name: 'Habit' }).isChecked(), true);
  await dialog.getByLabel('Note', { exact: true }).fill('Says "always".');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.waitForFunction(() => [...(CSS.highlights.get('marked-violet') ?? [])].length === 1);
  assert.deepEqual(await painted(page), ['grey the price 🍏', 'violet always look']);

  await page.getByRole('link', { name: 'Marked' }).click();
  await page.getByRole('link', { name: 'Habit' }).click();
  await page.getByText('1 response', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Quotes' }).click();
  await page.locator('.quote-cards li').nth(1).waitFor();
  await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'Habit' });
  await page.waitForFunction(() => document.querySelectorAll('.quote-cards li').length === 1);
  assert.equal(await page.locator('blockquote').innerText(), 'always look');
  await page.reload();
  await page.locator('blockquote').waitFor();
  assert.equal(await page.locator('blockquote').innerText(), 'always look', 'the filter stands in the address');
  await page.getByRole('link', { name: 'Response 1' }).click();
  await notes(page).getByRole('button', { name: 'Remove the note or highlight: always look' }).click();
  await page.getByText('Removed.').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await notes(page).getByText('Says "always".').waitFor();
});

check('single letters do nothing once they are turned off', {}, async (page) => {
  await page.goto(address('/responses/2'));
  await notes(page).waitFor();
  await page.keyboard.press('?');
  await page.getByLabel('Single letters are shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await page.getByText('Select words of an answer').waitFor();
  await select(page, 'fresh bread');
  await page.getByRole('toolbar').waitFor();
  await page.keyboard.press('h');
  await page.getByRole('toolbar').getByRole('button').first().click();
  await notes(page).getByRole('button', { name: 'Show and play: fresh bread' }).waitFor();
  assert.equal(await notes(page).getByRole('listitem').count(), 1, 'the button alone has highlighted');
});

// spoken lets the page have a response whose answer was spoken, until the correction arrives.
async function spoken(page) {
  const recognized = said.replace('look', 'luke').replace('🍏 ', '');
  const words = recognized.split(' ').map((word, i) => { const from = recognized.split(' ').slice(0, i).join(' ').length + (i ? 1 : 0); return [i, i + 0.8, from, from + word.length, 0.9]; });
  let answer = recognized;
  await page.route(new RegExp(`/api/dashboard/studies/${study.linkId}/responses/1(\\?|$)`), async (route) => {
    const reply = await route.fetch();
    const response = await reply.json();
    const recording = { kind: 'audio', state: 'ready', failure: '', durationSeconds: 9, mediaType: 'audio/wav', url: null, stream: null, poster: null, waveform: null,
      transcript: { text: recognized, isAnswer: answer === recognized, words, answerWords: answer === recognized ? [] : words } };
    response.rows = response.rows.map((row) => (row.answer === '' ? row : { ...row, answer, spoken: true, recordings: [recording],
      correction: answer === recognized ? null : { before: recognized, userName: 'Ada', at: '2026-03-02T11:00:00.000000Z' } }));
    response.outdated = answer !== recognized;
    await route.fulfill({ response: reply, json: response });
  });
  await page.route('**/rows/*/correction', async (route) => {
    answer = route.request().method() === 'PUT' ? route.request().postDataJSON().words : recognized;
    await route.fulfill({ status: 204, body: '' });
  });
  return recognized;
}

check('a transcript is corrected, the transcript stays, and the correction is undone', {}, async (page) => {
  const recognized = await spoken(page);
  await page.goto(address('/responses/1'));
  await page.getByRole('button', { name: /^Correct the transcript of/ }).click();
  const field = page.getByLabel('The words of the answer');
  assert.equal(await field.inputValue(), recognized);
  await field.fill(said);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Corrected by Ada').waitFor();
  assert.deepEqual(await page.locator('.passage').allInnerTexts(), [said, recognized]);
  await page.getByText('Answers were corrected since this was written.').waitFor();
  await page.getByRole('button', { name: 'Undo the correction' }).click();
  await page.getByText('The answer has the words from before the correction.').waitFor();
  assert.deepEqual(await page.locator('.passage').allInnerTexts(), [recognized]);
});

for (const size of ['phone', 'desktop']) {
  check(`axe on every state, ${size}`, { size, expected: [/status of 500/] }, async (page) => {
    const auditor = new Auditor(page);
    const audit = async (name) => {
      await page.waitForFunction(() => !document.querySelector('.skeleton'));
      await auditor.audit(page, true);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wider <= 0, `${page.url()} is ${wider} px too wide`);
      for (const theme of process.env.REVIEW_PICTURES ? ['light', 'dark'] : []) {
        await page.evaluate((wanted) => { document.documentElement.dataset.theme = wanted; }, theme);
        await page.screenshot({ path: `${process.env.REVIEW_PICTURES}/${name}-${size}-${theme}.png` });
      }
    };
    await page.goto(address('/quotes?tag=00000000-0000-7000-8000-000000000000'));
    await page.getByText('No quote fits the filter').waitFor();
    await audit('quotes-none');
    await page.goto(address('/quotes'));
    await page.locator('.quote-cards, .empty').first().waitFor();
    await audit('quotes');
    await page.getByRole('button', { name: 'Tags of the study' }).click();
    await page.getByRole('dialog', { name: 'Tags of the study' }).waitFor();
    await audit('tags');
    await page.keyboard.press('Escape');
    await spoken(page);
    await page.goto(address('/responses/1'));
    await notes(page).waitFor();
    await select(page, 'anything');
    await page.getByRole('toolbar').waitFor();
    await audit('marking');
    await page.getByRole('toolbar').getByRole('button').nth(2).click();
    await page.getByRole('dialog', { name: 'Note and tags' }).waitFor();
    await audit('note');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Correct the transcript of/ }).click();
    await audit('correcting');
    await page.route('**/api/dashboard/**/quotes', (route) => route.fulfill({ status: 500, json: { error: 'Broken.', code: 'internal_error' }, headers: { 'X-Request-Id': 'r-1' } }));
    await page.goto(address('/quotes'));
    await page.getByText('r-1').waitFor();
    await audit('quotes-failed');
  });
}

check('no note, tag or quote runs as a script', {}, async (page, context) => {
  const post = async (path, data) => {
    const reply = await context.request.post(`${dashboard.origin}/api/dashboard/studies/${study.linkId}${path}`, { data });
    assert.ok(reply.ok(), `${path} ${JSON.stringify(data)} ${await reply.text()}`);
    return reply.json();
  };
  for (const payload of payloads) {
    const { id } = await post('/tags', { name: payload.slice(0, 60), colour: 'blue' });
    await post('/responses/2/annotations', { note: payload, tags: [id] });
    await post('/responses/2/annotations', { row: 1, from: 0, to: 3, words: 'The', note: payload, tags: [id] });
  }
  for (const path of ['', '/responses/2', '/quotes', `/quotes?tag=${encodeURIComponent(payloads[0])}&theme=${encodeURIComponent(payloads[1])}&number=${encodeURIComponent(payloads[2])}`]) {
    await page.goto(address(path));
    await page.locator('h1').first().waitFor();
    await page.waitForFunction(() => !document.querySelector('.skeleton'));
    assert.equal(await page.evaluate(() => window.stolen), undefined, path);
    assert.equal(await page.locator('main').locator('script, iframe, object, embed, img, math, template, audio').count(), 0, path);
  }
});
