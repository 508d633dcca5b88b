// Writes the pictures of the participant's page to docs/screenshots.
import assert from 'node:assert/strict';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { launch, openContext } from './browser.mjs';
import { everythingSaid } from './participant.mjs';
import { Scripted } from './scripted.mjs';
import { Server } from './server.mjs';
import { arabic, everything } from './studies.mjs';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'screenshots');
const largest = 150_000; // bytes

const server = await Server.begin();
const browser = await launch();

async function visit(study, size, colorScheme = 'light') {
  const { context } = await openContext(browser, server.origin, { size, scripts: true, colorScheme, deviceScaleFactor: size === 'phone' ? 2 : 1 });
  const p = new Scripted(await context.newPage());
  await p.open(study.link);
  return p;
}

async function shoot(p, name) {
  const path = join(folder, `${name}.png`);
  await p.page.evaluate(() => document.activeElement?.blur());
  await p.page.mouse.move(0, 0);
  await p.page.screenshot({ path, animations: 'disabled' });
  const { size } = await stat(path);
  assert.ok(size <= largest, `${name}.png has ${size} bytes`);
  console.log(`${name}.png ${Math.ceil(size / 1000)} kB`);
}

const answers = {
  ...everythingSaid,
  'Tell us about your last cup of coffee.': (p) => p.write('In the old moka pot, and it was a bit bitter.'),
  'What goes through your mind?': (p) => p.write('That would have saved me the stale beans of last month.'),
};

const followUp = (p) => p.write('I had left it on the stove for too long, as always.');

// tour answers the whole study, and takes each picture that is asked for when its question is answered.
async function tour(p, pictures) {
  for (;;) {
    const asked = await p.asked();
    const ended = asked === p.words.completeTitle;
    const key = ended ? 'end' : asked in answers ? asked : 'follow-up';
    if (!ended) await (answers[asked] ?? followUp)(p);
    if (pictures[key] && !(key === 'What goes through your mind?' && (await p.concept()) !== 'The tin')) {
      await shoot(p, pictures[key]);
      delete pictures[key];
    }
    if (ended) break;
    await p.send(asked === 'First we talk about your mornings.' ? 'Let us begin' : undefined);
  }
  assert.deepEqual(pictures, {}, 'pictures not taken');
}

try {
  await mkdir(folder, { recursive: true });
  const study = await server.launch(everything);

  const phone = await visit(study, 'phone');
  await shoot(phone, 'phone-welcome');
  await phone.begin();
  await tour(phone, {
    'Tell us about your last cup of coffee.': 'phone-question', 'follow-up': 'phone-follow-up',
    'What matters most to you?': 'phone-ranking', 'How content are you?': 'phone-matrix',
  });

  const night = await visit(study, 'phone', 'dark');
  await night.begin();
  await tour(night, { 'Which would you miss most, and which least?': 'phone-dark' });

  const desktop = await visit(study, 'desktop');
  await desktop.begin();
  await tour(desktop, { 'What do you own?': 'desktop-choice', 'What goes through your mind?': 'desktop-concept', end: 'desktop-end' });

  const rightToLeft = (await visit(await server.launch(arabic), 'phone')).speaks('ar');
  await rightToLeft.begin();
  await rightToLeft.choose('في المطبخ');
  await shoot(rightToLeft, 'phone-arabic');
} finally {
  await browser.close();
  await server.end();
}
