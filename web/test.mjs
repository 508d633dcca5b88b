// Runs the unit tests of the dashboard: *.test.mjs in dashboard/test, bundled so that they can import its TypeScript.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const folder = join(import.meta.dirname, 'dashboard', 'test');
const out = await mkdtemp(join(tmpdir(), 'verbatim-web-'));
try {
  const tests = (await readdir(folder)).filter((file) => file.endsWith('.test.mjs'));
  await build({
    entryPoints: tests.map((file) => join(folder, file)), outdir: out, outExtension: { '.js': '.mjs' }, bundle: true, format: 'esm', platform: 'node',
    target: 'node20', define: { 'import.meta.dirname': JSON.stringify(folder) }, logLevel: 'warning', tsconfig: join(import.meta.dirname, 'tsconfig.json'),
  });
  const run = spawn(process.execPath, ['--test', ...tests.map((file) => join(out, file))], { stdio: 'inherit' });
  process.exitCode = await new Promise((resolve) => run.once('exit', resolve));
} finally {
  await rm(out, { recursive: true, force: true });
}
