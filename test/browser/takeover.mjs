// The app replaces the server's page without disturbing participants who already read or answer it.
import assert from 'node:assert/strict';
import { allAnswers, completeInterview } from './participant.mjs';
import { everything } from './studies.mjs';
import { check, server } from './harness.mjs';

// places returns the positions of the heading, the field and the button, in pixels. A statement's heading is hidden without the app, and
// the label of a ranking's button differs.
const places = (page) => page.evaluate(() => {
  const at = (selector, ...sides) => {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    return box && sides.map((side) => Math.round(box[side]));
  };
  const ranked = document.querySelector('.ranks, .ranking');
  return {
    heading: document.querySelector('main .statement') ? undefined : at('main h1', 'x', 'y', 'height'),
    field: at('main textarea, .choices, .grid, .matrix, .ranks, .ranking, .maxdiff', 'x', 'y', 'width', 'height'),
    button: at('main .go button, main form > button, main > button', 'x', 'y', 'height', ...(ranked ? [] : ['width'])),
  };
});

// kindOf identifies a kind of page by its fields.
const kindOf = (page) => page.evaluate(() => ['.concept', 'textarea', '.choices [type=radio]', '.choices [type=checkbox]', '.custom', '.ranking', '.matrix', '.maxdiff', '.statement', '.lead', '.mark']
  .filter((selector) => document.querySelector(selector)).join());

// delayApp keeps the app from loading until the returned function is called.
async function delayApp(page) {
  let release;
  const allowed = new Promise((resolve) => { release = resolve; });
  await page.route('**/participant/*.js', async (route) => {
    await allowed;
    await route.continue();
  });
  return release;
}

const waitForApp = (p) => p.page.locator('.app').getByRole('heading', { level: 1 }).waitFor();

export function takeover() {
  for (const size of ['phone', 'desktop']) {
    check(`nothing moves when the app takes over, ${size}`, async (on) => {
      const study = await server.launch(everything);
      const reader = await on.visit(study.link, { size });
      const p = await on.visit(undefined, { size, scripts: true });
      const compared = new Set(); // each kind of page is compared once
      const compare = async () => {
        const kind = await kindOf(reader.page);
        if (compared.has(kind)) return;
        compared.add(kind);
        await p.page.goto(reader.page.url());
        await waitForApp(p);
        // The app shows concepts beside the question or in a drawer, and on phones asks a matrix row by row: those have to move.
        if (kind.includes('.concept')) return;
        const [app, plain] = [await places(p.page), await places(reader.page)];
        if (size === 'phone' && kind.includes('.matrix')) app.field = app.button = plain.field = plain.button = undefined;
        assert.deepEqual(app, plain, await reader.asked());
      };
      await compare();
      await reader.begin();
      await completeInterview(reader, allAnswers, { atStep: compare });
    });
  }

  check('what is done before the app comes is kept', async (on) => {
    const study = await server.launch({
      title: 'Mornings',
      studyGuide: [{ type: 'flat', title: 'Mornings', items: [
        { type: 'open_ended', text: 'How was your morning?', followUp: 'none' },
        { type: 'multiple_choice', text: 'What did you have?', multiSelect: true, allowCustomOption: true, options: [{ text: 'Coffee' }, { text: 'Tea' }] },
        { type: 'matrix', text: 'How were they?', options: [{ text: 'Good' }, { text: 'Bad' }], rows: [{ text: 'The coffee' }, { text: 'The tea' }] },
        { type: 'max_diff', text: 'Which would you miss?', itemsPerScreen: 3, options: [{ text: 'The coffee' }, { text: 'The tea' }, { text: 'The cup' }] },
      ] }],
    });
    const p = await on.visit(study.link, { scripts: true, size: 'phone' });
    await p.begin();
    const early = async (answer, afterwards = async () => {}) => {
      const release = await delayApp(p.page);
      await p.page.goto(p.page.url(), { waitUntil: 'commit' });
      await p.page.locator('main form > button').waitFor(); // the server's
      await answer();
      release();
      await waitForApp(p);
      await p.page.unroute('**/participant/*.js');
      await afterwards();
      await p.send();
    };
    await early(async () => {
      await p.write('Busy.');
      await p.page.getByRole('textbox').evaluate((field) => {
        field.focus();
        field.setSelectionRange(2, 4);
      });
    }, async () => {
      const writing = await p.page.evaluate(() => [document.activeElement.value, document.activeElement.selectionStart, document.activeElement.selectionEnd]);
      assert.deepEqual(writing, ['Busy.', 2, 4]);
    });
    await early(async () => {
      await p.chooseAll('Tea');
      await p.writeOther('checkbox', 'Water');
    });
    await early(() => p.rate({ 'The coffee': 'Good', 'The tea': 'Bad' }));
    await early(() => p.judge());
    assert.equal(await p.asked(), p.words.completeTitle);
    const [response] = await server.responses(study);
    assert.deepEqual(response.transcript.filter((row) => row.discussionGuideQuestionId).map((row) => row.user).slice(0, 3),
      ['Busy.', 'Tea; Water', 'The coffee: Good\nThe tea: Bad']);
  });
}
