import { join } from 'node:path';
import { buildApp } from './build_app.mjs';

export const out = join(import.meta.dirname, 'dist', 'participant');

/** Builds the participant's app. */
export const buildParticipant = () => buildApp({
  out,
  entries: { app: 'participant/main.tsx', style: 'participant/app.css' },
  packages: ['preact', '@preact/signals', '@preact/signals-core', 'tus-js-client', 'js-base64', 'url-parse', 'requires-port', 'querystringify'],
});
