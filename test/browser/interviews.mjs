// Complete interviews, on a phone and on a desktop.
import assert from 'node:assert/strict';
import { sizes } from './browser.mjs';
import { keyboard } from './input_methods.mjs';
import { allAnswers, shortAnswers, completeInterview } from './participant.mjs';
import { everything, short, numbers } from './studies.mjs';
import { check, server, checkResponse, withAuditor } from './harness.mjs';

// checkFits fails if the page is wider than the screen.
export async function checkFits(p) {
  const [page, screen] = await p.page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(page <= screen, `“${await p.asked()}” is ${page} px wide on ${screen} px`);
}

export function interviews(scripts) {
  for (const size of Object.keys(sizes)) {
    check(`every item type, ${size}, with a reload at every step`, async (on) => {
      const study = await server.launch(everything);
      const p = await on.visit(`${study.link}?panel=p7&_source=x`, { size, scripts });
      assert.equal(await p.asked(), 'Thank you for joining us');
      await p.reads(p.words.disclosure);
      await checkFits(p);
      await p.begin();
      const address = p.page.url();
      const said = await completeInterview(p, allAnswers, {
        atStep: async (asked) => {
          await checkFits(p);
          await p.page.reload();
          assert.equal(await p.asked(), asked);
          assert.equal(p.page.url(), address);
        },
      });
      await p.reads('That was all. We wish you a good cup tomorrow.');
      const response = await checkResponse(server, study, said);
      assert.deepEqual(response.urlParams, { panel: 'p7' });
      assert.ok(said.some((turn) => turn.followUp), 'nothing was followed up');
      assert.equal(new Set(said.filter((turn) => turn.asked === 'What goes through your mind?').map((turn) => turn.answered)).size, 2, 'concepts');
      const answered = response.answersArray.find((answer) => answer.question === 'What do you own?');
      assert.equal(answered.answer, 'A grinder; A machine; A sieve');
    });
  }

  check('by the keyboard alone', async (on) => {
    const study = await server.launch(everything);
    const p = await on.visit(study.link, { scripts, inputMethod: keyboard });
    await p.begin();
    await checkResponse(server, study, await completeInterview(p, allAnswers));
  });

  check('follow-ups, at most four and none of them twice', async (on) => {
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts, size: 'phone' });
    await p.begin();
    const said = await completeInterview(p, shortAnswers);
    const followUps = said.filter((turn) => turn.followUp);
    assert.ok(followUps.length >= 1 && followUps.length <= 4, `${followUps.length} follow-ups`);
    assert.equal(new Set(followUps.map((turn) => turn.asked)).size, followUps.length, 'a follow-up came twice');
    await checkResponse(server, study, said);
  });

  check('an option that excludes the others', async (on) => {
    const study = await server.launch({
      title: 'Exclusive', studyGuide: [{
        type: 'flat', title: '', items: [{
          type: 'multiple_choice', text: 'What do you own?', multiSelect: true,
          options: [{ text: 'A grinder' }, { text: 'A kettle' }, { text: 'Nothing of these', exclusiveOption: true }],
        }],
      }],
    });
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    await p.exclude(on, 'A kettle', 'Nothing of these');
    await checkResponse(server, study, [{ asked: 'What do you own?', answered: 'Nothing of these', followUp: false }]);
  });

  check('screened out', async (on) => {
    const study = await server.launch(everything);
    const p = await on.visit(study.link, { scripts, size: 'phone' });
    await p.begin();
    const said = await completeInterview(p, { 'How often do you make coffee at home?': (by) => by.choose('Never') });
    assert.equal(await p.asked(), p.words.screenedTitle);
    await p.page.reload();
    assert.equal(await p.asked(), p.words.screenedTitle);
    await checkResponse(server, study, said, { progress: 'screened_out' });
  });

  check('withdrawn', async (on) => {
    on.expect(/status of 410/);
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts });
    await p.begin();
    const address = p.page.url();
    await p.write('Busy.');
    await p.send();
    await p.withdraw();
    assert.equal(await p.asked(), p.words.withdrawnTitle);
    assert.deepEqual(await server.responses(study), []);
    await p.open(address);
    assert.equal(await p.asked(), p.words.goneTitle);
  });

  check('languages, and from right to left', async (on) => {
    const study = await server.launch(everything);
    const p = await on.visit(`${study.link}?panel=p7`, { scripts, size: 'phone' });
    const html = p.page.locator('html');
    assert.deepEqual([await html.getAttribute('lang'), await html.getAttribute('dir')], ['en', 'ltr']);
    await p.switchTo('de');
    assert.deepEqual([await html.getAttribute('lang'), await html.getAttribute('dir')], ['de', 'ltr']);
    await p.switchTo('ar');
    assert.deepEqual([await html.getAttribute('lang'), await html.getAttribute('dir')], ['ar', 'rtl']);
    await p.begin();
    const said = await completeInterview(p, allAnswers, {
      atStep: async () => {
        await checkFits(p);
        assert.deepEqual([await html.getAttribute('lang'), await html.getAttribute('dir')], ['ar', 'rtl']);
      },
    });
    const mirrored = await p.heading().evaluate((at) => getComputedStyle(at).direction);
    assert.equal(mirrored, 'rtl');
    const response = await checkResponse(server, study, said);
    assert.deepEqual(response.urlParams, { panel: 'p7' });
  });

  check('many languages are in a list', async (on) => {
    const study = await server.launch({ ...numbers, config: { availableLanguages: 'en de fr it es'.split(' ') } });
    await server.approve(study, 'de', 'fr', 'it');
    const p = await on.visit(`${study.link}?panel=p7`, { scripts, size: 'phone' });
    await checkFits(p);
    await withAuditor('phone', (auditor) => auditor.audit(p.page, scripts));
    const list = p.page.getByRole('combobox', { name: p.words.language });
    assert.deepEqual(await list.locator('option').allInnerTexts(), ['English', 'Deutsch', 'Français', 'Italiano'], 'a language without approved texts is not offered');
    await list.selectOption({ label: 'Deutsch' });
    await p.button(p.words.continue).click();
    await p.speaks('de').button(p.words.consent).waitFor();
    const address = new URL(p.page.url());
    assert.deepEqual([...address.searchParams], [['panel', 'p7'], ['_language', 'de']]);
    assert.equal(await p.page.getByRole('combobox', { name: p.words.language }).inputValue(), 'de');
  });

  check('a few languages are buttons, and the browser’s is chosen', async (on) => {
    const study = await server.launch({ ...numbers, config: { availableLanguages: ['en', 'de', 'ar'] } });
    await server.approve(study, 'de', 'ar');
    const p = await on.visit(study.link, { scripts, size: 'phone', locale: 'de-CH' });
    await p.speaks('de').button(p.words.consent).waitFor();
    await p.page.getByRole('form', { name: p.words.language }).getByRole('button', { name: 'العربية', exact: true }).click();
    await p.speaks('ar').button(p.words.consent).waitFor();
    await checkFits(p);
  });
}
