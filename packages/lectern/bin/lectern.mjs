#!/usr/bin/env node
// The program of the published package: `lectern start` and the other commands for the server, and
// all commands of @lectern/cli. The paths are those of the built package.
import { join } from 'node:path';

const OLDEST_NODE = [22, 18];
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  process.stderr.write(
    `Lectern needs Node ${OLDEST_NODE.join('.')} or later, but this is Node ${process.versions.node}. Install a newer Node.\n`,
  );
  process.exit(1);
}

const SERVER_COMMANDS = {
  start: ['main', 'Start Lectern with its data in .lectern (or LECTERN_HOME)'],
  keys: ['keys', 'Manage API keys'],
  backup: ['backup/backup-command', 'Back up the data'],
  restore: ['backup/restore-command', 'Restore a backup'],
  reindex: ['reindex', 'Index all documents again'],
  models: ['models', 'Manage embedding models and rerankers'],
};

function printServerHelp() {
  const rows = Object.entries(SERVER_COMMANDS).map(([name, [, summary]]) => `  ${name.padEnd(9)}${summary}\n`);
  process.stdout.write(`Server: lectern COMMAND …\n\n${rows.join('')}\nClient:\n\n`);
}

const [command = ''] = process.argv.slice(2);
if (Object.hasOwn(SERVER_COMMANDS, command)) {
  const [program] = SERVER_COMMANDS[command];
  process.env.LECTERN_HOME ||= join(process.cwd(), '.lectern');
  process.argv.splice(2, 1);
  await import(new URL(`../apps/local/src/${program}.js`, import.meta.url).href);
} else {
  if (['', 'help', '-h', '--help'].includes(command)) printServerHelp();
  const { main } = await import(new URL('../packages/cli/src/main.js', import.meta.url).href);
  await main();
}
