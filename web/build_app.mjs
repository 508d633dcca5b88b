import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = import.meta.dirname;

/**
 * Builds an app: modules and a style sheet, named by the hash of their content, each with its gzip (.gz) and brotli (.br) version, the
 * licences of the packages that it contains, and manifest.json with the files that a page has to load: {script, preload, style}, and theme
 * where there is such an entry. Code that is imported on demand becomes a module of its own.
 */
export async function buildApp({ out, entries, packages }) {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const { metafile } = await build({
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(here, file)])),
    outdir: out,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    loader: { '.lazy.css': 'text', '.worklet.js': 'file' }, // styles are loaded with the module that imports them; a worklet is a file of its own
    assetNames: '[name]-[hash]',
    format: 'esm',
    minify: true,
    legalComments: 'none',
    metafile: true,
    target: ['chrome109', 'firefox115', 'safari16.4'],
    logLevel: 'warning',
    absWorkingDir: here,
    tsconfig: join(here, 'tsconfig.json'),
  });
  const manifest = { script: '', preload: [], style: '' };
  for (const [path, file] of Object.entries(metafile.outputs)) {
    if (file.entryPoint === entries.app) {
      manifest.script = basename(path);
      manifest.preload = file.imports.filter((i) => i.kind === 'import-statement').map((i) => basename(i.path));
    } else if (file.entryPoint === entries.theme) {
      manifest.theme = basename(path);
    } else if (path.endsWith('.css')) {
      manifest.style = basename(path);
    }
    const body = await readFile(join(here, path));
    await writeFile(join(here, `${path}.gz`), gzipSync(body, { level: 9 }));
    await writeFile(join(here, `${path}.br`), brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }));
  }
  await writeFile(join(out, 'manifest.json'), JSON.stringify(manifest));
  for (const name of packages) {
    const folder = join(here, 'node_modules', name);
    const license = (await readdir(folder)).find((file) => file.startsWith('LICENSE'));
    await cp(join(folder, license), join(out, `${name.replace(/^@|\//g, '-').replace(/^-/, '')}.LICENSE.txt`));
  }
  return metafile;
}
