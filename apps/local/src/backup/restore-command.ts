import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { restore } from '#backup/restore';
import { runCommand } from '#backup/run-command';
import { commandLine } from '#command-line';
import { homeAt } from '#home';
import { homeFolder } from '#home-folder';
import { LauncherError } from '#launcher-error';

const USAGE = `Usage: ${commandLine('restore', '--from PATH')}
  Restores a backup made with \`${commandLine('backup')}\` into the data folder (LECTERN_HOME), which must be empty.
  Then run \`${commandLine('start')}\`.`;

await runCommand(USAGE, async ({ env, print, signal }) => {
  const { values } = parseArgs({ options: { from: { type: 'string' } } });
  if (!values.from) throw new LauncherError(USAGE);
  const from = resolve(values.from);
  if (!existsSync(from)) throw new LauncherError(`${from} does not exist.`);
  const home = homeAt(homeFolder(env));
  print(`Restoring ${from} into ${home.root}…`);
  const manifest = await restore(home, from, env, signal);
  print(`Restored the state of ${manifest.createdAt}. Start it with \`${commandLine('start')}\`.`);
  if (!manifest.vectors)
    print(
      `  It contains no vectors: they are regenerated after the start. Watch with \`${commandLine('reindex', '--watch')}\`.`,
    );
  if (!manifest.hasMasterKeys && !env.LECTERN_MASTER_KEYS)
    print(
      `  IT DOES NOT CONTAIN THE MASTER KEYS. Write them to ${home.masterKeys} (mode 0600) or set LECTERN_MASTER_KEYS before the first start: new keys cannot decrypt the credentials of connectors.`,
    );
});
