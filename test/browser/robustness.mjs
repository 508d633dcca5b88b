// What the page with JavaScript guarantees beyond the one without: nothing typed is lost, and nobody has to send an answer twice.
import assert from 'node:assert/strict';
import { Participant, shortAnswers, completeInterview } from './participant.mjs';
import { everything, short } from './studies.mjs';
import { check, server, checkResponse } from './harness.mjs';

const scripts = true;

export function robustness() {
  check('what was typed and not sent is kept', async (on) => {
    const study = await server.launch(everything);
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    await p.choose('Every day');
    await p.page.reload();
    assert.ok(await p.option('radio', 'Every day').isChecked());
    await p.send();
    await p.send('Let us begin');
    const typed = 'It was hot, and\nthen cold.';
    await p.write(typed);
    await p.page.reload();
    assert.equal(await p.page.getByRole('textbox').inputValue(), typed);
    const again = await p.anotherTab();
    await p.page.close();
    assert.equal(await again.page.getByRole('textbox').inputValue(), typed);
    await again.send();
    await again.page.getByText('then cold.').waitFor(); // in the earlier turns
  });

  check('earlier answers have the language and the direction of their own', async (on) => {
    const study = await server.launch({
      title: 'Beans', config: { questionLanguage: 'en', availableLanguages: ['en', 'ar'] },
      studyGuide: [{ type: 'flat', title: '', items: [
        { type: 'multiple_choice', text: 'Which beans?', options: [{ text: 'Arabica' }, { text: 'Robusta' }] },
        { type: 'open_ended', text: 'Why?', followUp: 'none' },
        { type: 'open_ended', text: 'Anything else?', followUp: 'none' },
      ] }],
    });
    const p = await on.visit(study.link, { scripts });
    await p.switchTo('ar');
    await p.begin();
    await p.choose('Arabica');
    await p.send();
    await p.write('Busy.');
    await p.send();
    const lines = await p.page.locator('.said > span').evaluateAll((all) => all.map((line) =>
      `${line.closest('[lang]').lang} ${getComputedStyle(line).direction} ${line.textContent}`));
    assert.deepEqual(lines, [`ar rtl ${p.words.you}: `, 'en ltr Arabica', `ar rtl ${p.words.you}: `, 'ar ltr Busy.']);
  });

  check('a link opened again offers to go on', async (on) => {
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts, size: 'phone' });
    await p.begin();
    const address = p.page.url();
    await p.write('Busy.');
    await p.send();
    const current = await p.asked();
    await p.open(study.link);
    await p.page.getByRole('link', { name: p.words.resume }).click();
    await p.page.waitForURL(address);
    assert.equal(await p.asked(), current);
  });

  check('an answer that no request can hold is too long', async (on) => {
    on.expect(/status of 413/);
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    await p.page.getByRole('textbox').fill('a'.repeat(300_000));
    await p.press();
    await p.page.getByRole('alert').filter({ hasText: p.words.errLong.replace('{n}', '20000') }).waitFor();
    await p.page.getByRole('textbox').fill('Busy.');
    await p.send();
  });

  check('what a text must not have is not sent', async (on) => {
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    await p.page.getByRole('textbox').evaluate((field) => {
      field.value = 'Bu\0sy \u{1F600} \uD83D.';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    const sent = p.page.waitForRequest((request) => request.url().endsWith('/answers'));
    await p.send();
    assert.equal((await sent).postDataJSON().text, 'Busy \u{1F600} \uFFFD.');
  });

  check('the network is cut before the answer leaves', async (on) => {
    on.expect(/ERR_INTERNET_DISCONNECTED/);
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts, size: 'phone' });
    await p.begin();
    await p.write('Busy.');
    const before = await p.heading().elementHandle();
    await p.page.context().setOffline(true);
    await p.press();
    await p.page.getByRole('status').filter({ hasText: p.words.offline }).waitFor();
    await p.page.context().setOffline(false);
    await before.waitForElementState('hidden');
    const said = await completeInterview(p, shortAnswers);
    await checkResponse(server, study, [{ asked: 'How was your morning?', answered: 'Busy.', followUp: false }, ...said]);
  });

  check('the network is cut after the answer has arrived', async (on) => {
    on.expect(/ERR_CONNECTION_RESET/);
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    let cut = 0;
    await p.page.route('**/answers', async (route) => {
      const reply = await route.fetch();
      assert.equal(reply.status(), 200);
      cut++;
      await route.abort('connectionreset');
    }, { times: 1 });
    const said = await completeInterview(p, shortAnswers);
    assert.equal(cut, 1);
    await checkResponse(server, study, said);
  });

  check('a page reloaded while its answer is on the way sends it again', async (on) => {
    on.expect(/ERR_CONNECTION_RESET/);
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    await p.write('Busy.');
    await p.page.route('**/answers', (route) => route.abort('connectionreset'));
    await p.press();
    await p.page.getByRole('status').filter({ hasText: p.words.trouble }).waitFor();
    await p.page.unroute('**/answers');
    await p.page.reload();
    await p.page.getByRole('region', { name: p.words.earlier }).waitFor(); // there are earlier turns
    const said = await completeInterview(p, shortAnswers);
    await checkResponse(server, study, [{ asked: 'How was your morning?', answered: 'Busy.', followUp: false }, ...said]);
  });

  check('a double click sends once', async (on) => {
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    await p.write('Busy.');
    const before = await p.heading().elementHandle();
    await p.button(p.words.next).dblclick();
    await before.waitForElementState('hidden');
    assert.equal(await p.page.getByRole('alert').filter({ visible: true }).count(), 0);
    const said = await completeInterview(p, shortAnswers);
    await checkResponse(server, study, [{ asked: 'How was your morning?', answered: 'Busy.', followUp: false }, ...said]);
  });

  check('a ranking by dragging', async (on) => {
    const study = await server.launch({
      title: 'Drag', studyGuide: [{ type: 'flat', title: '', items: [{ type: 'ranking', text: 'In which order?', options: ['First', 'Second', 'Third'].map((text) => ({ text })) }] }],
    });
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    const [from, to] = await Promise.all(['First', 'Third'].map((text) => p.page.getByRole('listitem').filter({ hasText: text }).boundingBox()));
    await p.page.mouse.move(from.x + 60, from.y + from.height / 2);
    await p.page.mouse.down();
    await p.page.mouse.move(to.x + 60, to.y + to.height, { steps: 8 });
    await p.page.mouse.up();
    assert.deepEqual(await p.lines(), ['Second', 'Third', 'First']);
    await p.page.reload();
    assert.deepEqual(await p.lines(), ['Second', 'Third', 'First']);
    await p.send();
    await checkResponse(server, study, [{ asked: 'In which order?', answered: '1. Second\n2. Third\n3. First', followUp: false }]);
  });

  check('where the app does not load, the page works by its forms', async (on) => {
    on.expect(/ERR_FAILED/);
    const study = await server.launch(short);
    const p = await on.visit(null, { scripts });
    await p.page.context().route(/\.js$/, (route) => route.abort());
    const plain = new Participant(p.page);
    await plain.open(study.link);
    await plain.begin();
    await checkResponse(server, study, await completeInterview(plain, shortAnswers));
  });
}
