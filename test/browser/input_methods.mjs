// The two ways to use a page: with a pointer, and with the keyboard alone.
import assert from 'node:assert/strict';

export const pointer = {
  check: (page, field) => field.check(),
  write: (page, field, text) => field.fill(text),
  press: (page, button) => button.click(),
};

const maxPresses = 120; // key presses before the field counts as unreachable

// hasFocus reports whether a field has the focus, or another radio button of its group.
const hasFocus = (field, group) => field.evaluate((wanted, alsoGroup) => {
  const active = document.activeElement;
  return active === wanted || alsoGroup && active.type === 'radio' && active.name === wanted.name && active.form === wanted.form;
}, group);

async function tabTo(page, field, { group = false } = {}) {
  for (let i = 0; i < maxPresses; i++) {
    if (await hasFocus(field, group)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`the Tab key does not reach ${field}`);
}

export const keyboard = {
  async check(page, field) {
    const radio = await field.evaluate((at) => at.type === 'radio');
    await tabTo(page, field, { group: radio });
    for (let i = 0; radio && i < maxPresses && !(await hasFocus(field, false)); i++) await page.keyboard.press('ArrowDown');
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
