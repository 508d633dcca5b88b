// The participant's page in a real browser: see CONTRIBUTING.md. What is recorded has a file of its own, which runs beside this
// one: it waits most of its time for someone to speak.
import { describe } from 'node:test';
import { access } from './access.mjs';
import { aloud } from './aloud.mjs';
import { brands } from './brand.mjs';
import { comebacks } from './comeback.mjs';
import { followUps } from './events.mjs';
import { interviews } from './interviews.mjs';
import { outages } from './outage.mjs';
import { reference } from './reference.mjs';
import { takeover } from './takeover.mjs';
import { telemetry } from './telemetry.mjs';
import { unbroken } from './unbroken.mjs';
import { widgets } from './widgets.mjs';

for (const scripts of [false, true]) {
  describe(`${scripts ? 'with' : 'without'} JavaScript`, { concurrency: 2 }, () => {
    interviews(scripts);
    comebacks(scripts);
    access(scripts);
    brands(scripts);
    if (scripts) {
      aloud();
      followUps();
      outages();
      reference();
      takeover();
      telemetry();
      unbroken();
      widgets();
    }
  });
}
