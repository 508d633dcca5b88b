// The program under test: the real binary in its own process, with its own data folder, at a free port.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const binary = join(import.meta.dirname, '..', '..', 'bin', 'verbatim');
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VERBATIM_')));

export class Server {
  #folder;
  #flags;
  #process;
  #key;
  #log = [];
  #org;
  origin;

  // begin starts a server with an organization, an API key and a funded wallet. flags are added to its command line.
  static async begin(...flags) {
    const server = new Server();
    server.#flags = flags;
    server.#folder = await mkdtemp(join(tmpdir(), 'verbatim-browser-'));
    try {
      const org = await server.command('org', 'create', 'Larkspur');
      server.#org = org.id;
      const user = await server.command('user', 'create', '--org', org.id, '--email', 'ada@example.org', '--name', 'Ada', '--role', 'admin');
      server.#key = (await server.command('key', 'create', '--org', org.id, '--user', user.id, '--name', 'tests')).key;
      const wallet = await server.command('wallet', 'create', 'Tests');
      await server.command('wallet', 'grant', wallet.id, '--org', org.id);
      await server.command('wallet', 'deposit', wallet.id, '--account', 'project', '1000');
      await server.start();
    } catch (error) {
      await server.end();
      throw error;
    }
    return server;
  }

  get org() { return this.#org; }
  get key() { return this.#key; }

  // command runs an admin command on the server's data and returns the JSON that it prints.
  async command(...args) {
    const { stdout } = await promisify(execFile)(binary, [...args, '--data', this.#folder, '--json'], { env: environment });
    return stdout.trim() ? JSON.parse(stdout) : null;
  }

  // start starts the server. After the first time it uses the same address again.
  async start() {
    const listen = this.origin ? new URL(this.origin).host : '127.0.0.1:0';
    const child = spawn(binary, ['serve', '--listen', listen, '--data', this.#folder, '--rate-limit', '0', ...this.#flags], {
      env: environment, stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    const end = () => child.kill('SIGKILL');
    process.once('exit', end); // no server may outlive the tests
    child.once('exit', () => process.off('exit', end));
    this.origin = await new Promise((resolve, reject) => {
      let rest = '';
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new Error(`the server ended (${code ?? signal}):\n${this.lastLog()}`)));
      child.stderr.setEncoding('utf8').on('data', (chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop();
        for (const line of lines) {
          this.#log.push(line);
          if (line.includes('"msg":"serving"')) resolve(`http://${JSON.parse(line).address}`);
        }
      });
    });
  }

  // kill ends the server, by default as kill -9 does.
  async kill(signal = 'SIGKILL') {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  async end() {
    await this.kill('SIGTERM');
    await rm(this.#folder, { recursive: true, force: true });
  }

  lastLog(lines = 40) {
    return this.#log.slice(-lines).join('\n');
  }

  // api calls the public API and throws for any status other than 2xx.
  async api(method, path, body) {
    const reply = await fetch(`${this.origin}/api/public/v1${path}`, {
      method, headers: { 'x-api-key': this.#key }, body: body && JSON.stringify(body),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} answers ${reply.status} ${text}`);
    return JSON.parse(text);
  }

  // launch creates and launches a study, and returns its id and link.
  async launch(guide) {
    const { id } = await this.api('POST', '/studies/create', guide);
    return this.#publish(id);
  }

  // plant is launch for a study that the API cannot create: one that asks for files.
  async plant(guide) {
    const child = spawn('go', ['run', './test/plant', '-org', this.#org, '-database', `sqlite:${join(this.#folder, 'verbatim.db')}`], {
      cwd: join(import.meta.dirname, '..', '..'), stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(JSON.stringify(guide));
    return this.#publish((await text(child.stdout)).trim());
  }

  async #publish(id) {
    const { selfRecruitLink } = await this.api('POST', `/studies/${id}/launch`);
    return { id, link: selfRecruitLink };
  }

  // approve makes translations of a study without a letter in its texts, which need no translator, and shows them to participants.
  async approve(study, ...languages) {
    for (const language of languages) await this.command('study', 'translate', new URL(study.link).pathname.split('/').at(-1), '--language', language, '--approve');
  }

  // responses returns a study's responses, each with its transcript.
  async responses(study) {
    const items = await this.api('GET', `/responses/${study.id}`);
    return Promise.all(items.map(async (item) => ({ ...item, ...(await this.api('GET', `/responses/${study.id}/${item.id}`)) })));
  }
}
