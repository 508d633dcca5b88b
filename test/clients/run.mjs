// Builds clients from the contract files with public generators, checks their types, and has each run a complete study against
// the real binary. Generated files are not kept.
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { Server } from '../browser/server.mjs';

const here = import.meta.dirname;
const names = ['v1', 'legacy', 'participant'];
const contracts = names.map((name) => join(here, '..', '..', 'openapi', `${name}.yaml`));
const folder = await mkdtemp(join(tmpdir(), 'verbatim-clients-'));
const environment = {
  ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', GOWORK: 'off', CGO_ENABLED: '0',
};

// run runs a program and fails with its output.
async function run(what, program, args, options = {}) {
  const began = performance.now();
  try {
    await promisify(execFile)(program, args, { cwd: here, env: environment, maxBuffer: 64 << 20, ...options });
  } catch (error) {
    throw new Error(`${what} failed:\n${error.stdout ?? ''}${error.stderr ?? error.message}`);
  }
  console.log(`${what} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}

const tool = (name) => join(here, 'node_modules', '.bin', name);

// lint checks the files with two linters.
async function lint() {
  await run('redocly lint', tool('redocly'), ['lint', '--config', 'redocly.yaml', ...contracts]);
  await run('spectral lint', tool('spectral'), ['lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint', ...contracts]);
}

// types checks that the types of the pages' apps are those of the contracts. `npm run types` generates them.
async function types() {
  for (const name of ['participant', 'dashboard']) {
    const file = `web/shared/${name}_api.ts`;
    await run(`types of ${file}`, tool('openapi-typescript'), [join(here, '..', '..', 'openapi', `${name}.yaml`), '-o', join(here, '..', '..', file), '--check']);
  }
}

// typescript generates clients with two generators, and returns the folder of the compiled clients.
async function typescript() {
  const generated = join(folder, 'generated');
  await mkdir(generated);
  for (const file of await readdir(here)) {
    if (file.endsWith('.ts') || file === 'tsconfig.json' || file === 'package.json') await copyFile(join(here, file), join(folder, file));
  }
  await symlink(join(here, 'node_modules'), join(folder, 'node_modules'));
  for (const [i, name] of names.entries()) {
    await run(`openapi-typescript of ${name}`, tool('openapi-typescript'), [contracts[i], '-o', join(generated, `${name}.ts`)]);
    await createClient({
      input: contracts[i], logs: { level: 'silent', file: false }, output: { path: join(generated, `hey-${name}`), importFileExtension: '.js' },
      plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    });
  }
  await run('tsc', tool('tsc'), ['-p', folder]);
}

// go generates the packages beside the client and builds it.
async function go() {
  const module = join(folder, 'go');
  await cp(join(here, 'go'), module, { recursive: true });
  for (const [i, name] of names.entries()) {
    await mkdir(join(module, name));
    await run(`oapi-codegen of ${name}`, 'go', ['tool', 'oapi-codegen', '-config', 'config.yaml', '-package', name, '-o', join(name, 'client.go'), contracts[i]], { cwd: module });
  }
  await run('go vet', 'go', ['vet', './...'], { cwd: module });
  await run('go build', 'go', ['build', '-o', join(folder, 'goclient'), '.'], { cwd: module });
}

let server;
try {
  await Promise.all([lint(), types(), typescript(), go()]);
  server = await Server.begin();
  const env = { ...environment, ORIGIN: server.origin, KEY: server.key };
  await run('a study by openapi-fetch', process.execPath, [join(folder, 'js', 'fetch.js')], { cwd: folder, env });
  await run('a study by @hey-api/openapi-ts', process.execPath, [join(folder, 'js', 'hey.js')], { cwd: folder, env });
  await run('a study by oapi-codegen', join(folder, 'goclient'), [], { cwd: folder, env });
} finally {
  await server?.end();
  await rm(folder, { recursive: true, force: true });
}
