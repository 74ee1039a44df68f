#!/usr/bin/env node
// Checks the subjects of the commits since the rule was introduced: Conventional Commits, imperative, at most 72 characters.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const MAX_LENGTH = 72;
const TYPES = 'build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test';
const SUBJECT = new RegExp(`^(${TYPES})(\\([a-z0-9-]+(, ?[a-z0-9-]+)*\\))?!?: (?<text>[a-z0-9"'\`.@/].*[^.])$`);
const NOT_IMPERATIVE =
  /^(added|adds|adding|fixed|fixes|fixing|removed|removes|changed|changes|updated|updates|made|makes)\b/;

const base = readFileSync(new URL('./commits-since', import.meta.url), 'utf8').trim();
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

let subjects;
try {
  subjects = git('log', '--no-merges', '--format=%h %s', `${base}..HEAD`).split('\n').filter(Boolean);
} catch {
  console.log('Skipped: the commits to check are not in this clone.');
  process.exit(0);
}

const problems = subjects.flatMap((line) => {
  const [hash, ...words] = line.split(' ');
  const subject = words.join(' ');
  const found = [];
  const match = SUBJECT.exec(subject);
  if (subject.length > MAX_LENGTH) found.push(`has ${subject.length} characters, at most ${MAX_LENGTH} are allowed`);
  if (match === null) found.push('is not of the form "type(scope): what the commit does"');
  else if (NOT_IMPERATIVE.test(match.groups?.text ?? '')) found.push('is not imperative ("add", not "added")');
  return found.map((problem) => `${hash} "${subject}" ${problem}`);
});
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
