// The editor of guides, the launch and new studies in a real browser, on the real server.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Auditor, launch, openContext } from './browser.mjs';
import { payloads } from './dashboard_payloads.mjs';
import { DashboardServer } from './dashboard_visitor.mjs';

const dashboard = await DashboardServer.begin();
const browser = await launch();
after(async () => {
  await browser.close();
  await dashboard.end();
});

const unauthorized = /status of 401/;
const favicon = /favicon/;

// visit runs a test with a page that is signed in. Errors on the console fail it, except those that match an entry of expected.
async function visit({ expected = [], ...options }, run) {
  const { context, errors } = await openContext(browser, dashboard.origin, { scripts: true, ...options });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await dashboard.signIn(page);
    await run(page, context);
    assert.deepEqual(errors.filter((error) => ![favicon, unauthorized, ...expected].some((pattern) => pattern.test(error))), []);
  } catch (error) {
    for (const page of context.pages()) console.error(`${page.url()} shows\n${await page.locator('body').innerText({ timeout: 1000 }).catch(String)}`);
    throw error;
  } finally {
    await context.close();
  }
}

const check = (name, options, run) => test(name, { timeout: 300_000 }, () => visit(options, run));

const saved = (page) => page.locator('.saved', { hasText: /^Saved$/ }).waitFor();
const linkOf = (page) => new URL(page.url()).pathname.split('/')[2];
const draft = async (page, link = linkOf(page)) => (await (await page.request.get(`${dashboard.origin}/api/dashboard/studies/${link}/draft`)).json()).guide;

// create makes a study of a guide, and opens its editor.
async function create(page, guide) {
  const me = await (await page.request.get(`${dashboard.origin}/api/dashboard/session`)).json();
  const reply = await page.request.post(`${dashboard.origin}/api/dashboard/organizations/${me.organizations[0].id}/studies`, { data: { from: 'guide', guide } });
  assert.equal(reply.status(), 201, await reply.text());
  const { study } = await reply.json();
  await page.goto(`${dashboard.origin}/p/${study.linkId}/edit`);
  await saved(page);
  return study.linkId;
}

const open = (page) => page.locator('.item.open');
const adding = (page, block, what) => page.getByRole('group', { name: `Add to ${block}` }).getByRole('button', { name: what, exact: true }).click();
// list types lines into options or rows; Enter makes room for the next one.
async function list(page, name, lines) {
  const rows = open(page).getByRole('group', { name, exact: true });
  const before = await rows.getByRole('textbox').count();
  for (const [i, line] of lines.entries()) {
    if (i >= before) await rows.getByRole('textbox').nth(i - 1).press('Enter');
    await rows.getByRole('textbox').nth(i).fill(line);
  }
}

// named returns a guide with the ids that were made replaced by their order, so that guides can be compared.
function named(guide) {
  const ids = new Map();
  const collect = (value) => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (value && typeof value === 'object') {
      if (value.externalId) ids.set(value.externalId, `id${ids.size + 1}`);
      for (const name of Object.keys(value).sort()) collect(value[name]);
    }
  };
  collect(guide);
  return JSON.parse(JSON.stringify(guide), (_, value) => (typeof value === 'string' ? (ids.get(value) ?? value) : value));
}

const items = (guide) => guide.studyGuide.flatMap((block) => block.items);

