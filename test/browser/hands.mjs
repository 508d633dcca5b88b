// The two ways to use a page: by pointing, and by the keyboard alone.
import assert from 'node:assert/strict';

export const pointer = {
  check: (page, field) => field.check(),
  write: (page, field, text) => field.fill(text),
  press: (page, button) => button.click(),
};

const most = 120; // presses of a key, before it is clear that they lead nowhere

// isThere tells whether the keyboard is at a field, or at another radio button of its group.
const isThere = (field, group) => field.evaluate((wanted, alsoGroup) => {
  const at = document.activeElement;
  return at === wanted || alsoGroup && at.type === 'radio' && at.name === wanted.name && at.form === wanted.form;
}, group);

async function tabTo(page, field, { group = false } = {}) {
  for (let i = 0; i < most; i++) {
    if (await isThere(field, group)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`the tabulator does not lead to ${field}`);
}

export const keyboard = {
  async check(page, field) {
    const radio = await field.evaluate((at) => at.type === 'radio');
    await tabTo(page, field, { group: radio });
    for (let i = 0; radio && i < most && !(await isThere(field, false)); i++) await page.keyboard.press('ArrowDown');
    if (!(await field.isChecked())) await page.keyboard.press('Space');
    assert.ok(await field.isChecked());
  },
  async write(page, field, text) {
    await tabTo(page, field);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  },
  async press(page, button) {
    await tabTo(page, button);
    await page.keyboard.press('Enter');
  },
};
