// An interview on several devices and tabs: whose answer stands, what was written is kept, and where the interview is found again.
import assert from 'node:assert/strict';
import { shortAnswers, completeInterview } from './participant.mjs';
import { short } from './studies.mjs';
import { check, server, checkResponse, withAuditor } from './harness.mjs';

const scripts = true;
const first = 'How was your morning?';

// onAnotherDevice opens the same interview in a browser that shares nothing with the first.
async function onAnotherDevice(on, p, options = {}) {
  const other = await on.visit(null, { scripts, ...options });
  await other.open(p.page.url());
  return other;
}

const kept = (p) => p.page.getByRole('region', { name: p.words.keptTitle });
const bubbles = (p) => p.page.getByRole('region', { name: p.words.earlier }).locator('.said').allInnerTexts();

export function devices() {
  check('an answer that another device gave first stands, and what was written is kept', (on) => withAuditor('phone', async (auditor) => {
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    const other = await onAnotherDevice(on, p, { size: 'phone' });
    await p.write('From the laptop.');
    await p.send();
    const followUp = await p.asked();
    await other.write('From the phone, at length.');
    await other.send();
    assert.equal(await other.asked(), followUp);
    await kept(other).getByText('From the phone, at length.').waitFor();
    await other.page.getByText(other.words.overtaken).waitFor();
    assert.match(await kept(other).innerText(), /From the laptop\./);
    assert.deepEqual((await bubbles(other)).map((text) => text.split('\n').at(-1).replace('You: ', '')), ['From the laptop.']);
    await auditor.audit(other.page, scripts);
    await other.page.reload();
    await kept(other).getByText('From the phone, at length.').waitFor();
    await other.button(other.words.keptUse).click();
    assert.equal(await other.page.getByRole('textbox').inputValue(), 'From the phone, at length.');
    assert.equal(await kept(other).count(), 0);
    await other.send();
    const said = await completeInterview(other, shortAnswers);
    await checkResponse(server, study, [
      { asked: first, answered: 'From the laptop.', followUp: false }, { asked: followUp, answered: 'From the phone, at length.', followUp: true }, ...said,
    ]);
  }));

  check('what was written is kept when another tab goes on, and folded at the next step', async (on) => {
    const study = await server.launch({ ...short, studyGuide: [{ ...short.studyGuide[0], items: short.studyGuide[0].items.slice(1).reverse() }] });
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    const other = await p.anotherTab();
    await other.write('Not sent.');
    await p.page.getByRole('textbox').fill('Sent.');
    await p.send();
    await other.overtaken();
    await kept(other).getByText('Not sent.').waitFor();
    const third = await onAnotherDevice(on, p);
    await third.choose('No');
    await p.choose('Yes');
    await p.send();
    await other.page.getByRole('heading', { level: 1, name: p.words.completeTitle }).waitFor();
    await other.page.getByRole('group').getByText(other.words.keptTitle).click();
    await other.page.getByText('Not sent.').waitFor();
    await other.button(other.words.keptDrop).click();
    await other.page.getByText('Not sent.').waitFor({ state: 'detached' });
    await third.button(third.words.next).click();
    await third.page.getByText(third.words.overtaken).waitFor(); // also of a choice
    await third.page.getByRole('blockquote').filter({ hasText: 'Yes' }).waitFor();
    await checkResponse(server, study, [{ asked: 'And how will the evening be?', answered: 'Sent.', followUp: false }, { asked: 'Was it a good one?', answered: 'Yes', followUp: false }]);
  });

  check('a follow-up on another device has its conversation', async (on) => {
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    await p.write('Busy.');
    await p.send();
    await p.write('The kettle broke.');
    await p.send();
    const other = await onAnotherDevice(on, p, { size: 'phone' });
    assert.equal(await other.asked(), await p.asked());
    const conversation = (at) => at.page.getByRole('region', { name: at.words.earlier }).innerText();
    assert.equal(await conversation(other), await conversation(p));
    await p.page.reload();
    assert.equal(await conversation(p), await conversation(other));
  });

  check('a link with other parameters leads back to the interview, and another one can be started', async (on) => {
    const study = await server.launch(short);
    const p = await on.visit(`${study.link}?pid=1&src=mail`, { scripts });
    await p.begin();
    const address = p.page.url();
    await p.write('Busy.');
    await p.send();
    const current = await p.asked();
    for (const query of ['', '?src=mail&pid=1', '?pid=2&utm_source=x']) {
      await p.open(`${study.link}${query}`);
      await p.page.getByRole('link', { name: p.words.resume }).click();
      await p.page.waitForURL(address);
      assert.equal(await p.asked(), current);
    }
    await p.open(`${study.link}?pid=2`);
    await p.page.getByRole('link', { name: p.words.resume }).waitFor();
    await p.begin();
    assert.notEqual(p.page.url(), address);
    const parameters = (await server.responses(study)).map((response) => response.urlParams.pid);
    assert.deepEqual(parameters.sort(), ['1', '2']);
  });

  check('without credits nothing that was written is lost, and the page says so on resuming', async (on) => {
    on.expect(/status of 409/);
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    await p.write('Kept through it all.');
    const refuse = (route) => route.fulfill({ status: 409, json: { error: 'Full.', code: 'not_taking_participants' } });
    const closed = async (route) => {
      const reply = await route.fetch();
      const body = (await reply.text()).replace('"accepting":true', '"accepting":false')
        .replace('"closed":null', `"closed":${JSON.stringify({ title: p.words.fullTitle, text: p.words.fullText, back: '' })}`);
      await route.fulfill({ response: reply, body });
    };
    await p.page.route('**/answers', refuse);
    await p.page.route(p.page.url(), closed);
    await p.page.route(`${study.link}*`, closed);
    await p.press();
    await p.page.getByRole('status').filter({ hasText: p.words.fullKept }).waitFor();
    const address = p.page.url();
    await p.page.reload();
    await p.page.getByRole('status').filter({ hasText: p.words.fullNow }).waitFor();
    assert.equal(await p.page.getByRole('textbox').inputValue(), 'Kept through it all.');
    await p.open(`${study.link}?again=1`);
    assert.equal(await p.asked(), p.words.fullTitle);
    await p.page.getByRole('link', { name: p.words.resume }).click();
    await p.page.waitForURL(address);
    assert.equal(await p.page.getByRole('textbox').inputValue(), 'Kept through it all.');
    await p.page.unroute('**/answers', refuse);
    await p.send();
    const said = await completeInterview(p, shortAnswers);
    await checkResponse(server, study, [{ asked: first, answered: 'Kept through it all.', followUp: false }, ...said]);
  });

  check('an answer is shown at once, and the field has the focus afterwards where there is a keyboard', async (on) => {
    const study = await server.launch(short);
    const desk = await on.visit(study.link, { scripts });
    const phone = await on.visit(study.link, { scripts, size: 'phone' });
    for (const [p, focused] of [[desk, 'TEXTAREA'], [phone, 'H1']]) {
      await p.begin();
      await p.write('Busy.');
      let release;
      const held = new Promise((resolve) => { release = resolve; });
      await p.page.route('**/answers', async (route) => {
        await held;
        await route.continue();
      });
      const shareBefore = await p.page.getByRole('progressbar').evaluate((bar) => bar.value);
      await p.press();
      await p.page.locator('.said').getByText('Busy.').waitFor();
      const status = p.page.getByRole('status').filter({ hasText: p.words.writing });
      assert.equal(await status.count(), 1);
      assert.equal(await p.page.getByRole('textbox').count(), 0);
      release();
      await p.page.getByRole('textbox').waitFor();
      assert.equal(await status.count(), 0);
      assert.equal(await p.page.evaluate(() => document.activeElement.tagName), focused);
      const shareAfter = await p.page.getByRole('progressbar').evaluate((bar) => bar.value);
      assert.ok(shareAfter > shareBefore, `progress went from ${shareBefore} to ${shareAfter} with a follow-up`);
    }
  });

  check('the page before the interview says how long it takes', async (on) => {
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts });
    const [beginning] = p.words.duration.split('{n}');
    assert.match(await p.page.getByText(beginning).innerText(), /1 to \d minutes/);
    const quiet = await server.launch({ ...short, config: { verbatim: { showDuration: false } } });
    await p.open(quiet.link);
    assert.equal(await p.page.getByText(beginning).count(), 0);
  });
}
