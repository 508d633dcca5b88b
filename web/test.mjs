// Runs the unit tests: *.test.mjs in the folders test of the two apps and of what they share, bundled so that they can import TypeScript.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';

const folders = ['dashboard', 'participant', 'shared'].map((name) => join(import.meta.dirname, name, 'test'));
const out = await mkdtemp(join(tmpdir(), 'verbatim-web-'));
try {
  const bundles = [];
  for (const folder of folders) {
    const tests = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.test.mjs'));
    const into = join(out, basename(dirname(folder)));
    await build({
      entryPoints: tests.map((file) => join(folder, file)), outdir: into, outExtension: { '.js': '.mjs' }, bundle: true, format: 'esm', platform: 'node',
      target: 'node20', define: { 'import.meta.dirname': JSON.stringify(folder) }, logLevel: 'warning', tsconfig: join(import.meta.dirname, 'tsconfig.json'),
    });
    bundles.push(...tests.map((file) => join(into, file)));
  }
  const run = spawn(process.execPath, ['--test', ...bundles], { stdio: 'inherit' });
  process.exitCode = await new Promise((resolve) => run.once('exit', resolve));
} finally {
  await rm(out, { recursive: true, force: true });
}
