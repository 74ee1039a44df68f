import { readdirSync, readFileSync } from 'node:fs';

const KINDS = ['major', 'minor', 'patch'];
const TITLES = { major: 'Breaking changes', minor: 'New', patch: 'Fixed' };
const FOLDER = '.changeset';

/** The unreleased changes, in the order of their file names. */
export const readChangesets = (root = '.') =>
  readdirSync(`${root}/${FOLDER}`)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => readChangeset(readFileSync(`${root}/${FOLDER}/${name}`, 'utf8'), name));

/** The changes as a list for each kind. */
export const changelogSections = (changes) =>
  KINDS.map((kind) => [kind, changes.filter((change) => change.kind === kind)])
    .filter(([, list]) => list.length > 0)
    .map(
      ([kind, list]) =>
        `### ${TITLES[kind]}\n\n${list.map(({ text }) => `- ${text.replaceAll('\n', '\n  ')}`).join('\n')}\n`,
    )
    .join('\n');

/** The kind of a changeset (the largest that it names) and its text. */
function readChangeset(text, name) {
  const [, header = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const kind = KINDS.find((candidate) => new RegExp(`: ${candidate}$`, 'm').test(header));
  if (kind === undefined) throw new Error(`${FOLDER}/${name} names no package with major, minor or patch.`);
  return { kind, text: body.trim() };
}
