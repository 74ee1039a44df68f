import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { programOf } from '#command-line';
import { gatewayCliEnv } from '#gateway-cli';
import { type Home, homeAt } from '#home';
import { homeFolder, REPOSITORY } from '#home-folder';
import { LauncherError, messageOf } from '#launcher-error';
import { openSecrets } from '#secrets';
import { serviceSetting } from '#service-setting';
import { readState } from '#state-file';

const REINDEX_CLI = join(REPOSITORY, 'apps/collection/src/cli/reindex.ts');

/** The command `reindex`: runs the collection service's command on DATABASE_URL or the database of the running Lectern. */
async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const home = homeAt(homeFolder(env));
  const isHelp = args.includes('--help') || args.includes('-h');
  const url = (serviceSetting(env, 'DATABASE_URL', 'collection') ?? env.DATABASE_URL) || (await localDatabase(home));
  if (!url && !isHelp)
    throw new LauncherError(
      `Lectern is not running with the data in ${home.root}. Start it first, because its collection service does the work, or set DATABASE_URL.`,
    );
  const cli = spawn(process.execPath, [REINDEX_CLI, ...args], {
    env: { ...gatewayCliEnv(env, url ?? '', home.cache), LECTERN_COMMAND: programOf('reindex') },
    stdio: 'inherit',
  });
  const [code] = await once(cli, 'close');
  return typeof code === 'number' ? code : 1;
}

/** Returns the database of the Lectern that runs in the home. Undefined if none is running. */
async function localDatabase(home: Home): Promise<string | undefined> {
  const url = (await readState(home))?.databaseUrl;
  return url && (await openSecrets(home)).databaseUrlOf('collection', url);
}

process.umask(0o077);
// The command also receives Ctrl-C and ends first. The indexing that it requested continues.
process.on('SIGINT', () => undefined);
try {
  process.exitCode = await main(process.argv.slice(2), process.env);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
