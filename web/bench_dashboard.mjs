// Prints what a browser has to load for the dashboard's pages, and fails when a page is over its budget.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { out } from './build_dashboard.mjs';

/** Budgets in bytes of JavaScript after gzip, with the page that each is for, and of the style sheet. */
const budgets = { shell: [40_000], lists: [75_000, 'studies', 'responses'], response: [90_000, 'review'], analysis: [85_000, 'analysis'], editor: [115_000, 'editor', 'launch', 'new_study'], organization: [75_000, 'people', 'keys', 'webhooks', 'webhook', 'audit', 'wallets', 'retention', 'instance', 'account'] };
const styleBudget = 14_000;

const files = (await readdir(out)).filter((file) => file.endsWith('.js'));
const size = async (file) => (await stat(join(out, `${file}.gz`))).size;

// closure adds a module and everything that it imports at once.
async function closure(file, found) {
  if (found.has(file)) return found;
  found.add(file);
  const text = await readFile(join(out, file), 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) await closure(name, found);
  return found;
}

const total = async (found) => (await Promise.all([...found].map(size))).reduce((sum, bytes) => sum + bytes, 0);
const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'));
const rows = [];
for (const [name, [budget, ...pages]] of Object.entries(budgets)) {
  const found = new Set([manifest.theme]);
  await closure(manifest.script, found);
  for (const page of pages) await closure(files.find((file) => file.startsWith(`${page}-`)), found);
  rows.push({ page: name, bytes: await total(found), budget });
}
rows.push({ page: 'style sheet', bytes: await size(manifest.style), budget: styleBudget });
console.table(rows);
process.exitCode = rows.some(({ bytes, budget }) => bytes > budget) ? 1 : 0;
