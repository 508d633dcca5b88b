// Recordings of voice, camera and screen in a real browser: see CONTRIBUTING.md.
import { describe } from 'node:test';
import { playback } from './playback.mjs';
import { recording } from './recording.mjs';
import { speech } from './speech.mjs';

describe('recordings', () => {
  playback();
  recording();
  speech();
});
