// The test panel of the program (verbatim panel), in its own process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const binary = join(import.meta.dirname, '..', '..', 'bin', 'verbatim');

export class TestPanel {
  #process;
  #folder;
  secretFile;
  origin;

  static async begin(secret) {
    const panel = new TestPanel();
    panel.#folder = await mkdtemp(join(tmpdir(), 'verbatim-panel-'));
    panel.secretFile = join(panel.#folder, 'secret');
    await writeFile(panel.secretFile, secret);
    const child = spawn(binary, ['panel', '--listen', '127.0.0.1:0', '--secret-of', panel.secretFile], { stdio: ['ignore', 'pipe', 'inherit'] });
    panel.#process = child;
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    panel.origin = await new Promise((resolve, reject) => {
      let printed = '';
      child.once('exit', (code) => reject(new Error(`the test panel ended: ${code}`)));
      child.stdout.setEncoding('utf8').on('data', (chunk) => {
        printed += chunk;
        const found = /^Test panel: (\S+)$/m.exec(printed);
        if (found) resolve(found[1]);
      });
    });
    return panel;
  }

  // shown returns the text of the panel's page.
  async shown() {
    return (await fetch(this.origin)).text();
  }

  async end() {
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await gone;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
