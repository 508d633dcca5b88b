// A participant on the page without JavaScript, who finds everything by role and label.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { pointer } from './input_methods.mjs';

const catalogue = async (language) =>
  JSON.parse(await readFile(new URL(`../../internal/api/locale/${language}.json`, import.meta.url), 'utf8'));
const wordsOf = { en: await catalogue('en'), de: await catalogue('de'), ar: await catalogue('ar') };

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export class Participant {
  constructor(page, { inputMethod = pointer, words = wordsOf.en } = {}) {
    Object.assign(this, { page, inputMethod, words });
  }

  // speaks sets the language of the page that the participant expects.
  speaks(language) {
    this.words = wordsOf[language];
    return this;
  }

  async open(link) {
    await this.page.goto(link);
    await this.heading().waitFor();
  }

  heading() { return this.page.getByRole('heading', { level: 1 }); }
  async asked() { return (await this.heading().innerText()).trim(); }
  async reads(text) { await this.page.getByText(text).first().waitFor(); }

  async begin() {
    await this.go(this.button(this.words.consent));
  }

  button(name) { return this.page.getByRole('button', { name, exact: true }); }
  option(role, text) { return this.page.getByRole(role, { name: new RegExp(`^${escaped(text)}`) }); }

  // The following enter an answer without sending it, and return it as the API will return it.
  async write(text) {
    await this.inputMethod.write(this.page, this.page.getByRole('textbox'), text);
    return text;
  }

  async choose(text) {
    await this.inputMethod.check(this.page, this.option('radio', text));
    return text;
  }

  async chooseAll(...texts) {
    for (const text of texts) await this.inputMethod.check(this.page, this.option('checkbox', text));
    return texts.join('; ');
  }

  async writeOther(role, text) {
    await this.inputMethod.check(this.page, this.option(role, this.words.other));
    await this.inputMethod.write(this.page, this.page.getByRole('textbox', { name: this.words.otherText }), text);
    return text;
  }

  async rank(...texts) {
    for (const [i, text] of texts.entries()) {
      await this.inputMethod.write(this.page, this.page.getByRole('spinbutton', { name: text, exact: true }), String(i + 1));
    }
    return texts.map((text, i) => `${i + 1}. ${text}`).join('\n');
  }

  async rate(cells) {
    for (const [row, column] of Object.entries(cells)) {
      const group = this.page.getByRole('radiogroup', { name: row });
      await this.inputMethod.check(this.page, group.getByRole('radio', { name: column, exact: true }));
    }
    return Object.entries(cells).map(([row, column]) => `${row}: ${column}`).join('\n');
  }

  // judge chooses the first option as most and the last as least.
  async judge() {
    const best = await this.page.getByRole('radio', { name: new RegExp(`^${this.words.most} `) }).all();
    const worst = await this.page.getByRole('radio', { name: new RegExp(`^${this.words.least} `) }).all();
    const named = async (field) => (await field.evaluate((at) => at.closest('tr').querySelector('th').innerText)).trim();
    await this.inputMethod.check(this.page, best[0]);
    await this.inputMethod.check(this.page, worst.at(-1));
    return `Most: ${await named(best[0])}; Least: ${await named(worst.at(-1))}`;
  }

  // concept returns the title of the current concept.
  concept() { return this.page.getByRole('heading', { level: 2, name: /^The / }).innerText(); }

  // send sends the answer and waits for the next page.
  async send(name = this.words.next) {
    await this.go(this.button(name));
  }

  // go presses a button that leads to another step or page.
  async go(button) {
    const answered = this.page.waitForEvent('load');
    await this.inputMethod.press(this.page, button);
    await answered;
    await this.heading().waitFor();
  }

  // sendEmpty sends no answer and waits until that is refused.
  async sendEmpty() {
    await this.send();
    await this.page.getByRole('alert').waitFor();
  }

  // exclude selects an option and the one that excludes it, which is refused, and then the exclusive option alone.
  async exclude(on, text, exclusive) {
    on.expect(/status of 400/);
    await this.chooseAll(text, exclusive);
    await this.send();
    assert.match(await this.page.getByRole('alert').innerText(), new RegExp(escaped(this.words.errExclusive)));
    await this.option('checkbox', text).uncheck();
    await this.send();
  }

  // switchTo opens the study's link in a language that it has no translation into, and does not offer.
  async switchTo(language) {
    const link = new URL(this.page.url());
    link.searchParams.set('_language', language);
    await this.page.goto(link.href);
    await this.speaks(language).button(this.words.consent).waitFor();
  }

  async anotherTab() {
    const other = new this.constructor(await this.page.context().newPage(), this);
    await other.open(this.page.url());
    return other;
  }

  // overtaken sends an answer to a step that the other tab has answered.
  async overtaken() { await this.send(); }

  // sendAndSurvive sends an answer while the server is down, and starts the server. It returns the turns that were answered.
  async sendAndSurvive(on, server, address, current) {
    on.expect(/ERR_CONNECTION_REFUSED/);
    const failed = this.page.waitForEvent('framenavigated', (frame) => frame.url().startsWith('chrome-error:'));
    await this.inputMethod.press(this.page, this.button(this.words.next));
    await failed;
    await server.start();
    await this.open(address);
    assert.equal(await this.asked(), current);
    return [];
  }

  // withdrawLink opens the withdrawal.
  withdrawLink() { return this.page.getByText(this.words.withdraw, { exact: true }).first(); }

  async withdraw() {
    await this.inputMethod.press(this.page, this.withdrawLink());
    await this.go(this.button(this.words.withdrawButton));
  }
}

