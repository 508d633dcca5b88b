// What the tests stand on: one server and one browser for all, and a frame around each test that finds what went wrong
// unseen.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Auditor, launch, openContext } from './browser.mjs';
import { Participant } from './participant.mjs';
import { Scripted } from './scripted.mjs';
import { Server } from './server.mjs';

export const server = await Server.begin();
export const browser = await launch();

after(async () => {
  await browser.close();
  await server.end();
});

// check is a test in which participants visit pages. A test that fails says what its participants saw, and what the
// server said. Errors on the console fail it, too, but those that match an entry of expected.
export function check(name, run) {
  test(name, { timeout: 180_000 }, async () => {
    const visits = [];
    const asked = { at: server, expected: [] };
    const on = {
      expect: (...patterns) => asked.expected.push(...patterns),
      // at names the server to visit, where it is not the one for all.
      at(other) { asked.at = other; },
      async visit(link, { hands, from = browser, ...context } = {}) {
        const opened = await openContext(from, asked.at.origin, context);
        visits.push(opened);
        const p = new (context.scripts ? Scripted : Participant)(await opened.context.newPage(), { hands });
        if (link) await p.open(link);
        return p;
      },
    };
    try {
      await run(on);
      for (const { faults } of visits) {
        assert.deepEqual(faults.filter((fault) => !asked.expected.some((pattern) => pattern.test(fault))), []);
      }
    } catch (error) {
      for (const { context } of visits) {
        for (const page of context.pages()) console.error(`${name}: ${page.url()} shows\n${await page.locator('body').innerText({ timeout: 1000 }).catch(String)}`);
      }
      console.error(`${name}: the server's last words:\n${asked.at.lastWords()}`);
      throw error;
    } finally {
      await Promise.all(visits.map(({ context }) => context.close()));
    }
  });
}

export async function withAuditor(size, run) {
  const auditor = await Auditor.beside(browser, size);
  try {
    await run(auditor);
  } finally {
    await auditor.close();
  }
}

// tells holds what the API tells about a study's only response against what was said.
export async function tells(at, study, said, { progress = 'complete' } = {}) {
  const responses = await at.responses(study);
  assert.equal(responses.length, 1, 'responses of the study');
  const [response] = responses;
  assert.equal(response.progress, progress);
  const rows = response.transcript.filter((row) => row.discussionGuideQuestionId).map((row) => ({ asked: row.moderator, answered: row.user, followUp: row.isFollowUp }));
  assert.deepEqual(rows, said.map(({ asked, answered, followUp }) => ({ asked, answered, followUp })));
  return response;
}
