// Researchers who use the dashboard, and participants who answer without a browser.
import { Server } from './server.mjs';
import { eventually } from './eventually.mjs';

export const kitchen = {
  title: 'Your kitchen',
  config: { interviewMode: 'text' },
  studyGuide: [{ type: 'flat', title: 'Kitchen', items: [{ type: 'open_ended', text: 'What do you look at first in a shop?', followUp: 'none' }] }],
};

// answer completes an interview of a study with one open question. query is that of the link.
export async function answer(study, text, query = '') {
  const json = { Accept: 'application/json', 'Content-Type': 'application/json' };
  const ask = async (address, body) => {
    const reply = await fetch(address, { method: 'POST', headers: json, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${address} answers ${reply.status} ${await reply.text()}`);
    return reply.json();
  };
  const { token, step } = await ask(`${study.link}/interviews${query}`, {});
  await ask(`${new URL(study.link).origin}/i/${token}/answers`, { stepId: step.stepId, text });
}

// DashboardServer is a server with an admin who can sign in.
export class DashboardServer {
  // begin starts a server; flags are added to its command line.
  static async begin(...flags) {
    const dashboard = new DashboardServer();
    dashboard.server = await Server.begin(...flags);
    const { server } = dashboard;
    const people = await server.command('user', 'list', '--org', server.org);
    dashboard.admin = (people.items ?? people.users ?? people)[0];
    return dashboard;
  }

  get origin() { return this.server.origin; }

  // link returns a one-time link of a kind, signin or reset, for a person.
  async link(kind, person = this.admin) {
    return (await this.server.command('user', `${kind}-link`, person.id, '--base-url', this.origin)).link;
  }

  // signIn signs a page in by a link of the operator.
  async signIn(page, person) {
    await page.goto(await this.link('signin', person));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Studies', exact: true }).waitFor();
  }

  // study launches a study and has it answered; it returns once all answers were analysed.
  async study(guide, answers) {
    const study = await this.server.launch(guide);
    for (const [text, query] of answers) await answer(study, text, query);
    await eventually(async () => {
      const all = await this.server.responses(study);
      return all.length === answers.length && all.every((response) => response.tagline);
    });
    return { ...study, linkId: new URL(study.link).pathname.split('/').pop() };
  }

  end() { return this.server.end(); }
}

// sound returns a WAV file of so many seconds.
export function sound(seconds, rate = 8000) {
  const size = seconds * rate * 2;
  const file = Buffer.alloc(44 + size);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + size, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(size, 40);
  for (let i = 0; i < size / 2; i++) file.writeInt16LE(Math.round(3000 * Math.sin((i * 440 * 2 * Math.PI) / rate)), 44 + 2 * i);
  return file;
}
