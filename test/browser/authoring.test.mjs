// Files, translations, folders, the trash, dragging and presence in a real browser, on the real server.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { Auditor, launch, openContext } from './browser.mjs';
import { DashboardServer } from './dashboard_visitor.mjs';

const dashboard = await DashboardServer.begin();
const browser = await launch();
after(async () => {
  await browser.close();
  await dashboard.end();
});

// visit runs a test with a page that is signed in. Errors on the console fail it, except those that match an entry of expected.
async function visit({ expected = [], ...options }, run) {
  const { context, errors } = await openContext(browser, dashboard.origin, { scripts: true, ...options });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await dashboard.signIn(page);
    await run(page, context);
    assert.deepEqual(errors.filter((error) => ![/favicon/, /status of 401/, ...expected].some((pattern) => pattern.test(error))), []);
  } catch (error) {
    for (const page of context.pages()) console.error(`${page.url()} shows\n${await page.locator('body').innerText({ timeout: 1000 }).catch(String)}`);
    throw error;
  } finally {
    await context.close();
  }
}

const check = (name, options, run) => test(name, { timeout: 400_000 }, () => visit(options, run));

// look runs axe, and keeps pictures where a folder for them is named.
async function look(page, name) {
  await new Auditor(page).audit(page, true);
  if (!process.env.PICTURES) return;
  const before = page.viewportSize();
  for (const [size, viewport] of [['desktop', { width: 1280, height: 900 }], ['phone', { width: 390, height: 844 }]]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${process.env.PICTURES}/${name}-${size}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(before);
}

const saved = (page) => page.locator('.saved', { hasText: /^Saved$/ }).waitFor();
const draft = async (page, link) => (await (await page.request.get(`${dashboard.origin}/api/dashboard/studies/${link}/draft`)).json()).guide;

const organization = async (page) => (await (await page.request.get(`${dashboard.origin}/api/dashboard/session`)).json()).organizations[0].id;

async function make(page, guide) {
  const reply = await page.request.post(`${dashboard.origin}/api/dashboard/organizations/${await organization(page)}/studies`, { data: { from: 'guide', guide } });
  assert.equal(reply.status(), 201, await reply.text());
  return (await reply.json()).study.linkId;
}

const fruit = (title, config = {}) => ({
  title, studyGoal: 'Fruit.', config,
  studyGuide: [{ type: 'flat', title: 'Fruit', externalId: 'block', items: [
    { type: 'open_ended', externalId: 'why', text: 'Why do you eat it, {name}?', followUp: 'none' },
    { type: 'multiple_choice', externalId: 'which', text: 'Which fruit?', options: [{ externalId: 'a', text: 'Apples' }, { externalId: 'p', text: 'Pears' }] },
    { type: 'statement', externalId: 'end', text: 'Thank you.' },
  ] }],
});

// crc32 returns the checksum of a part of a PNG file.
function crc32(data) {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

// png returns a picture of one colour.
function png(width, height) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const part = Buffer.alloc(body.length + 8);
    part.writeUInt32BE(data.length, 0);
    body.copy(part, 4);
    part.writeUInt32BE(crc32(body), body.length + 4);
    return part;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc((3 * width + 1) * height, 120);
  for (let y = 0; y < height; y++) rows[y * (3 * width + 1)] = 0;
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

// hand gives a file to the fieldset of media, as dropping or pasting does.
const hand = (page, event, name, content) => page.locator('.item.open .media').evaluate((target, [kind, file, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], file, { type: 'image/png' }));
  target.dispatchEvent(kind === 'drop' ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }) : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}, [event, name, content.toString('base64')]);

