import { enableCompileCache } from 'node:module';
import { commandLine } from '#command-line';
import { homeAt } from '#home';
import { homeFolder } from '#home-folder';
import { rejectIncompleteRestore } from '#incomplete-restore';
import { messageOf } from '#launcher-error';
import { prepareHome } from '#prepare-home';

const USAGE = `Usage: ${commandLine('start')}
  Starts Lectern with its data in LECTERN_HOME (default .lectern), and prints its URL and the API keys.
  Settings are environment variables, for example PORT=9000. Press Ctrl-C to stop.
`;

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(USAGE);
  process.exit();
}
// Keeps documents and keys private. Child processes inherit it.
process.umask(0o077);
const home = homeAt(homeFolder(process.env));
try {
  rejectIncompleteRestore(home);
  await prepareHome(home);
} catch (error) {
  process.stderr.write(`Lectern could not be started. ${messageOf(error)}\n`);
  process.exit(1);
}
// Imports the rest after this, so that its compiled code is cached.
enableCompileCache(home.cache);
process.env.NODE_COMPILE_CACHE = home.cache;
const { run } = await import('#run');
await run(process.env);