check('a guide with every type of item, built by clicks, is the one that was meant', {}, async (page) => {
  await page.getByRole('button', { name: 'New study' }).first().click();
  await page.getByRole('button', { name: /^Blank One/ }).click();
  await page.getByRole('group', { name: 'Study settings' }).waitFor();
  const settings = open(page);
  await settings.getByLabel('Title', { exact: true }).fill('Coffee at home');
  await settings.getByLabel('What do you want to find out?').fill('How mornings go.');
  await settings.getByLabel('Interview by').selectOption('audio_text');
  await settings.getByLabel('Language of the guide').selectOption('de');
  await settings.getByLabel('Computers').check();
  await settings.getByLabel('Welcome: title').fill('Hello');
  await settings.getByLabel('Closing message').fill('Thank you.');
  await settings.getByLabel('Further settings of Verbatim, as JSON').fill('{"model": {"sendScreening": true}}');
  await page.getByRole('button', { name: 'Screening', exact: true }).click();
  await page.getByRole('region', { name: 'Screening' }).getByLabel('Title of the block').fill('Who');
  await page.getByRole('region', { name: 'Who' }).locator('.toggle').click();
  await open(page).getByLabel('Question', { exact: true }).fill('How often?');
  await list(page, 'Options', ['Daily', 'Never']);
  await open(page).getByLabel('What choosing Daily does').selectOption('approve');
  await open(page).getByLabel('What choosing Never does').selectOption('reject');

  const main = page.locator('.block').nth(1);
  await main.getByLabel('Title of the block').fill('Habits');
  await main.locator('.toggle').click();
  await open(page).getByLabel('Question', { exact: true }).fill('Tell us about your morning.');
  await open(page).getByLabel('Follow-ups', { exact: true }).selectOption('heavy');
  await open(page).getByLabel('Instructions for follow-ups').fill('Small things.');
  await open(page).getByLabel('Invite to answer by').selectOption('screenRecording');
  await open(page).getByLabel('The moderator may look').check();

  await adding(page, 'Habits', 'Multiple choice');
  await open(page).getByLabel('Question', { exact: true }).fill('Where?');
  const rows = open(page).getByRole('group', { name: 'Options', exact: true });
  await rows.getByRole('textbox').first().focus();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', '• At home\n• At work\n• Nowhere');
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await open(page).getByLabel('Excludes others').check();
  await open(page).getByLabel('“Other” with a text').check();
  await open(page).getByLabel('Random order').check();
  await open(page).getByLabel('Last option stays last').check();
  await open(page).getByLabel('At least').fill('1');
  await open(page).getByLabel('At most').fill('2');

  await adding(page, 'Habits', 'Ranking');
  await open(page).getByLabel('Question', { exact: true }).fill('Order them.');
  await open(page).getByLabel('Options come from').selectOption({ label: 'what was chosen in Q3 Where?' });

  await adding(page, 'Habits', 'Matrix');
  await open(page).getByLabel('Question', { exact: true }).fill('How good?');
  await list(page, 'Rows', ['Taste', 'Price']);
  await list(page, 'Columns', ['Bad', 'Fair', 'Good']);

  await adding(page, 'Habits', 'Single choice');
  await open(page).getByLabel('Question', { exact: true }).fill('Again?');
  await list(page, 'Options', ['Yes', 'No']);
  await open(page).getByRole('button', { name: 'Add a condition' }).click();
  await open(page).getByLabel('Condition 1: about').selectOption({ label: 'Q5 How good?' });
  await open(page).getByLabel('Row', { exact: true }).selectOption('Price');
  await open(page).getByLabel('Chosen or not').selectOption('mustNotSelect');
  await open(page).locator('.logic summary').click();
  await open(page).getByRole('checkbox', { name: 'Fair' }).check();
  await open(page).getByRole('button', { name: 'Add another' }).click();
  await open(page).getByLabel('Condition 2: about').selectOption({ label: 'a link parameter' });
  await open(page).getByLabel('parameter', { exact: true }).fill('source');
  await open(page).getByLabel('value', { exact: true }).fill('mail');
  await open(page).getByLabel('How many must hold').selectOption('or');

  await adding(page, 'Habits', 'MaxDiff');
  await open(page).getByLabel('Question', { exact: true }).fill('What matters?');
  await list(page, 'Options', ['A', 'B', 'C', 'D', 'E']);
  await open(page).getByLabel('What is judged').fill('importance');
  await open(page).getByLabel('Options on a screen').selectOption('3');
  await open(page).getByText('5 screens for 5 options.').waitFor();

  await adding(page, 'Habits', 'Statement');
  await open(page).getByLabel('Text', { exact: true }).fill('Now look at this.');
  await open(page).getByLabel('Text of the button').fill('Go on');
  await open(page).getByText('Media and more').click();
  await open(page).getByRole('button', { name: 'Add an image or film' }).click();
  await open(page).getByLabel('Kind').selectOption('video');
  await open(page).getByLabel('Address', { exact: true }).fill('https://example.org/film.mp4');
  await open(page).getByLabel('What it shows').fill('A film');
  await open(page).getByLabel('Width in %').fill('80');
  await open(page).getByLabel('Must be watched').check();

  await adding(page, 'Habits', 'File upload');
  await open(page).getByLabel('Question', { exact: true }).fill('Show us your kitchen.');

  await page.getByRole('button', { name: 'Concept block' }).click();
  const ideas = page.locator('.block').nth(2);
  await ideas.getByLabel('Title of the block').fill('Ideas');
  await ideas.locator('.concept .toggle').click();
  await open(page).getByLabel('Short name').fill('One');
  await open(page).getByLabel('Title', { exact: true }).fill('A tin');
  await open(page).getByLabel('Description').fill('Of steel.');
  await open(page).getByRole('button', { name: 'Add a page to show' }).click();
  await open(page).getByRole('textbox', { name: 'Address of the page' }).fill('https://example.org/tin');
  await ideas.getByRole('button', { name: 'Concept', exact: true }).click();
  await open(page).getByLabel('Short name').fill('Two');
  await open(page).getByLabel('Title', { exact: true }).fill('A box');
  await ideas.getByLabel('Concepts for each participant').fill('1');
  await ideas.locator('.items').last().locator('.toggle').click();
  await open(page).getByLabel('Question', { exact: true }).fill('What is it?');
  await page.getByText('No problems. The study can be launched.').waitFor();
  await saved(page);

  const option = (externalId, text, more) => ({ text, externalId, ...more });
  assert.deepEqual(named(await draft(page)), named({
    title: 'Coffee at home', studyGoal: 'How mornings go.', config: { interviewMode: 'audio_text', questionLanguage: 'de', targetPlatforms: ['desktop'], verbatim: { model: { sendScreening: true } } },
    welcomeMessage: { title: 'Hello' }, closingMessage: 'Thank you.',
    studyGuide: [
      { type: 'screening', title: 'Who', externalId: 'b1', items: [{ type: 'multiple_choice', text: 'How often?', externalId: 'often', options: [option('d', 'Daily', { status: 'approve' }), option('n', 'Never', { status: 'reject' })] }] },
      {
        type: 'flat', title: 'Habits', externalId: 'b2', items: [
          { type: 'open_ended', text: 'Tell us about your morning.', externalId: 'morning', followUp: 'heavy', addInstructions: 'Small things.', preferredInput: 'screenRecording', screenObservationEnabled: true },
          {
            type: 'multiple_choice', text: 'Where?', externalId: 'where', options: [option('h', 'At home'), option('w', 'At work'), option('no', 'Nowhere', { exclusiveOption: true })],
            multiSelect: true, minSelect: 1, maxSelect: 2, allowCustomOption: true, randomizeOptionOrder: true, pinnedFinalOption: true,
          },
          { type: 'ranking', text: 'Order them.', externalId: 'order', carryForwardFrom: 'where' },
          { type: 'matrix', text: 'How good?', externalId: 'good', options: [option('bad', 'Bad'), option('fair', 'Fair'), option('g', 'Good')], rows: [{ text: 'Taste' }, { text: 'Price' }] },
          {
            type: 'multiple_choice', text: 'Again?', externalId: 'again', options: [option('y', 'Yes'), option('o', 'No')],
            conditional: {
              operator: 'or',
              criteria: [{ type: 'selectedTemplateOptions', questionId: 'good', matrixRow: 'Price', matchingCriteria: 'mustNotSelect', choices: ['bad', 'fair'] }, { type: 'searchParam', parameter: 'source', value: 'mail' }],
            },
          },
          { type: 'max_diff', text: 'What matters?', externalId: 'matters', metric: 'importance', itemsPerScreen: 3, options: ['A', 'B', 'C', 'D', 'E'].map((text) => option(`m${text}`, text)) },
          { type: 'statement', text: 'Now look at this.', externalId: 'look', continueButtonText: 'Go on', media: [{ name: 'A film', url: 'https://example.org/film.mp4', type: 'video', widthPercentage: 80, forceWatching: true }] },
          { type: 'file_upload', text: 'Show us your kitchen.', externalId: 'kitchen' },
        ],
      },
      {
        type: 'concept', title: 'Ideas', externalId: 'b3',
        conceptSamplingConfig: { concepts: [{ nickname: 'One', externalId: 'c1', content: { title: 'A tin', description: 'Of steel.', embed: { url: 'https://example.org/tin' } } }, { nickname: 'Two', externalId: 'c2', content: { title: 'A box' } }], subsampleCount: 1 },
        items: [{ type: 'open_ended', text: 'What is it?', externalId: 'what' }],
      },
    ],
  }));
});

