import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const here = import.meta.dirname;

/** Builds the API reference: our page around Swagger UI. */
export async function buildDocs() {
  const out = join(here, 'dist', 'docs');
  const renderer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await cp(join(here, 'docs'), out, { recursive: true });
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
    // The source maps are not served, so the pages must not request them.
    const text = await readFile(join(renderer, name), 'utf8');
    await writeFile(join(out, name), text.replace(/\n?\/[/*]# sourceMappingURL=.*$/m, '\n'));
  }
  for (const name of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']) {
    await cp(join(renderer, name), join(out, name.endsWith('.txt') ? name : `swagger-ui.${name}.txt`));
  }
}
