// Builds the pages that are embedded in the binary: the API reference in dist/docs/, and the participant's app in dist/participant/.
import { buildParticipant } from './build_participant.mjs';
import { buildDocs } from './build_docs.mjs';

await Promise.all([buildDocs(), buildParticipant()]);
