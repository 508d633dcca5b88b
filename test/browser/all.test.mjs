// The participant's page in a real browser: see CONTRIBUTING.md.
import { describe } from 'node:test';
import { access } from './access.mjs';
import { comebacks } from './comeback.mjs';
import { interviews } from './interviews.mjs';
import { unbroken } from './unbroken.mjs';

for (const scripts of [false, true]) {
  describe(`${scripts ? 'with' : 'without'} JavaScript`, { concurrency: 2 }, () => {
    interviews(scripts);
    comebacks(scripts);
    access(scripts);
    if (scripts) unbroken();
  });
}