const short = (title) => ({
  title, studyGoal: 'To see.', studyGuide: [{
    type: 'flat', title: 'Habits', externalId: 'habits', items: [
      { type: 'open_ended', text: 'First?', externalId: 'first', followUp: 'none' },
      { type: 'multiple_choice', text: 'Second?', externalId: 'second', options: [{ text: 'Yes', externalId: 'yes' }, { text: 'No', externalId: 'no' }] },
      { type: 'open_ended', text: 'Third?', externalId: 'third', conditional: { operator: 'and', criteria: [{ type: 'selectedTemplateOptions', questionId: 'second', matchingCriteria: 'mustSelect', choices: ['yes'] }] } },
    ],
  }],
});
const toggle = (page, text) => page.locator('.toggle', { hasText: text }).click();
const question = (page) => open(page).getByLabel('Question', { exact: true });

check('a reload in the middle of typing loses nothing, and undo goes on', {}, async (page, context) => {
  // Refused in the page itself: a page that ends still sends what was typed, past the routes of the browser's driver.
  await page.addInitScript(() => {
    const send = window.fetch;
    window.fetch = (request, options) => (sessionStorage.getItem('test.refuse') && request.method === 'PUT' ? Promise.reject(new TypeError('refused by the test')) : send(request, options));
  });
  const refuse = (yes) => page.evaluate((value) => sessionStorage.setItem('test.refuse', value), yes ? 'yes' : '');
  const link = await create(page, short('Reloaded'));
  await refuse(true); // nothing is saved before the reload
  await toggle(page, 'First?');
  await question(page).fill('First, and more?');
  await page.reload();
  await page.locator('.saved', { hasNotText: /^Saved$/ }).waitFor();
  assert.equal(await question(page).inputValue(), 'First, and more?');
  await refuse(false);
  await page.reload();
  await saved(page);
  assert.equal(items(await draft(page))[0].text, 'First, and more?');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await saved(page);
  await page.waitForFunction(() => document.querySelector('.item.open textarea').value === 'First?');
  await page.keyboard.press('Control+Shift+z');
  await page.waitForFunction(() => document.querySelector('.item.open textarea').value === 'First, and more?');
  // a tab that was closed has left what it could not save
  await refuse(true);
  await question(page).fill('Left behind?');
  await page.close();
  const next = await context.newPage();
  await next.goto(`${dashboard.origin}/p/${link}/edit#first`);
  await saved(next);
  assert.equal(await question(next).inputValue(), 'Left behind?');
});

