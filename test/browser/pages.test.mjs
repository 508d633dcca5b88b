// The participant's page in a real browser: see CONTRIBUTING.md. Recordings are tested in recordings.test.mjs, which runs in parallel,
// because it mostly waits while something is recorded.
import { describe } from 'node:test';
import { accessibility } from './accessibility.mjs';
import { readAloud } from './read_aloud.mjs';
import { brands } from './brand.mjs';
import { devices } from './devices.mjs';
import { resuming } from './resume.mjs';
import { followUps } from './events.mjs';
import { fieldwork } from './fieldwork.mjs';
import { interviews } from './interviews.mjs';
import { outages } from './outage.mjs';
import { panels } from './panels.mjs';
import { reference } from './reference.mjs';
import { sensitiveTopics } from './sensitive.mjs';
import { takeover } from './takeover.mjs';
import { telemetry } from './telemetry.mjs';
import { robustness } from './robustness.mjs';
import { widgets } from './widgets.mjs';

for (const scripts of [false, true]) {
  describe(`${scripts ? 'with' : 'without'} JavaScript`, { concurrency: 2 }, () => {
    interviews(scripts);
    resuming(scripts);
    accessibility(scripts);
    brands(scripts);
    sensitiveTopics(scripts);
    panels(scripts);
    fieldwork(scripts);
    if (scripts) {
      devices();
      readAloud();
      followUps();
      outages();
      reference();
      takeover();
      telemetry();
      robustness();
      widgets();
    }
  });
}
