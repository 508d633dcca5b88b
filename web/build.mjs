// Puts the pages that the binary carries into dist/: the API reference in dist/docs/, the participant's app in
// dist/participant/.
import { buildParticipant } from './build_participant.mjs';
import { buildDocs } from './build_docs.mjs';

await Promise.all([buildDocs(), buildParticipant()]);
