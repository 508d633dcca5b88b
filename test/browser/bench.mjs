// Runs the measurements of `make bench-web`: the sizes of the participant's app, how fast its page is on a slow phone, and how long the
// server takes for an answer while 500 interviews run. It prints the results and writes docs/benchmarks-web.md.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { maxSize, sizes } from '../../web/bench.mjs';
import { networks, slowDown, speed } from './speed.mjs';

const root = join(import.meta.dirname, '..', '..');
const loads = 9; // of each page on each network
const goal = 1000; // ms until the first question has to be usable
const lines = [];

function say(...text) {
  lines.push(...text);
  console.log(text.join('\n'));
}

const table = (head, rows) => [`| ${head.join(' | ')} |`, `|---|${'--:|'.repeat(head.length - 1)}`, ...rows.map((row) => `| ${row.join(' | ')} |`)];
const rounded = (n) => Math.round(n).toLocaleString('en');

say('# The participant’s page: size and speed', '',
  'Written by `make bench-web`. Milliseconds depend on the machine and on what else it does; the sizes do not.', '',
  `Machine: ${cpus()[0].model}, ${cpus().length} processors for the browser, the server and the clients together; load ${loadavg()[0].toFixed(1)} at the beginning.`, '');

// Sizes.
const files = await sizes();
const always = files.filter((file) => file.always);
const sum = (key) => always.reduce((total, file) => total + file[key], 0);
const kept = sum('gzip') <= maxSize;
say('## Size', '', 'Bytes. The styles stand in the page itself, so nothing but the page has to come before it is painted.', '',
  ...table(['file', 'plain', 'gzip', 'brotli'], [
    ...always.map((file) => [file.name, rounded(file.plain), rounded(file.gzip), rounded(file.brotli)]),
    ['**loaded by every interview**', rounded(sum('plain')), rounded(sum('gzip')), rounded(sum('brotli'))],
    ...files.filter((file) => !file.always).map((file) => [`${file.name}, on demand`, rounded(file.plain), rounded(file.gzip), rounded(file.brotli)]),
  ]), '',
  `At most ${rounded(maxSize)} bytes, compressed with gzip, without the recorder: ${kept ? 'kept' : 'BROKEN'}.`, '');

// Speed.
const { rows, browser } = await speed(loads);
say('## Speed on a slow phone', '',
  `${browser}, without a window, of the size of a phone, the processor slowed down ${slowDown} times, with an empty cache; ${loads} loads of each page. The time is the`,
  'navigation’s. A page is **usable** when its control (the button that begins; the field of the first question) has been painted and takes the focus: it',
  'is a form that works before the app has come, and the app keeps what was put into it. **Pressing** goes from the press on the button to the next question',
  'on the screen, over the network.', '');
for (const network of networks) {
  say(`### ${network.name}`, '', network.what, '');
  for (const page of new Set(rows.map((row) => row.page))) {
    const here = rows.filter((row) => row.network === network.name && row.page === page);
    const digits = (row, n) => (row.key === 'shift' ? n.toFixed(3) : rounded(n));
    say(...table([page, 'median', 'worst'], here.map((row) => [row.unit ? `${row.figure}, ${row.unit}` : row.figure, digits(row, row.median), digits(row, row.worst)])), '');
  }
}
const usable = rows.filter((row) => row.network === networks[0].name && row.key === 'usable').map((row) => row.median);
say(`Usable within a second on the first of these networks, at the median: ${Math.max(...usable) <= goal ? 'kept' : 'MISSED'}.`, '');

// Answers at the server.
const { stdout } = await promisify(execFile)('go', ['run', './test/bench', '-binary', 'bin/verbatim', '-responses', '200', '-growth', '', '-only', 'running interviews'], { cwd: root });
const running = stdout.split('\n').find((line) => /^\d+ interviews at once/.test(line));
assert.ok(running, `the load says nothing about running interviews:\n${stdout}`);
say('## Answers while many interviews run', '',
  'The built-in moderator, with follow-ups and without a model; each interview over a connection of its own. An answer is on the disk before its next step leaves.',
  'Its time counts from when it was due. The goal is 30 ms at the server for 99 of 100.', '', running);

await writeFile(join(root, 'docs', 'benchmarks-web.md'), `${lines.join('\n')}\n`);
process.exitCode = kept ? 0 : 1;
