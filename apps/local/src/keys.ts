import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { GATEWAY_CLI, gatewayCliEnv } from '#gateway-cli';
import { homeAt } from '#home';
import { homeFolder } from '#home-folder';
import { messageOf } from '#launcher-error';
import { openDatabase } from '#open-database';
import { ownSetting } from '#own-setting';

/** `npm run keys -- …`: the gateway's command line, on DATABASE_URL, else on the database of the local data folder. */
async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const home = homeAt(homeFolder(env));
  const isHelp = args.includes('--help') || args.includes('-h');
  const external = ownSetting(env, 'DATABASE_URL', 'gateway') ?? env.DATABASE_URL;
  const database =
    external || isHelp ? { urlOf: () => external ?? '', close: async () => undefined } : await openDatabase(home);
  try {
    const cli = spawn(process.execPath, [GATEWAY_CLI, ...args], {
      env: gatewayCliEnv(env, database.urlOf('gateway'), home.cache),
      stdio: 'inherit',
    });
    const [code] = await once(cli, 'close');
    return typeof code === 'number' ? code : 1;
  } finally {
    await database.close();
  }
}

process.umask(0o077);
// Ctrl-C reaches the command too; it ends first, and what was started for it is stopped then.
process.on('SIGINT', () => undefined);
try {
  process.exitCode = await main(process.argv.slice(2), process.env);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