check('two people edit at once: nothing is lost', { expected: [/status of 412/] }, async (page) => {
  const link = await create(page, short('Race'));
  await visit({ expected: [/status of 412/] }, async (other) => {
    await other.goto(`${dashboard.origin}/p/${link}/edit`);
    await saved(other);
    // different parts, at the same time
    await Promise.all([toggle(page, 'First?'), toggle(other, 'Second?')]);
    await Promise.all([question(page).fill('First, by Ada?'), question(other).fill('Second, by Ben?')]);
    await page.locator('.outline').getByRole('button', { name: /Third/ }).press('Alt+ArrowUp');
    await Promise.all([saved(page), saved(other)]);
    await other.evaluate(() => dispatchEvent(new Event('focus')));
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    for (const each of [page, other]) {
      await each.locator('.toggle .words, .item.open textarea').first().waitFor();
      await each.waitForFunction(() => { const outline = document.querySelector('.outline').textContent; return outline.includes('by Ada') && outline.includes('by Ben') && outline.indexOf('Third') < outline.indexOf('Second'); });
    }
    assert.deepEqual(items(await draft(page, link)).map(({ text }) => text), ['First, by Ada?', 'Third?', 'Second, by Ben?']);
    // the same field
    await toggle(other, 'First, by Ada?');
    await question(other).fill('First, by Ben?');
    await saved(other);
    await question(page).fill('First, by Ada again?');
    const region = page.getByRole('region', { name: 'You and somebody else changed the same' });
    await region.waitFor();
    assert.equal(await question(page).inputValue(), 'First, by Ben?', 'theirs until a person decides');
    await page.reload();
    await region.getByText('First, by Ada again?').waitFor();
    await region.getByRole('button', { name: 'Take yours' }).click();
    await region.waitFor({ state: 'detached' });
    await saved(page);
    assert.equal(items(await draft(page, link))[0].text, 'First, by Ada again?');
    // one removes what the other changes
    await Promise.all([other.evaluate(() => dispatchEvent(new Event('focus'))), toggle(page, 'Third?')]);
    await other.locator('.outline', { hasText: 'Ada again' }).waitFor();
    await toggle(other, 'Third?');
    await open(other).getByRole('button', { name: 'Remove', exact: true }).click();
    await saved(other);
    await question(page).fill('Third, still wanted?');
    await region.getByRole('button', { name: 'Bring yours back' }).click();
    await saved(page);
    assert.deepEqual(items(await draft(page, link)).map(({ text }) => text), ['First, by Ada again?', 'Third, still wanted?', 'Second, by Ben?']);
  });
});