check('pictures are chosen, dropped and pasted, described, and served; a page in the clothes of a picture is refused', {}, async (page) => {
  const link = await make(page, fruit('Pictures'));
  await page.goto(`${dashboard.origin}/p/${link}/edit#why`);
  await saved(page);
  const open = page.locator('.item.open');
  await open.getByText('Media and more').click();
  await open.locator('.media input[type=file]').first().setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png(2400, 60) });
  await open.locator('.thumbnail').first().waitFor();
  const shows = open.getByLabel('What it shows');
  await open.locator('.card-problems li.wrong').first().waitFor(); // until it is described
  await shows.first().fill('A red apple');
  await hand(page, 'drop', 'b.png', png(30, 20));
  await shows.nth(1).waitFor();
  await hand(page, 'paste', 'c.png', png(20, 30));
  await shows.nth(2).waitFor();
  await shows.nth(1).fill('A pear');
  await open.getByLabel('It only decorates').nth(2).check();
  await saved(page);
  await open.locator('.card-problems li.wrong').first().waitFor({ state: 'detached' });
  await hand(page, 'drop', 'evil.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'));
  await open.getByText('SVG images can contain programs').waitFor();
  await look(page, 'media');
  await open.getByRole('button', { name: 'Dismiss evil.png' }).click();
  const { studyGuide, config } = await draft(page, link);
  const media = studyGuide[0].items[0].media;
  assert.deepEqual(media.map(({ name, type }) => [name, type]), [['A red apple', 'image'], ['A pear', 'image'], ['Decoration', 'image']]);
  assert.deepEqual(config.verbatim.decorativeMedia, [media[2].url]);
  const served = await fetch(media[0].url);
  assert.deepEqual([served.status, served.headers.get('content-type'), served.headers.get('x-content-type-options')], [200, 'image/png', 'nosniff']);
  assert.equal(Buffer.from(await served.arrayBuffer()).readUInt32BE(16), 1920);
  await open.getByText('Files uploaded before').click();
  await open.getByText('There are no others.').waitFor();
});

check('an upload goes on after the network was lost, and can be cancelled', { expected: [/ERR_FAILED|Failed to load/] }, async (page) => {
  const link = await make(page, fruit('Films'));
  await page.goto(`${dashboard.origin}/p/${link}/edit#why`);
  await saved(page);
  const open = page.locator('.item.open');
  await open.getByText('Media and more').click();
  let cut = 1;
  await page.route('**/media/*', (route) => (route.request().method() === 'PATCH' && cut-- > 0 ? route.abort() : route.continue()));
  await open.locator('.media input[type=file]').first().setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png(900, 700) });
  await open.locator('.thumbnail').first().waitFor();
  await page.route('**/media/*', (route) => (route.request().method() === 'PATCH' ? undefined : route.continue())); // never answered
  await hand(page, 'drop', 'b.png', png(30, 20));
  await open.getByRole('button', { name: 'Cancel the upload of b.png' }).click();
  await open.locator('.uploads li').waitFor({ state: 'detached' });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

check('texts are translated in the grid, checked, approved, and exchanged as CSV', {}, async (page) => {
  const link = await make(page, fruit('Translated', { questionLanguage: 'en', availableLanguages: ['de', 'fr'] }));
  await page.goto(`${dashboard.origin}/p/${link}/edit`);
  await page.getByRole('link', { name: 'Translations' }).first().click();
  const cell = (text) => page.getByRole('textbox', { name: `German: ${text}` });
  await cell('Why do you eat it').fill('Warum essen Sie es?');
  await cell('Which fruit?').focus();
  await page.getByText(/Not stored: placeholders/).waitFor();
  await look(page, 'translations');
  await cell('Why do you eat it').fill('Warum essen Sie es, {name}?');
  for (const [text, german] of [['Translated', 'Übersetzt'], ['Which fruit?', 'Welches Obst?'], ['Apples', 'Äpfel'], ['Pears', 'Birnen']]) await cell(text).fill(german);
  await cell('Thank you.').focus();
  const [file] = await Promise.all([page.waitForEvent('download'), (async () => {
    await page.getByText('1 missing').first().waitFor();
    await page.getByRole('button', { name: 'Save as CSV' }).click();
  })()]);
  const csv = await readFile(await file.path(), 'utf8');
  assert.match(csv, /item\/which\/option\/a,option,Which fruit\?,Apples,Äpfel,/);
  const done = csv.replace(/(item\/end\/text,statement,,Thank you\.),,/, '$1,Danke.,').replace('Pears,Birnen', 'Bears,Bären');
  await page.locator('input[accept*=csv]').setInputFiles({ name: 'de.csv', mimeType: 'text/csv', buffer: Buffer.from(done) });
  await page.getByText(/the text of item\/which\/option\/p has changed since/).waitFor();
  await page.getByRole('button', { name: 'Approve all texts in German' }).click();
  await page.getByText('Participants can choose it').waitFor();
  await page.getByLabel('Show', { exact: true }).selectOption('missing');
  await page.getByRole('textbox', { name: 'French: Thank you.' }).waitFor();
  await page.getByRole('checkbox', { name: 'German' }).uncheck();
  await cell('Which fruit?').waitFor({ state: 'detached' });
});

