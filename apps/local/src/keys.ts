import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { programOf } from '#command-line';
import { GATEWAY_CLI, gatewayCliEnv } from '#gateway-cli';
import { homeAt } from '#home';
import { homeFolder } from '#home-folder';
import { messageOf } from '#launcher-error';
import { openDatabase } from '#open-database';
import { serviceSetting } from '#service-setting';

/** The command `keys`: runs the gateway's command on DATABASE_URL or the database of the data folder. */
async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const home = homeAt(homeFolder(env));
  const isHelp = args.includes('--help') || args.includes('-h');
  const external = serviceSetting(env, 'DATABASE_URL', 'gateway') ?? env.DATABASE_URL;
  const database =
    external || isHelp ? { urlOf: () => external ?? '', close: async () => undefined } : await openDatabase(home);
  try {
    const cli = spawn(process.execPath, [GATEWAY_CLI, ...args], {
      env: { ...gatewayCliEnv(env, database.urlOf('gateway'), home.cache), LECTERN_COMMAND: programOf('keys') },
      stdio: 'inherit',
    });
    const [code] = await once(cli, 'close');
    return typeof code === 'number' ? code : 1;
  } finally {
    await database.close();
  }
}

process.umask(0o077);
// The command also receives Ctrl-C. It ends first, and then the database that was started for it stops.
process.on('SIGINT', () => undefined);
try {
  process.exitCode = await main(process.argv.slice(2), process.env);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
