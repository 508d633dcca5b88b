// The researcher's dashboard in a real browser, on the real server.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { Auditor, launch, openContext } from './browser.mjs';
import { answer, DashboardServer, kitchen, sound } from './dashboard_visitor.mjs';
import { payloads } from './dashboard_payloads.mjs';

const dashboard = await DashboardServer.begin();
const browser = await launch('--autoplay-policy=no-user-gesture-required');
after(async () => {
  await browser.close();
  await dashboard.end();
});

// visit runs a test with a page. Errors on the console fail it, except those that match an entry of expected.
async function visit({ expected = [], ...options }, run) {
  const { context, errors } = await openContext(browser, dashboard.origin, { scripts: true, ...options });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await run(page, context);
    assert.deepEqual(errors.filter((error) => ![/favicon/, /status of 404.*\/signin\)$/, ...expected].some((pattern) => pattern.test(error))), []);
  } catch (error) {
    for (const page of context.pages()) console.error(`${page.url()} shows\n${await page.locator('body').innerText({ timeout: 1000 }).catch(String)}`);
    throw error;
  } finally {
    await context.close();
  }
}

const check = (name, options, run) => test(name, { timeout: 180_000 }, () => visit(options, run));
const unauthorized = /status of 401/;
const three = [['I always look at the price before anything else.', '?source=mail'], ['The smell of fresh bread leads me in.', '?source=panel'], ['Whether there is parking at the door.', '?source=mail']];

check('from the sign-in link to the newest answer in two clicks', { expected: [unauthorized] }, async (page) => {
  const study = await dashboard.study({ ...kitchen, title: 'First visit' }, three);
  await dashboard.signIn(page);
  assert.ok(!page.url().includes('#'), 'the token is gone from the address');
  await page.getByRole('link', { name: 'First visit' }).click();
  await page.locator('tbody th a').first().click();
  await page.getByRole('heading', { name: 'Response 3' }).waitFor();
  await page.getByText('Whether there is parking at the door.').last().waitFor();
  assert.equal(new URL(page.url()).pathname, `/p/${study.linkId}/responses/3`);
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'Response 2' }).waitFor();
});