check('a lost network is said, and everything is saved once it is back', { expected: [/ERR_INTERNET_DISCONNECTED|Failed to load/] }, async (page, context) => {
  await create(page, short('Offline'));
  await toggle(page, 'First?');
  await context.setOffline(true);
  await question(page).fill('Written on a train?');
  await page.getByText('No connection. Your changes are kept in this browser.').waitFor();
  await question(page).fill('Written on a long train?');
  await context.setOffline(false);
  await saved(page);
  assert.equal(items(await draft(page))[0].text, 'Written on a long train?');
});

check('from a template to the copied link in five clicks', {}, async (page, context) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: dashboard.origin });
  let clicks = 0;
  const click = async (locator) => {
    clicks++;
    await locator.click();
  };
  await click(page.getByRole('button', { name: 'New study' }).first());
  await click(page.getByRole('button', { name: /^Concept test/ }));
  await click(page.getByRole('link', { name: 'Launch' }).last());
  await click(page.getByRole('button', { name: 'Launch', exact: true }));
  await click(page.getByRole('button', { name: 'Copy', exact: true }));
  await page.getByText('Copied.').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /\/s\/[^/]+$/);
  assert.equal((await page.request.get(link)).status(), 200);
  assert.equal(clicks, 5);
  await page.getByRole('img', { name: `QR code of ${link}` }).waitFor();
  await page.getByRole('button', { name: 'Add a parameter' }).click();
  await page.getByLabel('Name of parameter 1').fill('source');
  await page.getByLabel('Value of parameter 1', { exact: true }).fill('{{id}}');
  await page.getByLabel('Test value of parameter 1').fill('a 1');
  assert.equal(await page.getByLabel('Link for participants').last().inputValue(), `${link}?source={{id}}`);
  await page.getByRole('link', { name: `${link}?source=a%201` }).waitFor();
  // changes of a live study are published with what they mean
  await page.getByRole('link', { name: 'Edit' }).click();
  await saved(page);
  await page.locator('.outline').getByRole('button', { name: /annoys/ }).click();
  await question(page).fill('What bothers you most?');
  await page.getByRole('link', { name: 'Participants do not get these changes yet' }).click();
  await page.getByText('What bothers you most?').first().waitFor();
  await page.getByRole('button', { name: 'Publish the changes' }).click();
  await page.getByText('Participants get the newest version of the guide.').waitFor();
  await page.getByRole('button', { name: 'Close the study' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close the study' }).click();
  await page.getByText('The study is closed: the link takes nobody.').waitFor();
});