const judged = 'Which would you miss most, and which least?';
const statement = 'First we talk about your mornings.';

// allAnswers has a function for each question of the study `everything`. It enters an answer and returns it as the API will return it.
export const allAnswers = {
  'How often do you make coffee at home?': (p) => p.choose('Every day'),
  [statement]: async () => '',
  'Your coffee at home': async () => '', // the statement again: without JavaScript the heading is the study's title
  'Tell us about your last cup of coffee.': (p) => p.write('It was hot & <b>strong</b>.'),
  'Where did you drink it?': (p) => p.choose('At my desk'),
  'What do you own?': async (p) => `${await p.chooseAll('A grinder', 'A machine')}; ${await p.writeOther('checkbox', 'A sieve')}`,
  'Which of these do you use daily?': (p) => p.chooseAll('A grinder', 'A sieve'),
  'Who taught you?': (p) => p.writeOther('radio', 'My mother, in 1998'),
  'What matters most to you?': (p) => p.rank('Warmth', 'Taste', 'Speed', 'Price'),
  'How content are you?': (p) => p.rate({ 'With the taste': 'Very', 'With the effort': 'Not at all', 'With the price': 'Somewhat' }),
  [judged]: (p) => p.judge(),
  'What goes through your mind?': async (p) => p.write(`It reminds me of my aunt’s kitchen 👵🏽, ${await p.concept()}.`),
  'Would you use it?': (p) => p.choose('Perhaps'),
  'Is there anything else?': (p) => p.write('No,\nthank you.'),
};

export const shortAnswers = {
  'How was your morning?': (p) => p.write('Busy.'),
  'Was it a good one?': (p) => p.choose('Yes'),
  'And how will the evening be?': (p) => p.write('Quiet.'),
};

const replies = ['It was on Monday, at home.', 'The kettle was old.', 'My neighbour came by.', 'We laughed a lot.'];

// completeInterview answers an interview from its current step to its end and returns the turns. A question without an answer in answers
// must be a follow-up. atStep is called at each step, before it is answered.
export async function completeInterview(p, answers, { atStep = async () => {} } = {}) {
  const said = [];
  let followUps = 0;
  for (;;) {
    const asked = await p.asked();
    await atStep(asked);
    if (asked === p.words.completeTitle || asked === p.words.screenedTitle) return said;
    const answer = answers[asked];
    const last = said.at(-1);
    if (!answer) {
      assert.ok(followUps < replies.length, `“${asked}” is no question of the study`);
      said.push({ asked, answered: await p.write(replies[followUps++]), followUp: true });
      await p.send();
      continue;
    }
    followUps = 0;
    const isStatement = answer === allAnswers[statement] || answer === allAnswers['Your coffee at home'];
    const answered = await answer(p);
    if (last?.asked === asked && asked === judged) last.answered += `\n${answered}`; // the next screen of a MaxDiff
    else said.push({ asked: isStatement ? statement : asked, answered, followUp: false });
    await p.send(isStatement ? 'Let us begin' : undefined);
  }
}
