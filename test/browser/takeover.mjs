// How the app takes over the page that the server has made: nobody who reads or answers that page already is disturbed.
import assert from 'node:assert/strict';
import { everythingSaid, take } from './participant.mjs';
import { everything } from './studies.mjs';
import { check, server } from './world.mjs';

// Where things are on the page, in whole pixels: the heading, the field and the button that goes on. A statement's heading is
// not seen without the app, and a ranking's button has other words.
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

// kindOf tells pages apart by what there is to answer with.
const kindOf = (page) => page.evaluate(() => ['.concept', 'textarea', '.choices [type=radio]', '.choices [type=checkbox]', '.custom', '.ranking', '.matrix', '.maxdiff', '.statement', '.lead', '.mark']
  .filter((selector) => document.querySelector(selector)).join());

// held keeps the app away until it is let go.
async function held(page) {
  let letGo;
  const allowed = new Promise((resolve) => { letGo = resolve; });
  await page.route('**/participant/*.js', async (route) => {
    await allowed;
    await route.continue();
  });
  return letGo;
}

const tookOver = (p) => p.page.locator('.app').getByRole('heading', { level: 1 }).waitFor();

export function takeover() {
  for (const size of ['phone', 'desktop']) {
    check(`nothing moves when the app takes over, ${size}`, async (on) => {
      const study = await server.launch(everything);
      const reader = await on.visit(study.link, { size });
      const p = await on.visit(undefined, { size, scripts: true });
      const compared = new Set(); // one page of a kind is enough
      const compare = async () => {
        const kind = await kindOf(reader.page);
        if (compared.has(kind)) return;
        compared.add(kind);
        await p.page.goto(reader.page.url());
        await tookOver(p);
        assert.deepEqual(await places(p.page), await places(reader.page), await reader.asked());
      };
      await compare();
      await reader.begin();
      await take(reader, everythingSaid, { atStep: compare });
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
      const letGo = await held(p.page);
      await p.page.goto(p.page.url(), { waitUntil: 'commit' });
      await p.page.locator('main form > button').waitFor(); // the server's
      await answer();
      letGo();
      await tookOver(p);
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
