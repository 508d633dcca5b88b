// Prints what a participant's browser has to load, and fails when that is more than it may be.
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { out } from './build_participant.mjs';

const most = 45_000; // bytes, compressed, of what every interview loads

const size = async (name) => (await stat(join(out, name))).size;
const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'));
const always = [manifest.script, ...manifest.preload, manifest.style];
const rest = (await readdir(out)).filter((name) => /\.(js|css)$/.test(name) && !always.includes(name));

const row = (name, plain, gzip, brotli) => console.log(`${name.padEnd(28)} ${[plain, gzip, brotli].map((n) => String(n).padStart(9)).join(' ')}`);
row('bytes', 'plain', 'gzip', 'brotli');
const total = [0, 0, 0];
for (const name of always) {
  const sizes = [await size(name), await size(`${name}.gz`), await size(`${name}.br`)];
  sizes.forEach((n, i) => { total[i] += n; });
  row(name, ...sizes);
}
row('always loaded', ...total);
for (const name of rest) row(`${name} (on demand)`, await size(name), await size(`${name}.gz`), await size(`${name}.br`));
console.log(`at most ${most} compressed: ${total[1] <= most ? 'kept' : 'BROKEN'}`);
process.exitCode = total[1] <= most ? 0 : 1;