check('everything by keyboard: outline, options, problems, undo', {}, async (page) => {
  await create(page, short('Keys'));
  const outline = page.locator('.outline');
  await outline.getByRole('button', { name: /First/ }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.waitForFunction(() => document.activeElement?.textContent.includes('First')); // the focus moves along
  await page.keyboard.press('Enter');
  await page.waitForFunction((wanted) => document.activeElement?.value === wanted, 'First?');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.getByText('1 error stands before the launch.').waitFor();
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('F8');
  await page.waitForFunction((wanted) => document.activeElement?.dataset?.field === wanted, 'text');
  await page.keyboard.press('Control+z');
  await page.getByText('No problems. The study can be launched.').waitFor();
  await outline.getByRole('button', { name: /Second/ }).press('Enter');
  await open(page).getByLabel('Options: 2').press('Enter');
  await page.waitForFunction((wanted) => document.activeElement?.dataset?.field === wanted, 'options[2].text');
  await page.keyboard.type('Maybe');
  await page.keyboard.press('Alt+ArrowUp');
  await page.waitForFunction((wanted) => document.activeElement?.dataset?.field === wanted, 'options[1].text');
  await open(page).getByRole('button', { name: 'Remove', exact: true }).press('Enter');
  await page.getByRole('dialog').getByText('Third?: its condition asks about it').waitFor();
  await page.keyboard.press('Escape');
  await saved(page);
  const guide = await draft(page);
  assert.deepEqual(items(guide).map(({ externalId }) => externalId), ['second', 'first', 'third']);
  assert.deepEqual(items(guide)[0].options.map(({ text }) => text), ['Yes', 'Maybe', 'No']);
});

check('history shows what has changed, and restores', {}, async (page) => {
  await create(page, short('Past'));
  await toggle(page, 'First?');
  await question(page).fill('Quite another question?');
  await saved(page);
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const json = page.getByRole('textbox', { name: 'Guide as JSON' });
  await json.fill('{ "title": "x",\n "studyGuide": [ }');
  await page.getByText('This is no JSON: line 2, column 18.').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await json.fill((await json.inputValue()).replace('Third?', 'Third, by JSON?'));
  await page.getByRole('button', { name: 'Apply' }).click();
  await saved(page);
  assert.equal(items(await draft(page))[2].text, 'Third, by JSON?');
  await page.getByRole('button', { name: 'History' }).click();
  const panel = page.getByRole('region', { name: 'History' });
  await panel.locator('.versions button').last().click();
  await panel.getByText('Quite another question?').last().waitFor();
  await panel.getByRole('button', { name: 'Restore this version' }).click();
  await page.waitForFunction(() => document.querySelector('.outline').textContent.includes('First?'));
  assert.equal(items(await draft(page))[0].text, 'First?');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await saved(page);
  assert.equal(items(await draft(page))[0].text, 'Quite another question?');
});

check('the preview shows an open question in the page of participants, as it is typed', { expected: [/status of 409/] }, async (page) => {
  await create(page, short('Preview'));
  await page.getByRole('button', { name: 'Preview' }).click();
  const frame = page.frameLocator('.preview-frame iframe');
  await page.getByText('Nothing that is answered here is stored.').waitFor();
  await toggle(page, 'Third?');
  await question(page).fill('Third, and previewed?');
  await page.getByRole('button', { name: 'Show this question' }).click();
  await frame.getByText('Third, and previewed?').first().waitFor();
  await question(page).fill('');
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.getByText('The guide has errors').waitFor();
});

for (const size of ['phone', 'desktop']) {
  check(`axe and width on every state of the editor, ${size}`, { size, expected: [/status of (404|409|412|500)/] }, async (page) => {
    const auditor = new Auditor(page);
    const audit = async () => {
      await page.waitForFunction(() => !document.querySelector('.skeleton'));
      await auditor.audit(page, true);
      for (const width of size === 'phone' ? [360, 390] : [1920, 1280, 768]) {
        await page.setViewportSize({ width, height: 844 });
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wider <= 0, `${page.url()} is ${wider} px too wide at ${width}`);
      }
      if (size === 'desktop') await page.setViewportSize({ width: 1280, height: 900 });
    };
    await page.getByRole('button', { name: 'New study' }).first().click();
    await page.getByRole('button', { name: /^Concept test/ }).waitFor();
    await audit();
    await page.getByRole('button', { name: 'Paste' }).click();
    await page.getByLabel('Outline or JSON').fill('{ "title": 1 ');
    await audit();
    await page.getByRole('button', { name: 'Copy of a study' }).click();
    await audit();
    await page.keyboard.press('Escape');
    const guide = { ...short('Axe'), studyGoal: '' };
    const types = ['ranking', 'matrix', 'max_diff', 'statement', 'file_upload'];
    guide.studyGuide[0].items.push(...types.map((type) => ({ type, text: type === 'ranking' ? '' : type, externalId: type, ...(['ranking', 'matrix', 'max_diff'].includes(type) && { options: [{ text: 'a' }, { text: 'b' }] }), ...(type === 'matrix' && { rows: [{ text: 'r' }] }), media: [{ name: 'm', url: 'https://example.org/a.png', type: 'image' }] })));
    guide.studyGuide.unshift({ type: 'screening', title: '', externalId: 'who', items: [{ type: 'multiple_choice', text: 'Who?', externalId: 'whoq', options: [{ text: 'a', status: 'approve' }, { text: 'b', status: 'reject' }] }] });
    guide.studyGuide.push({ type: 'concept', title: 'Ideas', externalId: 'ideas', conceptSamplingConfig: { concepts: [{ nickname: 'One', externalId: 'one', content: { title: 'x' } }] }, items: [{ type: 'open_ended', text: 'What?', externalId: 'what' }] });
    const link = await create(page, guide);
    await audit();
    for (const id of ['whoq', 'first', 'second', 'third', ...types, 'one']) {
      await page.evaluate((name) => document.getElementById(`card-${name}`).querySelector('.toggle').click(), id);
      await page.locator(`[id="card-${id}"].open`).waitFor();
      await audit();
    }
    for (const panel of ['Problems', 'JSON', 'History']) {
      const button = page.getByRole('button', { name: new RegExp(`^${panel}`) });
      if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
      await page.getByRole('region', { name: panel }).waitFor();
      await audit();
      if (size === 'phone') await page.getByRole('region', { name: panel }).getByRole('button', { name: 'Close' }).click();
    }
    await page.goto(`${dashboard.origin}/p/${link}/launch`);
    await page.getByText('Correct the errors first.').waitFor();
    await audit();
    await page.getByRole('link', { name: 'Go there' }).click();
    await page.waitForFunction(() => document.activeElement?.dataset?.field === 'text');
    assert.equal(new URL(page.url()).hash, '#ranking');
  });
}

