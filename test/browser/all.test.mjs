// The participant's page in a real browser: see CONTRIBUTING.md.
import { describe } from 'node:test';
import { access } from './access.mjs';
import { aloud } from './aloud.mjs';
import { brands } from './brand.mjs';
import { comebacks } from './comeback.mjs';
import { followUps } from './events.mjs';
import { interviews } from './interviews.mjs';
import { playback } from './playback.mjs';
import { recording } from './recording.mjs';
import { speech } from './speech.mjs';
import { takeover } from './takeover.mjs';
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
      takeover();
      unbroken();
      widgets();
      playback();
      recording();
      speech();
    }
  });
}
