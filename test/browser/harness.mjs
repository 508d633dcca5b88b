// The setup of the tests: one server and one browser for all, and a wrapper for each test that also fails it for errors that the page does
// not show.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Auditor, launch, openContext } from './browser.mjs';
import { Participant } from './participant.mjs';
import { AppParticipant } from './app_participant.mjs';
import { Server } from './server.mjs';

export const server = await Server.begin();
export const browser = await launch();

after(async () => {
  await browser.close();
  await server.end();
});

// check defines a test in which participants visit pages. A failed test prints what its participants saw and the server's log. Errors on
// the console fail it too, except those that match an entry of expected.
export function check(name, run) {
  test(name, { timeout: 180_000 }, async () => {
    const visits = [];
    const visited = { server, expected: [] };
    const on = {
      expect: (...patterns) => visited.expected.push(...patterns),
      // useServer sets the server to visit, if it is not the shared one.
      useServer(other) { visited.server = other; },
      async visit(link, { inputMethod, from = browser, ...context } = {}) {
        const opened = await openContext(from, visited.server.origin, context);
        visits.push(opened);
        const p = new (context.scripts ? AppParticipant : Participant)(await opened.context.newPage(), { inputMethod });
        if (link) await p.open(link);
        return p;
      },
    };
    try {
      await run(on);
      for (const { errors } of visits) {
        assert.deepEqual(errors.filter((error) => !visited.expected.some((pattern) => pattern.test(error))), []);
      }
    } catch (error) {
      for (const { context } of visits) {
        for (const page of context.pages()) console.error(`${name}: ${page.url()} shows\n${await page.locator('body').innerText({ timeout: 1000 }).catch(String)}`);
      }
      console.error(`${name}: the server's log:\n${visited.server.lastLog()}`);
      throw error;
    } finally {
      await Promise.all(visits.map(({ context }) => context.close()));
    }
  });
}

export async function withAuditor(size, run) {
  const auditor = await Auditor.create(browser, size);
  try {
    await run(auditor);
  } finally {
    await auditor.close();
  }
}

// checkResponse compares the API's transcript of a study's only response with the turns.
export async function checkResponse(at, study, turns, { progress = 'complete' } = {}) {
  const responses = await at.responses(study);
  assert.equal(responses.length, 1, 'responses of the study');
  const [response] = responses;
  assert.equal(response.progress, progress);
  const rows = response.transcript.filter((row) => row.discussionGuideQuestionId).map((row) => ({ asked: row.moderator, answered: row.user, followUp: row.isFollowUp }));
  assert.deepEqual(rows, turns.map(({ asked, answered, followUp }) => ({ asked, answered, followUp })));
  return response;
}
