// A complete study by a client of @hey-api/openapi-ts.
import { createClient as createV1 } from './generated/hey-v1/client/index.js';
import * as v1 from './generated/hey-v1/index.js';
import { createClient as createLegacy } from './generated/hey-legacy/client/index.js';
import * as legacy from './generated/hey-legacy/index.js';
import { createClient as createParticipant } from './generated/hey-participant/client/index.js';
import * as participant from './generated/hey-participant/index.js';
import { guide, participantsSource } from './guide.js';
import { answerTo, check, impossible, need, types } from './interview.js';

const baseUrl = need(process.env.ORIGIN);
const auth = need(process.env.KEY);
const api = createV1({ baseUrl, auth });
const old = createLegacy({ baseUrl, auth });
const interviews = createParticipant({ baseUrl });

// Both generators understand the same guide.
const own: v1.StudyGuide = guide;

const refused = await v1.createStudy({ client: api, body: { title: '', studyGuide: [] } });
check(refused.error !== undefined && 'code' in refused.error && refused.error.code === 'invalid_request_body', 'an empty guide was not refused');

const created = need((await v1.createStudy({ client: api, body: own, headers: { 'Idempotency-Key': 'hey' } })).data);
const launched = need((await v1.launchStudy({ client: api, path: { studyId: created.id }, body: {} })).data);
check(launched.status === 'live', 'the launch');
const { questions } = need((await v1.listQuestions({ client: api, path: { studyId: created.id } })).data);
check(questions.map(shape).join() === '2,0,3,3,0,4,4,0', `the questions are ${JSON.stringify(questions)}`);

function shape(question: v1.Question): number {
  switch (question.type) {
    case 'multiple_choice': case 'ranking': return question.options.length;
    case 'matrix': return question.rows.length + question.columns.length;
    case 'max_diff': return question.options.length;
    case 'open_ended': case 'statement': case 'file_upload': return 0;
    default: return impossible(question);
  }
}

const { linkId } = created;
check(need((await participant.openStudy({ client: interviews, path: { linkId } })).data).title === 'Cooking at home', 'the invitation');
const begun = need((await participant.beginInterview({ client: interviews, path: { linkId }, query: { params: { source: 'hey' } }, querySerializer: () => 'source=hey', body: {} })).data);
const asked = new Map<string, number>();
let step: participant.Step = begun.step;
while (step.kind !== 'complete') {
  const answered = await participant.answerStep({ client: interviews, path: { token: begun.token }, body: answerTo(step, asked) });
  step = need(answered.data).step;
}
for (const type of types) check(asked.has(type), `nothing of type ${type} was asked: ${JSON.stringify([...asked])}`);
const stale = await participant.answerStep({ client: interviews, path: { token: begun.token }, body: { stepId: 'never' } });
check(stale.error?.code === 'stale_step', `a stale step answers ${JSON.stringify(stale.error)}`);

const found = need((await v1.searchResponses({ client: api, query: { parameter: 'source', value: 'hey', limit: 10 } })).data);
const hit = need(found.results[0]);
const [listed] = need((await v1.listResponses({ client: api, path: { linkId } })).data);
check(need(listed).id === hit.responseId && need(listed).progress === 'complete', 'the list');
const single = need((await v1.getResponse({ client: api, path: { linkId, responseId: String(hit.readableResponseId) } })).data);
check(single.transcript.length > 5 && single.urlParams.source !== participantsSource, 'the transcript');
const older = need((await legacy.legacyListSurveys({ client: old })).data);
check(older.some((survey) => survey.link_id === linkId), 'the legacy list');

const receipt = need((await v1.deleteResponse({ client: api, query: { studyId: created.id, responseId: hit.responseId } })).data);
check(need((await v1.getDeletion({ client: api, path: { deletionId: receipt.deletionId } })).data).responseId === hit.responseId, 'the deletion');
const gone = await v1.getResponse({ client: api, path: { linkId, responseId: hit.responseId } });
check(gone.error?.code === 'response_not_found', 'the response is still there');
