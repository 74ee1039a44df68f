#!/usr/bin/env node
// `npm run version`: turns the changesets into the next version of all packages and a section of CHANGELOG.md.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { changelogSections, readChangesets } from './changesets.mjs';

/** Files that contain the version, besides the manifests. */
const OTHER_FILES = [
  'apps/gateway/src/mcp/create-server.ts',
  'infra/k8s/overlays/prod/kustomization.yaml',
  'packages/cli/README.md',
  'packages/lectern/README.md',
  'packages/sdk/README.md',
];
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const run = (command, ...args) => execFileSync(command, args, { stdio: 'inherit' });

const changes = readChangesets();
if (changes.length === 0) {
  console.log('There are no changesets, so there is nothing to release.');
  process.exit(0);
}

run('npx', 'changeset', 'version');
const { version } = json('packages/sdk/package.json');
const root = json('package.json');
writeFileSync('package.json', `${JSON.stringify({ ...root, version }, null, 2)}\n`);
for (const path of OTHER_FILES) replaceVersion(path, root.version, version);
run('npm', 'install', '--package-lock-only', '--ignore-scripts');

const date = new Date().toISOString().slice(0, 10);
const changelog = existsSync('CHANGELOG.md') ? readFileSync('CHANGELOG.md', 'utf8') : '# Changelog\n';
const [head, ...older] = changelog.split(/^(?=## )/m);
writeFileSync('CHANGELOG.md', [head, `## ${version} (${date})\n\n${changelogSections(changes)}\n`, ...older].join(''));
console.log(`Version ${version}`);

/** Replaces the version in a file, but not in a longer version that contains it. */
function replaceVersion(path, from, to) {
  const text = readFileSync(path, 'utf8');
  const replaced = text.replaceAll(new RegExp(`(?<![\\d.])${from.replaceAll('.', '\\.')}(?![\\d.]*\\d)`, 'g'), to);
  if (replaced === text) throw new Error(`${path} does not contain the version ${from}.`);
  writeFileSync(path, replaced);
}
