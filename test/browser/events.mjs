// A follow-up that appears while it is written, by a moderator that the test controls.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { check, withAuditor } from './harness.mjs';

const scripts = true;

// withModerator runs a server whose moderator writes the words that the test sends it.
async function withModerator(on, run) {
  const child = spawn('go', ['run', './test/scripted'], { cwd: join(import.meta.dirname, '..', '..'), stdio: ['pipe', 'pipe', 'pipe'] });
  const log = [];
  child.stderr.setEncoding('utf8').on('data', (text) => log.push(text));
  const ended = once(child, 'exit');
  try {
    const [first] = await Promise.race([
      once(createInterface(child.stdout), 'line'),
      ended.then(() => { throw new Error(`the server ended:\n${log.join('')}`); }),
    ]);
    const { link } = JSON.parse(first);
    on.useServer({ origin: new URL(link).origin, lastLog: () => log.join('') });
    await run(link, (words) => child.stdin.write(`${words}\n`));
  } finally {
    child.stdin.end();
    await ended;
  }
}

export function followUps() {
  check('a follow-up appears while it is written', (on) => withAuditor('phone', (auditor) => withModerator(on, async (link, write) => {
    const p = await on.visit(link, { scripts, size: 'phone' });
    await p.begin();
    const other = await p.anotherTab();
    let answered = false;
    p.page.on('response', (reply) => { answered ||= reply.url().endsWith('/answers'); });
    await p.write('Busy.');
    const subscribed = p.page.waitForResponse((reply) => reply.url().endsWith('/events'));
    await p.press();
    assert.equal((await subscribed).headers()['content-type'], 'text/event-stream');
    const heading = (text) => p.page.getByRole('heading', { level: 1, name: text, exact: true });
    write('What made');
    await heading('What made').waitFor();
    await p.page.getByText('Busy.').waitFor(); // in the earlier turns
    assert.equal(await p.page.getByRole('textbox').count(), 0);
    await auditor.audit(p.page, scripts);
    write(' it so?');
    await heading('What made it so?').waitFor();
    assert.equal(answered, false, 'the words appear before the response to the answer');
    write('');
    await p.page.getByRole('textbox').waitFor();
    await heading('What made it so?').waitFor();
    await other.page.getByRole('heading', { level: 1, name: 'What made it so?', exact: true }).waitFor(); // by itself
    await p.write('The kettle.');
    await p.send();
    assert.equal(await p.asked(), 'And how will the evening be?');
    assert.deepEqual((await p.page.getByRole('region', { name: p.words.earlier }).locator('.asked').allInnerTexts()), ['How was your morning?', 'What made it so?']);
  })));

  check('a browser that cannot listen gets the follow-up all the same', (on) => withModerator(on, async (link, write) => {
    const p = await on.visit(null, { scripts });
    await p.page.addInitScript(() => { delete window.EventSource; });
    await p.open(link);
    await p.begin();
    await p.write('Busy.');
    await p.press();
    write('What made it so?');
    write('');
    await p.page.getByRole('heading', { level: 1, name: 'What made it so?', exact: true }).waitFor();
    await p.page.getByRole('textbox').waitFor();
  }));

  check('a connection for listening that fails changes nothing', (on) => withModerator(on, async (link, write) => {
    on.expect(/ERR_FAILED/);
    const p = await on.visit(null, { scripts });
    await p.page.route('**/events', (route) => route.abort());
    await p.open(link);
    await p.begin();
    await p.write('Busy.');
    const tried = p.page.waitForRequest('**/events');
    await p.press();
    await tried;
    write('What made it so?');
    write('');
    await p.page.getByRole('heading', { level: 1, name: 'What made it so?', exact: true }).waitFor();
  }));
}