check('a password, and no way out of the site after signing in', { expected: [unauthorized] }, async (page) => {
  const password = 'a walnut and a staple';
  await page.goto(await dashboard.link('reset'));
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('heading', { name: 'Studies', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Mail address').waitFor();
  for (const next of ['//evil.example/o/1', '/\\evil.example', 'https://evil.example/o/1']) {
    await page.goto(`${dashboard.origin}/signin?next=${encodeURIComponent(next)}`);
    await page.getByLabel('Mail address').fill('ada@example.org');
    await page.getByLabel('Password').fill(next.startsWith('//') ? 'wrong' : password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    if (next.startsWith('//')) {
      await page.getByRole('alert').filter({ hasText: 'do not belong together' }).waitFor();
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    }
    await page.getByRole('heading', { name: 'Studies', exact: true }).waitFor();
    assert.equal(new URL(page.url()).origin, dashboard.origin);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Mail address').waitFor();
  }
});

// authenticatorCode is what an app shows that knows a secret in base32 (RFC 6238).
function authenticatorCode(secret, period = 0) {
  const bits = [...secret.replaceAll(' ', '')].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + period));
  const hash = createHmac('sha1', Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)))).update(counter).digest();
  return String((hash.readUInt32BE(hash[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

check('a second step at sign-in, and a recovery code without the phone', { expected: [unauthorized, /status of 403/] }, async (page) => {
  const password = 'a walnut and a staple';
  const person = await dashboard.server.command('user', 'create', '--org', dashboard.server.org, '--email', 'ben@example.org', '--name', 'Ben', '--role', 'member');
  await page.goto(await dashboard.link('reset', person));
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('heading', { name: 'Studies', exact: true }).waitFor();
  await page.goto(`${dashboard.origin}/me`);
  const section = page.getByRole('region', { name: 'Two-step sign-in' });
  await section.getByLabel('Current password').fill(password);
  await section.getByRole('button', { name: 'Set up an app' }).click();
  const secret = await section.locator('.secret').innerText();
  await section.getByLabel('Code', { exact: true }).fill('none');
  await section.getByRole('button', { name: 'Turn on' }).click();
  await section.getByRole('alert').filter({ hasText: 'This code is not right' }).waitFor();
  await section.getByLabel('Code', { exact: true }).fill(authenticatorCode(secret));
  await section.getByRole('button', { name: 'Turn on' }).click();
  const kept = page.getByRole('dialog', { name: 'Recovery codes' });
  await kept.getByRole('listitem').nth(9).waitFor();
  const codes = await kept.getByRole('listitem').allInnerTexts();
  assert.equal(codes.length, 10);
  await kept.getByRole('button', { name: 'I have kept them' }).click();
  await section.getByText('Recovery codes left: 10').waitFor();
  for (const code of [authenticatorCode(secret, 1), codes[0]]) {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Mail address').fill('ben@example.org');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code', { exact: true }).fill(code);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Studies', exact: true }).waitFor();
  }
  await page.goto(`${dashboard.origin}/me`);
  await section.getByText('Recovery codes left: 9').waitFor();
});

check('a filter is in the address, and survives a reload', { expected: [unauthorized] }, async (page) => {
  const study = await dashboard.study({ ...kitchen, title: 'Filtered' }, three);
  await dashboard.signIn(page);
  await page.goto(`${dashboard.origin}/p/${study.linkId}`);
  await page.getByRole('link', { name: 'source mail' }).first().click();
  await page.getByText('2 responses').waitFor();
  await page.reload();
  await page.getByText('2 responses').waitFor();
  await page.getByLabel('Search answers').fill('price');
  await page.waitForURL((url) => url.search === '?parameter=source%3Dmail&q=price'); // words are found up to a minute after an interview
  await page.reload();
  assert.equal(await page.getByLabel('Search answers').inputValue(), 'price');
  await page.getByRole('button', { name: 'Remove the filter source = mail' }).waitFor();
});

check('new responses wait behind a bar', { expected: [unauthorized] }, async (page) => {
  const study = await dashboard.study({ ...kitchen, title: 'Arrivals' }, three.slice(0, 1));
  await dashboard.signIn(page);
  await page.goto(`${dashboard.origin}/p/${study.linkId}`);
  await page.getByText('1 response', { exact: true }).waitFor();
  await answer(study, 'One more.');
  const bar = page.getByRole('button', { name: '1 new response' });
  await bar.waitFor();
  assert.equal(await page.locator('tbody tr').count(), 1, 'nothing moves');
  await bar.click();
  await page.getByText('2 responses').waitFor();
  await bar.waitFor({ state: 'detached' });
});

check('responses are hidden and shown again, and deleted for a receipt, by keyboard', { expected: [unauthorized, /status of 409/] }, async (page) => {
  const study = await dashboard.study({ ...kitchen, title: 'Bulk' }, three);
  await dashboard.signIn(page);
  await page.goto(`${dashboard.origin}/p/${study.linkId}`);
  await page.getByText('3 responses').waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await page.getByText('2 responses hidden.').waitFor();
  await page.getByText('1 response', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('3 responses').waitFor();
  await page.getByLabel('Select response 1').check();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type 1 to confirm').fill('1');
  await dialog.getByRole('button', { name: 'Delete 1 response' }).click();
  await page.getByRole('dialog', { name: '1 response deleted' }).waitFor();
  assert.match(await dialog.locator('code').innerText(), /^[0-9a-f-]{36}$/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('2 responses').waitFor();
});

check('a session that is ended in one browser is over in the other', { expected: [unauthorized] }, async (page) => {
  await dashboard.signIn(page);
  await visit({ expected: [unauthorized], locale: 'en-US' }, async (other) => {
    await dashboard.signIn(other);
    await page.goto(`${dashboard.origin}/me`);
    await page.getByText('This one').waitFor();
    for (let left = await page.getByRole('button', { name: /^End/ }).count(); left > 0; left--) {
      await page.getByRole('button', { name: /^End/ }).first().click();
      await page.waitForFunction((n) => [...document.querySelectorAll('.sessions button')].length === n, left - 1);
    }
    await other.getByRole('link', { name: 'API keys' }).click();
    await other.getByText('Sign in to go on where you were.').waitFor();
    assert.match(new URL(other.url()).searchParams.get('next') ?? '', /^\/o\/.+\/keys$/);
  });
});

// serveSound serves a recording of 4 s in the ranges that players ask for.
function serveSound(route) {
  const body = sound(4);
  const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(route.request().headers().range ?? '') ?? [];
  const end = Math.min(Number(to || body.length - 1), body.length - 1);
  return route.fulfill({
    status: 206, contentType: 'audio/wav', body: body.subarray(Number(from), end + 1), headers: { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes ${from}-${end}/${body.length}` },
  });
}

// recorded gives the page a response with a recording of 4 s, as the contract says.
async function recorded(page, linkId) {
  const text = 'I always look at the price before anything else.';
  let at = 0;
  const words = text.split(' ').map((word, i) => {
    const from = at;
    at += word.length + 1;
    return [i * 0.4, i * 0.4 + 0.35, from, from + word.length, word === 'always' ? 0.3 : 0.95];
  });
  await page.route('**/plays', (route) => route.fulfill({ status: 204 })); // the server has no such recording
  let asked = 0;
  await page.route(new RegExp(`/api/dashboard/studies/${linkId}/responses/1(\\?|$)`), async (route) => {
    const reply = await route.fetch();
    const response = await reply.json();
    asked++;
    const recording = {
      kind: 'audio', state: 'ready', failure: '', durationSeconds: 4, mediaType: 'audio/wav', url: `/test-media/${asked}.wav`, stream: null, poster: null, waveform: null,
      transcript: { text, isAnswer: true, words },
    };
    const row = response.rows.find(({ answer: said }) => said !== '');
    response.rows = response.rows.map((each) => (each === row ? { ...row, answer: text, recordings: [recording] } : each));
    response.statements = [{ part: 'bullets', text: 'Looks at the price first.', verified: true, marks: [{ row: row.index, from: text.indexOf('price'), to: text.indexOf('price') + 5 }] }];
    response.linksExpireAt = new Date(Date.now() + 3_600_000).toISOString().replace('Z', '000Z');
    await route.fulfill({ response: reply, json: response });
  });
  return { words, links: () => asked };
}

for (const painting of [true, false]) {
  check(`a mark of evidence scrolls, marks and plays${painting ? '' : ' without the Custom Highlight API'}`, { expected: [unauthorized, /status of 403/] }, async (page) => {
    const study = await dashboard.study({ ...kitchen, title: 'Heard' }, three.slice(0, 1));
    if (!painting) await page.addInitScript(() => { delete window.Highlight; });
    await dashboard.signIn(page);
    const { links } = await recorded(page, study.linkId);
    await page.route('**/test-media/1.wav', (route) => route.fulfill({ status: 403, body: '' })); // an expired link
    await page.route(/\/test-media\/[2-9]\.wav/, serveSound);
    await page.goto(`${dashboard.origin}/p/${study.linkId}/responses/1`);
    await page.getByRole('button', { name: 'Evidence 1: show and play' }).first().click();
    await page.waitForFunction(() => { const [player] = document.querySelectorAll('video'); return !player.paused && player.currentTime > 2.1; });
    assert.ok(links() >= 2, 'the expired link was renewed');
    const marked = await page.evaluate((paint) => (paint
      ? Object.fromEntries(['evidence', 'spoken', 'uncertain'].map((kind) => [kind, [...(CSS.highlights.get(kind) ?? [])].map(String)]))
      : Object.fromEntries(['evidence', 'spoken', 'uncertain'].map((kind) => [kind, [...document.querySelectorAll(`mark.${kind}`)].map((mark) => mark.textContent)]))), painting);
    assert.deepEqual(marked.evidence, ['price']);
    assert.deepEqual(marked.uncertain, ['always']);
    assert.equal(marked.spoken.length, 1);
    await page.keyboard.press('Escape');
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press(' ');
    await page.waitForFunction(() => document.querySelector('video').paused);
    const box = await page.locator('.passage').last().boundingBox();
    await page.mouse.click(box.x + 4, box.y + box.height / 2); // the first word
    await page.waitForFunction(() => { const player = document.querySelector('video'); return !player.paused && player.currentTime < 1; });
  });
}

for (const size of ['phone', 'desktop']) {
  check(`axe on every state, ${size}`, { size, expected: [unauthorized, /status of (403|404|409|500)/] }, async (page) => {
    const study = await dashboard.study({ ...kitchen, title: `Axe ${size}` }, three);
    const auditor = new Auditor(page);
    const audit = async () => {
      await page.waitForFunction(() => !document.querySelector('.skeleton'));
      await auditor.audit(page, true);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wider <= 0, `${page.url()} is ${wider} px too wide`);
    };
    await page.goto(`${dashboard.origin}/signin`);
    await page.getByLabel('Mail address').waitFor();
    await audit();
    await page.goto(`${dashboard.origin}/invite#nothing`);
    await page.getByText('This link does not work').waitFor();
    await audit();
    await dashboard.signIn(page);
    await audit();
    const org = new URL(page.url()).pathname.split('/')[2];
    for (const path of [`/o/${org}/studies?q=nothing-like-this`, `/o/${org}/people`, `/o/${org}/keys`, `/o/${org}/audit`, '/me', '/o/nowhere/elsewhere/at-all', '/p/nowhere',
      `/p/${study.linkId}?tag=nothing`, `/p/${study.linkId}`]) {
      await page.goto(dashboard.origin + path);
      await page.locator('h1, .failure').first().waitFor();
      await audit();
    }
    await page.getByLabel('Select response 2').check();
    await audit();
    await page.getByRole('button', { name: 'Delete' }).click();
    await audit();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await audit();
    await page.keyboard.press('Escape');
    await recorded(page, study.linkId);
    await page.route('**/test-media/*', serveSound);
    await page.goto(`${dashboard.origin}/p/${study.linkId}/responses/1`);
    await page.getByRole('region', { name: 'Recording' }).waitFor();
    await audit();
    await page.getByRole('button', { name: 'Judge it yourself' }).click();
    await audit();
    await page.getByLabel('Reason').fill('Read from a script.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Take it back' }).waitFor();
    await audit();
    await page.route('**/api/dashboard/organizations/*/keys', (route) => route.fulfill({ status: 500, json: { error: 'Broken.', code: 'internal_error' }, headers: { 'X-Request-Id': 'r-1' } }));
    await page.goto(`${dashboard.origin}/o/${org}/keys`);
    await page.getByText('r-1').waitFor();
    await audit();
  });
}

check('no text runs as a script', { expected: [unauthorized] }, async (page, context) => {
  const study = await dashboard.study({ ...kitchen, title: payloads[0] }, payloads.map((text, i) => [text, `?${encodeURIComponent(i % 2 ? 'source' : text.slice(0, 40))}=${encodeURIComponent(text)}`]));
  const violations = [];
  page.on('dialog', (dialog) => { violations.push(dialog.message()); void dialog.dismiss(); });
  await page.exposeFunction('reportViolation', (text) => violations.push(text));
  await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) => window.reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`)));
  await dashboard.signIn(page);
  const org = new URL(page.url()).pathname.split('/')[2];
  const post = async (path, data) => assert.ok((await context.request.post(`${dashboard.origin}/api/dashboard${path}`, { data })).ok(), path);
  for (const name of payloads) await post(`/organizations/${org}/keys`, { name });
  await Promise.all(payloads.slice(1).map((title) => dashboard.server.launch({ ...kitchen, title })));
  await dashboard.server.command('user', 'create', '--org', org, '--email', 'eve@example.org', '--name', payloads[1], '--role', 'member');
  const intact = async () => {
    await page.waitForFunction(() => !document.querySelector('.skeleton'));
    assert.equal(await page.evaluate(() => window.stolen), undefined, page.url());
    assert.equal(await page.locator('main').locator('script, iframe, object, embed, img, math, template, audio').count(), 0, page.url());
  };
  for (const path of [`/o/${org}/studies`, `/o/${org}/people`, `/o/${org}/keys`, `/o/${org}/audit`, `/p/${study.linkId}`, ...payloads.map((_, i) => `/p/${study.linkId}/responses/${i + 1}`),
    `/p/${study.linkId}?tag=${encodeURIComponent(payloads[1])}&parameter=${encodeURIComponent(`a=${payloads[2]}`)}&q=${encodeURIComponent(payloads[3])}`, `/signin?next=${encodeURIComponent('javascript:window.stolen=1')}`]) {
    await page.goto(dashboard.origin + path);
    await page.locator('h1').first().waitFor();
    await intact();
  }
  assert.deepEqual(violations, []);
});
