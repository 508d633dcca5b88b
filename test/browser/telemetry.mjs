// The telemetry of answers: counted for each answer anew, and for open answers only.
import assert from 'node:assert/strict';
import { short } from './studies.mjs';
import { check, server } from './harness.mjs';

export function telemetry() {
  check('pasting, typing and leaving are told with open answers', async (on) => {
    const study = await server.launch(short);
    const p = await on.visit(study.link, { scripts: true });
    await p.begin();
    const sent = async (send) => {
      const [request] = await Promise.all([p.page.waitForRequest((asked) => asked.url().endsWith('/answers')), send()]);
      return request.postDataJSON().telemetry;
    };
    const field = p.page.getByRole('textbox');
    await field.pressSequentially('Busy. ');
    for (const keys of ['Control+A', 'Control+C', 'ArrowRight', 'Control+V']) await field.press(keys);
    assert.equal(await field.inputValue(), 'Busy. Busy. ');
    await p.page.evaluate(() => {
      for (const state of ['hidden', 'visible']) {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }
    });
    const { seconds, ...first } = await sent(() => p.send());
    assert.deepEqual(first, { pasted: 6, typed: 6, blurs: 1 });
    assert.ok(Number.isInteger(seconds) && seconds >= 0);

    await field.evaluate((area) => { // like dictation and assistive devices
      area.value = 'Spoken to a device.';
      area.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: area.value }));
    });
    const { seconds: _, ...second } = await sent(() => p.send()) ?? {};
    assert.deepEqual(second, {}, 'the counts of the answer before, or dictation counted as typing');
    while (await p.asked() !== 'Was it a good one?') {
      await p.write('It was.');
      await p.send();
    }
    await p.choose('Yes');
    assert.equal(await sent(() => p.send()), undefined, 'telemetry of a choice');
  });
}
