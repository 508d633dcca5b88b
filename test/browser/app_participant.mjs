// A participant on the page with JavaScript, where the next step appears without loading a page.
import assert from 'node:assert/strict';
import { Participant } from './participant.mjs';

export class AppParticipant extends Participant {
  fill(key, values) {
    return Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), this.words[key]);
  }

  async lines() {
    const texts = await this.page.getByRole('main').getByRole('listitem').locator('.what').allInnerTexts();
    return texts.map((text) => text.trim());
  }

  async rank(...texts) {
    for (const [to, text] of texts.entries()) {
      for (let at = (await this.lines()).indexOf(text); at > to; at--) {
        await this.inputMethod.press(this.page, this.button(this.fill('rankUp', { text })));
      }
    }
    assert.deepEqual(await this.lines(), texts);
    return texts.map((text, i) => `${i + 1}. ${text}`).join('\n');
  }

  async send(name) {
    const next = this.button(this.words.next);
    await this.go(name ? this.button(name) : next.or(this.button(this.words.rankKeep)));
  }

  async go(button) {
    const before = await this.heading().elementHandle();
    await this.inputMethod.press(this.page, button);
    await before.waitForElementState('hidden'); // another step has another heading
    await this.heading().waitFor();
  }

  async press() {
    await this.inputMethod.press(this.page, this.button(this.words.next));
  }

  async sendEmpty() {
    await this.press();
    await this.page.getByRole('alert').filter({ hasText: this.words.errorsTitle }).waitFor();
  }

  async exclude(on, text, exclusive) {
    await this.chooseAll(text);
    await this.chooseAll(exclusive);
    const other = this.option('checkbox', text);
    assert.deepEqual([await other.isChecked(), await other.isDisabled()], [false, true]);
    await this.send();
  }

  // overtaken waits until this tab shows that the other one has answered, without any action.
  async overtaken() {
    await this.page.getByRole('status').filter({ hasText: this.words.otherTab }).waitFor();
  }

  async sendAndSurvive(on, server, address, current, typed) {
    on.expect(/ERR_CONNECTION_REFUSED/);
    await this.press();
    await this.page.getByRole('status').filter({ hasText: this.words.trouble }).waitFor();
    assert.equal(await this.asked(), current);
    const before = await this.heading().elementHandle();
    await server.start();
    await before.waitForElementState('hidden');
    return [{ asked: current, answered: typed, followUp: true }];
  }
}
