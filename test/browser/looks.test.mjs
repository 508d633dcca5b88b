// How phones and laptops show concepts, matrices, long lists, rankings, long answers, and what cannot be loaded.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, describe } from 'node:test';
import { Auditor } from './browser.mjs';
import { eventually } from './eventually.mjs';
import { check, server } from './harness.mjs';
import { checkFits } from './interviews.mjs';
import { clicker, clickerPage, looks } from './looks.mjs';
import { testVideo } from './widgets.mjs';

const [concepts, rest] = looks.studyGuide;
const [matrix, list, ranking, maxDiff, picture] = rest.items;

// only returns a study of some of the items.
const only = (...items) => ({ ...looks, studyGuide: [{ type: 'flat', title: '', items }] });

const inView = (p, locator) => locator.evaluate((at) => {
  const { top, bottom } = at.getBoundingClientRect();
  const { x, y } = { x: at.getBoundingClientRect().left + 10, y: (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2 };
  return top >= 0 && bottom <= innerHeight && at.contains(document.elementFromPoint(x, y));
});

// visitPrototype opens a study with the prototype of the timer, and returns the participant, the prototype, and how often it was loaded.
async function visitPrototype(on, study, size) {
  on.expect(/request to https:\/\/prototypes\.example\.test\/clicker/);
  const p = await on.visit(null, { scripts: true, size });
  const loads = [];
  await p.page.context().route(clicker, (route) => { loads.push(route.request().url()); return route.fulfill({ contentType: 'text/html', body: clickerPage }); });
  await p.open(study.link);
  await p.begin();
  return { p, prototype: p.page.frameLocator('iframe').getByRole('button'), loads };
}

function stimulus() {
  check('on a phone a concept is a sheet that stays alive', async (on) => {
    const study = await server.launch({ ...looks, studyGuide: [concepts] });
    const { p, prototype, loads } = await visitPrototype(on, study, 'phone');
    const bar = p.button('The timer');
    assert.equal(await bar.getAttribute('aria-expanded'), 'true', 'a new concept is shown');
    assert.ok(await inView(p, p.heading()), 'the question is in view beside it');
    assert.equal(await p.page.locator('iframe').getAttribute('title'), 'The timer');
    await new Auditor(p.page).audit(p.page, true);
    await checkFits(p);
    await prototype.click();
    assert.equal(await prototype.innerText(), 'Pressed 1');

    await p.page.getByRole('textbox').focus();
    await eventually(async () => await bar.getAttribute('aria-expanded') === 'false');
    assert.ok(await inView(p, p.page.getByRole('textbox')), 'the field with the focus is in view');
    await new Auditor(p.page).audit(p.page, true);
    await p.write('It saves time.');
    await p.send();
    assert.ok(await inView(p, p.heading()), 'the next question is in view');
    assert.equal(await bar.getAttribute('aria-expanded'), 'false', 'the sheet stays down');
    assert.equal(await p.page.locator('.turns .about').innerText(), 'The timer', 'earlier answers name the concept');

    const { x, y, width } = await bar.boundingBox();
    await p.page.mouse.move(x + width / 2, y + 20);
    await p.page.mouse.down();
    await p.page.mouse.move(x + width / 2, y - 120, { steps: 4 });
    await p.page.mouse.up();
    assert.equal(await bar.getAttribute('aria-expanded'), 'true', 'it can be pulled up');
    assert.equal(await prototype.innerText(), 'Pressed 1', 'the prototype has kept its state');
    await bar.press('Enter');
    assert.equal(await bar.getAttribute('aria-expanded'), 'false');
    assert.deepEqual(loads, [clicker], 'the prototype was loaded once');
    await p.choose('Perhaps');
    await p.send();
  });

  check('on a laptop a concept stands beside its questions', async (on) => {
    const study = await server.launch({ ...looks, studyGuide: [concepts] });
    const { p, prototype, loads } = await visitPrototype(on, study);
    await prototype.click();
    await p.write('It saves time.');
    await p.send();
    assert.ok(await inView(p, p.heading()) && await inView(p, p.button(p.words.next)), 'question and button are in view');
    assert.equal(await prototype.innerText(), 'Pressed 1');
    assert.deepEqual(loads, [clicker]);
    await checkFits(p);
    await new Auditor(p.page).audit(p.page, true);
  });
}

function matrices() {
  check('on a phone a matrix is asked row by row', async (on) => {
    const study = await server.launch(only(matrix));
    const p = await on.visit(study.link, { scripts: true, size: 'phone' });
    await p.begin();
    const row = (i) => p.page.getByRole('radiogroup', { name: matrix.rows[i].text });
    assert.equal(await p.page.getByRole('radiogroup').count(), 1);
    await new Auditor(p.page).audit(p.page, true);
    await row(0).getByRole('radio').first().focus();
    await p.page.keyboard.press('ArrowDown');
    await p.page.keyboard.press('ArrowDown');
    assert.ok(await row(0).isVisible(), 'the arrow keys pass over answers without going on');
    await p.button(p.words.rowNext).click();
    await row(1).getByRole('radio', { name: 'Agree', exact: true }).click();
    await row(2).getByRole('radio', { name: 'Strongly agree', exact: true }).click();
    await row(3).getByRole('radio', { name: 'Disagree', exact: true }).click();
    await p.page.getByRole('heading', { name: p.words.rowsCheck }).waitFor();
    await new Auditor(p.page).audit(p.page, true);
    await p.page.getByRole('button', { name: matrix.rows[3].text }).click();
    await row(3).getByRole('radio', { name: 'Strongly disagree', exact: true }).click();
    await p.page.getByRole('heading', { name: p.words.rowsCheck }).waitFor();
    await p.send();
    const [response] = await server.responses(study);
    assert.equal(response.answersArray[0].answer, [
      'I enjoy cooking for guests: Neither agree nor disagree', 'I plan meals ahead: Agree', 'I like trying unfamiliar ingredients: Strongly agree', 'I cook because I have to: Strongly disagree',
    ].join('\n'));
  });

  check('on a laptop a matrix is as wide as its words, under headings that stay in view', async (on) => {
    const many = Array.from({ length: 30 }, (_, i) => ({ text: `I think about dinner at ${i} o’clock` }));
    const p = await on.visit((await server.launch(only({ ...matrix, rows: many }))).link, { scripts: true });
    await p.begin();
    await checkFits(p);
    const width = await p.page.locator('main').evaluate((at) => at.getBoundingClientRect().width);
    assert.ok(width > 704 && width < 1120, `the card is ${width} px wide`);
    const broken = await p.page.locator('.heads span, .row > p').evaluateAll((all) => all.filter((at) => at.scrollWidth > at.clientWidth).map((at) => at.textContent));
    assert.deepEqual(broken, [], 'words that do not fit');
    await p.page.getByRole('radiogroup', { name: many[29].text, exact: true }).getByRole('radio').last().check();
    assert.ok(await inView(p, p.page.locator('.heads')), 'the headings are in view at the last row');
    await new Auditor(p.page).audit(p.page, true);
  });

  check('without JavaScript a matrix breaks no word', async (on) => {
    const p = await on.visit((await server.launch(only(matrix))).link, { scripts: false });
    await p.begin();
    await checkFits(p);
    const broken = await p.page.locator('.matrix th').evaluateAll((all) => all.filter((at) => at.scrollWidth > at.clientWidth).map((at) => at.textContent));
    assert.deepEqual(broken, []);
  });
}

function choices() {
  check('a long list is searched, and “none of these” swaps', async (on) => {
    const study = await server.launch(only(list));
    const p = await on.visit(study.link, { scripts: true });
    await p.begin();
    const [first, second] = await p.page.locator('.choice').evaluateAll((all) => all.slice(0, 2).map((at) => at.getBoundingClientRect().top));
    assert.equal(first, second, 'two columns');
    const search = p.page.getByRole('searchbox', { name: p.words.findOption });
    await search.fill('turk');
    await p.page.getByRole('status').filter({ hasText: p.fill('foundOptions', { n: 1 }) }).waitFor();
    await search.press('Enter');
    assert.equal(await p.asked(), list.text, 'Enter in the search sends nothing');
    await p.chooseAll('Türkiye');
    await search.fill('austria');
    assert.ok(await p.option('checkbox', 'Türkiye').isVisible(), 'what is chosen stays in view');
    await new Auditor(p.page).audit(p.page, true);
    await p.chooseAll('None of these');
    assert.ok(!(await p.option('checkbox', 'Türkiye').isVisible()));
    await p.chooseAll('Austria');
    assert.ok(!(await p.option('checkbox', 'None of these').isChecked()));
    await p.send();
    assert.equal((await server.responses(study))[0].answersArray[0].answer, 'Austria');
  });

  check('an untouched ranking is asked about once', async (on) => {
    const study = await server.launch(only(ranking));
    const p = await on.visit(study.link, { scripts: true, size: 'phone' });
    await p.begin();
    await p.press();
    await p.page.getByRole('alert').filter({ hasText: p.words.rankAsk }).waitFor();
    assert.equal(await p.asked(), ranking.text);
    await new Auditor(p.page).audit(p.page, true);
    await p.send(p.words.rankKeep);
    assert.equal((await server.responses(study))[0].answersArray[0].answer, '1. Light\n2. Space\n3. Quiet');
    const q = await on.visit(study.link, { scripts: true });
    await q.open(study.link);
    await q.begin();
    await q.rank('Quiet', 'Light', 'Space');
    await q.send();
  });

  check('the metric names a MaxDiff, and the last characters are counted', async (on) => {
    on.expect(/request to https:\/\/media\.example\.test\/gone/, /ERR_/, /status of 404/);
    const study = await server.launch(only(maxDiff, picture));
    const p = await on.visit(null, { scripts: true });
    let found = false;
    await p.page.context().route('https://media.example.test/gone.png', (route) => (found
      ? route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' }) : route.fulfill({ status: 404 })));
    await p.open(study.link);
    await p.begin();
    await p.page.getByRole('table', { name: maxDiff.metric }).waitFor();
    await p.judge();
    await p.send();
    await p.reads(p.fill('imageFailed', { text: 'A round tin' }));
    await new Auditor(p.page).audit(p.page, true);
    found = true;
    await p.button(p.words.recTry).click();
    await p.page.getByRole('img', { name: 'A round tin' }).waitFor();
    const field = p.page.getByRole('textbox');
    await field.fill('a'.repeat(17_000));
    assert.equal(await p.page.locator('.letters').count(), 0);
    await field.fill('a'.repeat(19_990));
    await p.page.locator('.letters').filter({ hasText: p.fill('lettersLeft', { n: 10 }) }).waitFor();
    await field.fill('a'.repeat(20_003));
    await p.page.locator('.letters').filter({ hasText: p.fill('lettersOver', { n: 3 }) }).waitFor();
    await new Auditor(p.page).audit(p.page, true);
    await p.sendEmpty();
    await p.page.getByRole('alert').filter({ hasText: p.fill('errLong', { n: 20000 }) }).waitFor();
  });
}

function captions() {
  const [film, words] = ['https://media.example.test/pot.webm', 'https://media.example.test/pot.en.vtt'];
  const media = [{ name: 'The pot', url: film, type: 'video' }];
  const study = {
    ...only({ type: 'open_ended', text: 'What did you notice?', followUp: 'none', media }),
    config: { verbatim: { captions: [{ mediaUrl: film, url: words, language: 'en' }] } },
  };
  for (const allowed of [true, false]) {
    check(`captions of another site, ${allowed ? 'with' : 'without'} its permission`, async (on) => {
      on.expect(/request to https:\/\/media\.example\.test\/pot/, /CORS/, /ERR_FAILED/);
      const p = await on.visit(null, { scripts: true });
      const headers = { 'Access-Control-Allow-Origin': allowed ? '*' : 'https://another.example.test' };
      const body = await testVideo();
      await p.page.context().route(film, (route) => route.fulfill({ contentType: 'video/webm', headers, body }));
      await p.page.context().route(words, (route) => route.fulfill({ contentType: 'text/vtt', headers, body: 'WEBVTT\n\n00:00.000 --> 00:02.000\nA pot boils.\n' }));
      await p.open((await server.launch(study)).link);
      await p.begin();
      const video = p.page.getByLabel('The pot');
      await eventually(() => video.evaluate((at) => at.readyState > 0));
      const cues = () => video.evaluate((at) => [...at.textTracks].filter(({ mode }) => mode === 'showing').flatMap(({ cues: all }) => [...all ?? []].map(({ text }) => text)));
      if (allowed) await eventually(async () => (await cues()).join() === 'A pot boils.');
      else assert.deepEqual(await cues(), [], 'the video is shown without them');
    });
  }
}

// serve serves a page from an origin of its own, until the tests end.
async function serve(body) {
  const site = createServer((_, reply) => reply.setHeader('Content-Type', 'text/html').end(body()));
  await once(site.listen(0, '127.0.0.1'), 'listening');
  after(() => { site.closeAllConnections(); site.close(); });
  return `http://127.0.0.1:${site.address().port}`;
}

function framing() {
  check('a study is shown inside the sites that it names, and in no others', async (on) => {
    on.expect(/request to http:\/\/127\.0\.0\.1/, /frame-ancestors/);
    let link;
    const [panel, other] = await Promise.all([0, 1].map(() => serve(() => `<!doctype html><title>Panel</title><iframe src="${link}" style="width:800px;height:700px"></iframe>`)));
    const study = await server.launch({ ...only({ type: 'open_ended', text: 'Why?', followUp: 'none' }), config: { verbatim: { embedding: { allowedOrigins: [panel] } } } });
    const p = await on.visit(null, { scripts: true });
    link = study.link;
    await p.page.goto(`${panel}/`);
    const inside = p.page.frameLocator('iframe');
    await inside.getByRole('link', { name: 'privacy notice' }).waitFor();
    await inside.getByRole('button', { name: p.words.consent }).click();
    await inside.getByRole('textbox').fill('Because.');
    await inside.getByRole('button', { name: p.words.next, exact: true }).click();
    await inside.getByRole('heading', { name: p.words.completeTitle }).waitFor();
    const blocked = p.page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await p.page.goto(`${other}/`);
    await blocked;
  });
}

describe('how the page looks', { concurrency: 2 }, () => {
  stimulus();
  matrices();
  choices();
  captions();
  framing();
});
