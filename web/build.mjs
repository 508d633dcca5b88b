// Builds the pages that are embedded in the binary: the API reference in dist/docs/, the participant's app in dist/participant/, and the
// dashboard in dist/dashboard/.
import { buildDashboard } from './build_dashboard.mjs';
import { buildDocs } from './build_docs.mjs';
import { buildParticipant } from './build_participant.mjs';

await Promise.all([buildDashboard(), buildDocs(), buildParticipant()]);
