#!/usr/bin/env node
// Finds words of the language guide's "instead of" list in tracked text: prose, strings, comments, names and paths.
// Usage: node tools/language/check.mjs [PATH…]    (default: the whole repository)
// allowed.json lists permitted texts by file or folder; the path "." means the whole repository.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { RULES } from './rules.mjs';

const EXTENSIONS =
  /\.(ts|tsx|mts|mjs|js|proto|sql|prisma|ya?ml|md|css|html|sh)$|^infra\/.*\.json$|(^|\/)package\.json$/;

/** @type {{ ignoredPaths: { path: string, reason: string }[], allowed: { path: string, text: string, reason: string }[] }} */
const { ignoredPaths, allowed } = JSON.parse(readFileSync(new URL('./allowed.json', import.meta.url), 'utf8'));

const root = execFileSync('git', ['rev-parse', '--show-toplevel'], { encoding: 'utf8' }).trim();
const paths = process.argv.slice(2);
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\0')
  .filter((file) => file !== '');
const prefix = execFileSync('git', ['rev-parse', '--show-prefix'], { encoding: 'utf8' }).trim();

const used = new Set();
let found = 0;

for (const file of files.map((name) => prefix + name)) {
  // Applied migrations are immutable: their checksums are stored.
  if (file.includes('/prisma/migrations/')) continue;
  if (!EXTENSIONS.test(file) || ignoredPaths.some(({ path }) => file === path || file.startsWith(`${path}/`))) continue;
  report(file, 0, file.replaceAll(/[/._-]/g, ' '));
  let text;
  try {
    text = readFileSync(`${root}/${file}`, 'utf8');
  } catch {
    continue; // Deleted, but not yet committed.
  }
  text.split('\n').forEach((line, index) => {
    report(file, index + 1, line);
  });
}

const unused = paths.length > 0 ? [] : allowed.filter((entry) => !used.has(entry));
for (const { path, text } of unused) console.error(`tools/language/allowed.json: nothing in ${path} needs "${text}"`);
if (found > 0)
  console.error(`${found} words of the language guide's "instead of" list. Reword them (CONTRIBUTING.md, "Language").`);
process.exitCode = found > 0 || unused.length > 0 ? 1 : 0;

/** Prints each rule that the line breaks and no entry of allowed.json permits. */
function report(file, lineNumber, line) {
  const split = line.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  for (const { pattern, use } of RULES) {
    const insensitive = new RegExp(pattern.source, `${pattern.flags}i`);
    const match = insensitive.exec(line) ?? insensitive.exec(split);
    if (match === null) continue;
    const entry = allowed.find(
      ({ path, text }) => (path === '.' || file === path || file.startsWith(`${path}/`)) && line.includes(text),
    );
    if (entry !== undefined) {
      used.add(entry);
      continue;
    }
    found += 1;
    console.log(`${file}:${lineNumber}: "${match[0]}": use ${use}`);
  }
}
