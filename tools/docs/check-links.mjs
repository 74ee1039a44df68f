#!/usr/bin/env node
// Checks the Markdown files of the repository: relative links lead to files, anchors to headings, and paths in
// backticks exist.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const LINK = /(?:\]\(|\b(?:src|srcset|href)=")([^)\s"]+)[)"]/g;
const PATH =
  /`((?:apps|packages|bench|infra|proto|tools|docs)\/[\w@./-]+\.(?:tsx?|mjs|json|ya?ml|conf|p?sql|md|proto))`/g;
/** Examples that are not paths of this repository. */
const EXAMPLES = new Set(['docs/guide.md']);

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(file));
const prose = (file) => readFileSync(file, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
const anchors = new Map(files.map((file) => [file, headings(prose(file))]));
const problems = files.flatMap((file) => [...brokenLinks(file), ...missingPaths(file)]);

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** The anchors that GitHub gives to the headings of a text. */
function headings(text) {
  const seen = new Map();
  return new Set(
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
      const plain = heading.replaceAll(/`|\*/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
      const slug = plain
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
        .replaceAll(' ', '-');
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

function brokenLinks(file) {
  return [...prose(file).matchAll(LINK)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = '', anchor] = target.split('#');
    const to = path === '' ? file : normalize(join(dirname(file), path));
    if (!existsSync(to)) return [`${file}: the link ${target} leads to no file`];
    const isMissing = anchor !== undefined && to.endsWith('.md') && !anchors.get(to)?.has(anchor);
    return isMissing ? [`${file}: ${to} has no heading for ${target}`] : [];
  });
}

function missingPaths(file) {
  return [...prose(file).matchAll(PATH)]
    .filter(([, path = '']) => !EXAMPLES.has(path) && !existsSync(path))
    .map(([, path]) => `${file}: ${path} does not exist`);
}
