import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { restore } from '#backup/restore';
import { runCommand } from '#backup/run-command';
import { homeAt } from '#home';
import { homeFolder } from '#home-folder';
import { LauncherError } from '#launcher-error';

const USAGE = `Usage: npm run restore -- --from PATH
  Makes the data folder (LECTERN_HOME, which must hold no data) from a backup that \`npm run backup\` wrote. Then \`npm start\`.`;

await runCommand(USAGE, async ({ env, say, signal }) => {
  const { values } = parseArgs({ options: { from: { type: 'string' } } });
  if (!values.from) throw new LauncherError(USAGE);
  const from = resolve(values.from);
  if (!existsSync(from)) throw new LauncherError(`${from} does not exist.`);
  const home = homeAt(homeFolder(env));
  say(`Restoring ${from} into ${home.root}…`);
  const manifest = await restore(home, from, env, signal);
  say(`Restored as of ${manifest.createdAt}. \`npm start\` starts it.`);
  if (!manifest.vectors)
    say('  It holds no vectors: they are made anew after the start; `npm run reindex -- --watch` follows.');
  if (!manifest.hasMasterKeys && !env.LECTERN_MASTER_KEYS)
    say(
      `  IT HOLDS NO MASTER KEYS. Put them into ${home.masterKeys} (mode 0600), or set LECTERN_MASTER_KEYS, before the first start: new ones cannot open the credentials of connectors.`,
    );
});
