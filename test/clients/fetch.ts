// A complete study by a client of openapi-typescript and openapi-fetch.
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/v1.js';
import type { paths as LegacyPaths } from './generated/legacy.js';
import type { paths as ParticipantPaths } from './generated/participant.js';
import { guide, participantsSource } from './guide.js';
import { answerTo, check, impossible, need, types } from './interview.js';

const baseUrl = need(process.env.ORIGIN);
const headers = { 'x-api-key': need(process.env.KEY) };
const v1 = createClient<paths>({ baseUrl, headers });
const legacy = createClient<LegacyPaths>({ baseUrl, headers });
const participant = createClient<ParticipantPaths>({ baseUrl });

// An error is typed by its status: its code is one of those that the operation can answer.
type Codes = NonNullable<paths['/api/public/v1/studies/create']['post']['responses'][400]['content']['application/json']['code']>;
const expected: Codes = 'invalid_request_body';
// @ts-expect-error a create never answers the code of a launch
void ('wallet_required' satisfies Codes);

const refused = await v1.POST('/api/public/v1/studies/create', { body: { title: '', studyGuide: [] } });
check(refused.response.status === 400 && refused.error?.code === expected, 'an empty guide was not refused');
check(need(refused.error?.issues).length === 2, `issues: ${JSON.stringify(refused.error)}`);

const params = { header: { 'Idempotency-Key': 'fetch' } };
const created = need((await v1.POST('/api/public/v1/studies/create', { params, body: guide })).data);
const repeated = await v1.POST('/api/public/v1/studies/create', { params, body: guide });
check(repeated.data?.id === created.id && repeated.response.headers.get('Idempotency-Replayed') === 'true', 'the repeat made another study');
const launched = need((await v1.POST('/api/public/v1/studies/{studyId}/launch', { params: { path: { studyId: created.id } } })).data);
check(launched.status === 'live' && launched.selfRecruitLink.endsWith(created.linkId), 'the launch');
check(need((await v1.GET('/api/public/v1/studies')).data).some((study) => study.id === created.id), 'the study is not listed');
check(need((await v1.GET('/api/public/v1/wallets')).data).wallets.some((wallet) => wallet.walletId === launched.wallet?.walletId), 'the wallet is not listed');

const { questions } = need((await v1.GET('/api/public/v1/studies/{studyId}/questions', { params: { path: { studyId: created.linkId } } })).data);
check(questions.map(shape).join() === '2,0,3,3,0,4,4,0', `the questions are ${JSON.stringify(questions)}`);

// shape reads properties that only some types of question have.
function shape(question: components['schemas']['Question']): number {
  switch (question.type) {
    case 'multiple_choice': case 'ranking': return question.options.length;
    case 'matrix': return question.rows.length + question.columns.length;
    case 'max_diff': return question.options.length;
    case 'open_ended': case 'statement': case 'file_upload': return 0;
    default: return impossible(question);
  }
}

const { linkId } = created;
check(need((await participant.GET('/s/{linkId}', { params: { path: { linkId } } })).data).title === 'Cooking at home', 'the invitation');
const begun = need((await participant.POST('/s/{linkId}/interviews', {
  params: { path: { linkId }, query: { params: { source: participantsSource } } },
  querySerializer: () => new URLSearchParams({ source: participantsSource }).toString(),
})).data);
const asked = new Map<string, number>();
const path = { token: begun.token };
let step = begun.step;
while (step.kind !== 'complete') {
  const answered = await participant.POST('/i/{token}/answers', { params: { path }, body: answerTo(step, asked) });
  if (!answered.data) throw new Error(`the answer to ${JSON.stringify(step)} is refused: ${answered.error.code} ${answered.error.error}`);
  step = answered.data.step;
}
for (const type of types) check(asked.has(type), `nothing of type ${type} was asked: ${JSON.stringify([...asked])}`);
const stale = await participant.POST('/i/{token}/answers', { params: { path }, body: { stepId: 'never' } });
check(stale.response.status === 409 && stale.error?.code === 'stale_step', `a stale step answers ${JSON.stringify(stale.error)}`);

const found = need((await v1.GET('/api/public/v1/responses', { params: { query: { parameter: 'source', value: participantsSource } } })).data);
const hit = need(found.results.find((result) => result.studyId === created.id));
const [listed] = need((await v1.GET('/api/public/v1/responses/{linkId}', { params: { path: { linkId }, query: { perPage: 2, includeInProgress: true } } })).data);
check(need(listed).id === hit.responseId && need(listed).progress === 'complete' && need(listed).urlParams.source === participantsSource, 'the list');
const single = need((await v1.GET('/api/public/v1/responses/{linkId}/{responseId}', { params: { path: { linkId, responseId: hit.responseId } } })).data);
check(single.transcript.some((row) => row.isFollowUp) && single.transcript.some((row) => row.user.includes('saved us time')), 'the transcript');
const older = need((await legacy.GET('/api/public/responses/{link_id}', { params: { path: { link_id: linkId } } })).data);
check(older[0]?.id === single.id && older[0].attributes.source === participantsSource, 'the legacy list');
const oldSingle = need((await legacy.GET('/api/public/responses/{link_id}/{response_id}', { params: { path: { link_id: linkId, response_id: '1' } } })).data);
check(oldSingle.transcript[0]?.discussion_guide_question_id === '', 'the legacy welcome');
const misspelt = await v1.GET('/api/public/v1/responses', { params: { query: { parameter: 'source', value: '', includehidden: true } as { parameter: string; value: string } } });
check(misspelt.response.status === 400 && misspelt.error?.code === 'bad_request', 'a misspelt parameter passed');

const query = { studyId: created.id, responseId: hit.responseId };
const receipt = need((await v1.DELETE('/api/public/v1/responses', { params: { query } })).data);
const deletion = need((await v1.GET('/api/public/v1/response-deletions/{deletionId}', { params: { path: { deletionId: receipt.deletionId } } })).data);
check(deletion.responseId === hit.responseId, 'the deletion');
const gone = await v1.GET('/api/public/v1/responses/{linkId}/{responseId}', { params: { path: { linkId, responseId: hit.responseId } } });
check(gone.response.status === 404 && gone.error?.code === 'response_not_found', 'the response is still there');

const second = need((await participant.POST('/s/{linkId}/interviews', { params: { path: { linkId } }, body: { language: null } })).data);
check((await participant.POST('/i/{token}/withdraw', { params: { path: { token: second.token } } })).response.status === 204, 'withdrawing');
const withdrawn = await participant.GET('/i/{token}', { params: { path: { token: second.token } } });
check(withdrawn.response.status === 410 && withdrawn.error?.code === 'interview_gone', 'the withdrawn interview');
