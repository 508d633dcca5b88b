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
    await this.inputMethod.press(this.page, this.button(this.fill('rankDown', { text: (await this.lines())[0] }))); // nothing is asked about an order that was changed
    for (const [to, text] of texts.entries()) {
      for (let at = (await this.lines()).indexOf(text); at > to; at--) {
        await this.inputMethod.press(this.page, this.button(this.fill('rankUp', { text })));
      }
    }
    assert.deepEqual(await this.lines(), texts);
    return texts.map((text, i) => `${i + 1}. ${text}`).join('\n');
  }

  async send(name) {
    await this.go(this.button(name ?? this.words.next));
  }

  async go(button) {
    const before = await this.heading().elementHandle();
    await this.inputMethod.press(this.page, button);
    do { // another step has another heading; this one comes back for a moment where the answer has to be sent again
      await before.waitForElementState('hidden');
      await this.heading().waitFor();
    } while (await before.isVisible());
  }

  async press() {
    await this.inputMethod.press(this.page, this.button(this.words.next));
  }

  async sendEmpty() {
    await this.press();
    await this.page.getByRole('alert').filter({ hasText: this.words.errorsTitle }).waitFor();
  }

  async exclude(on, text, exclusive) {
    const states = async () => [await this.option('checkbox', text).isChecked(), await this.option('checkbox', exclusive).isChecked()];
    await this.chooseAll(text);
    await this.chooseAll(exclusive);
    assert.deepEqual(await states(), [false, true]);
    await this.chooseAll(text);
    assert.deepEqual(await states(), [true, false], 'the other way round, too');
    await this.chooseAll(exclusive);
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