check('studies go into folders and the trash, and come back', {}, async (page) => {
  const evil = '<img src=x onerror=alert(1)>';
  for (const title of ['Sorted', 'Thrown away']) await make(page, fruit(title));
  await page.goto(`${dashboard.origin}/o/${await organization(page)}/studies`);
  await page.getByRole('button', { name: 'Folders' }).click();
  const dialog = page.getByRole('dialog', { name: 'Folders' });
  for (const name of ['Food', evil]) {
    await dialog.getByLabel('New folder').fill(name);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText(name, { exact: true }).waitFor();
  }
  await dialog.getByRole('button', { name: 'Rename Food' }).click();
  await dialog.getByLabel('Rename Food').fill('Drinks');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Drinks', { exact: true }).waitFor();
  await look(page, 'folders');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('checkbox', { name: 'Choose Sorted' }).check();
  await look(page, 'studies');
  await page.getByLabel('Move to…').selectOption({ label: 'Drinks' });
  await page.getByText('1 study is in Drinks now.').waitFor();
  await page.getByLabel('Folder', { exact: true }).selectOption({ label: 'Drinks (1)' });
  await page.getByRole('link', { name: 'Thrown away' }).waitFor({ state: 'detached' });
  assert.match(decodeURIComponent(page.url()), /folder=\["Drinks"\]/);
  await page.reload();
  await page.getByRole('link', { name: 'Sorted' }).waitFor();
  await page.getByLabel('Folder', { exact: true }).selectOption('');
  await page.getByRole('checkbox', { name: 'Choose Thrown away' }).check();
  await page.getByRole('button', { name: 'Move to trash' }).click();
  await page.getByText('1 study is in the trash.').waitFor();
  await page.getByRole('link', { name: 'Trash' }).click();
  await page.getByRole('button', { name: 'Restore Thrown away' }).waitFor();
  await look(page, 'trash');
  await page.getByRole('button', { name: 'Restore Thrown away' }).click();
  await page.getByText('The trash is empty').waitFor();
});

check('questions are dragged in the outline, and people see where others are', {}, async (page, context) => {
  const link = await make(page, fruit('Moved'));
  await page.goto(`${dashboard.origin}/p/${link}/edit#why`);
  await saved(page);
  const outline = page.getByRole('navigation', { name: 'Outline' });
  await outline.getByRole('button', { name: /Thank you/ }).dragTo(outline.getByRole('button', { name: /Why do you/ }), { targetPosition: { x: 20, y: 3 } });
  await outline.getByRole('button', { name: '1 Thank you.' }).waitFor();
  await saved(page);
  assert.deepEqual((await draft(page, link)).studyGuide[0].items.map(({ externalId }) => externalId), ['end', 'why', 'which']);
  await page.keyboard.press('Control+z');
  await outline.getByRole('button', { name: '1 Why do you eat it, {name}?' }).waitFor();
  const other = await context.newPage();
  await other.goto(`${dashboard.origin}/p/${link}/edit#which`);
  await other.getByRole('list', { name: 'Who else has this guide open' }).getByText(/You, in another tab/).waitFor();
  await look(other, 'presence');
});

check('a member is let to change a study', {}, async (page) => {
  await dashboard.server.command('user', 'create', '--org', dashboard.server.org, '--email', 'ben@example.org', '--name', 'Ben', '--role', 'member');
  const link = await make(page, fruit('Shared'));
  await page.goto(`${dashboard.origin}/p/${link}/launch`);
  const stored = () => page.waitForResponse((reply) => reply.url().includes('/grants/') && reply.ok());
  await Promise.all([stored(), page.getByRole('checkbox', { name: 'Ben' }).check()]);
  await page.reload();
  await page.getByRole('checkbox', { name: 'Ben', checked: true }).waitFor();
  await look(page, 'sharing');
  await Promise.all([stored(), page.getByRole('checkbox', { name: 'Ben' }).uncheck()]);
  await page.reload();
  await page.getByRole('checkbox', { name: 'Ben', checked: false }).waitFor();
});
