// The consent of a study: see consent.mjs.
import { describe } from 'node:test';
import { consent } from './consent.mjs';

for (const scripts of [false, true]) describe(`${scripts ? 'with' : 'without'} JavaScript`, () => consent(scripts));
