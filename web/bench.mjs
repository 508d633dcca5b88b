// The sizes of the files that a participant's browser has to load, and their limit.
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { out } from './build_participant.mjs';

/** The maximum size of the files that every interview loads, in bytes after gzip. */
export const maxSize = 45_000;

/** Returns rows of {name, plain, gzip, brotli, always}: sizes in bytes, and whether every interview loads the file. */
export async function sizes() {
  const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'));
  const always = [manifest.script, ...manifest.preload, manifest.style];
  const size = async (name) => (await stat(join(out, name))).size;
  const rows = [];
  for (const name of (await readdir(out)).filter((file) => /\.(js|css)$/.test(file))) {
    rows.push({ name, plain: await size(name), gzip: await size(`${name}.gz`), brotli: await size(`${name}.br`), always: always.includes(name) });
  }
  const page = await readFile(join(import.meta.dirname, '..', 'internal', 'api', 'pages', 'templates', 'style.css'));
  rows.push({ name: 'style.css of the page', plain: page.length, gzip: gzipSync(page).length, brotli: brotliCompressSync(page).length, always: true });
  rows.sort((a, b) => Number(b.always) - Number(a.always) || b.gzip - a.gzip);
  return rows;
}
