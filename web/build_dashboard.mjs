import { join } from 'node:path';
import { buildApp } from './build_app.mjs';

export const out = join(import.meta.dirname, 'dist', 'dashboard');

/** Builds the dashboard. theme is a script that the page runs before it is drawn. */
export const buildDashboard = () => buildApp({
  out,
  entries: { app: 'dashboard/main.tsx', style: 'dashboard/app.css', theme: 'dashboard/theme.ts' },
  packages: ['preact', '@preact/signals', '@preact/signals-core', 'preact-iso', '@tanstack/query-core', 'openapi-fetch', 'uqr'],
});