check('no text of a guide runs as a script', {}, async (page) => {
  const violations = [];
  page.on('dialog', (dialog) => { violations.push(dialog.message()); void dialog.dismiss(); });
  await page.exposeFunction('reportViolation', (text) => violations.push(text));
  await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) => window.reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`)));
  const text = (i) => payloads[i % payloads.length];
  const guide = {
    title: text(0), studyGoal: text(1), background: text(2), welcomeMessage: { title: text(3), message: text(4) }, closingMessage: text(5),
    studyGuide: [
      {
        type: 'flat', title: text(6), externalId: 'b', items: payloads.map((payload, i) => ({
          type: 'multiple_choice', text: payload, externalId: `i${i}`, options: [{ text: text(i + 1), externalId: `o${i}` }, { text: text(i + 2), externalId: text(i) }],
          ...(i > 0 && { conditional: { operator: 'and', criteria: [{ type: 'selectedTemplateOptions', questionId: `i${i - 1}`, matchingCriteria: 'mustSelect', choices: [`o${i - 1}`] }, { type: 'searchParam', parameter: payload, value: payload }] } }),
        })),
      },
      { type: 'concept', title: text(7), externalId: 'c', conceptSamplingConfig: { concepts: [{ nickname: text(8), externalId: 'k', content: { title: text(9), description: text(10) } }] }, items: [{ type: 'open_ended', text: text(11), externalId: 'z' }] },
    ],
  };
  const link = await create(page, guide);
  const intact = async () => {
    assert.equal(await page.evaluate(() => window.stolen), undefined, page.url());
    assert.equal(await page.locator('main').locator('script, object, embed, img, math, template, audio, video').count(), 0, page.url());
  };
  await intact();
  for (const id of ['i0', 'i1', 'i12', 'k']) {
    await page.evaluate((name) => document.getElementById(`card-${name}`).querySelector('.toggle').click(), id);
    await page.locator(`[id="card-${id}"].open`).waitFor();
    await intact();
  }
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await page.getByRole('button', { name: 'History' }).click();
  await page.locator('.versions button').first().waitFor();
  await intact();
  await page.goto(`${dashboard.origin}/p/${link}/launch`);
  await page.locator('.checks').waitFor();
  await intact();
  assert.deepEqual(violations, []);
});
