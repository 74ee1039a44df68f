import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { draftOf, isArchive, pack } from '#backup/archive';
import { backUp } from '#backup/back-up';
import { runCommand } from '#backup/run-command';
import { homeAt } from '#home';
import { homeFolder } from '#home-folder';
import { LauncherError } from '#launcher-error';
import { isElsewhere } from '#own-setting';

const USAGE = `Usage: npm run backup -- --to PATH [--without-master-keys]
  Copies all data of the local Lectern (LECTERN_HOME), while it runs or not, into a new folder, or into one file where PATH ends in .tar, .tar.gz or .tgz.
  The copy holds everything: documents, API keys' credentials.json, and the master keys that open the credentials of connectors. Keep it like the
  machine itself. --without-master-keys leaves them out: keep them elsewhere, as without them the credentials cannot be opened.`;

const MIB = 1024 * 1024;
const mib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;

await runCommand(USAGE, async ({ env, say, signal }) => {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, 'without-master-keys': { type: 'boolean', default: false } },
  });
  if (!values.to) throw new LauncherError(USAGE);
  if (isElsewhere(env, 'DATABASE_URL'))
    throw new LauncherError(
      'DATABASE_URL, or that of a service, is set: this command copies the database that `npm start` runs by itself. Back up a PostgreSQL of your own with its own tools (docs/operations.md).',
    );
  const to = resolve(values.to);
  const home = homeAt(homeFolder(env));
  if (existsSync(to)) throw new LauncherError(`${to} is there already. Give a path that is not.`);
  if (!statSync(dirname(to), { throwIfNoEntry: false })?.isDirectory())
    throw new LauncherError(`There is no folder ${dirname(to)} to put the backup into. Make it first.`);
  const folder = isArchive(to) ? `${to}.files` : to;
  for (const left of [folder, draftOf(to)])
    if (existsSync(left))
      throw new LauncherError(`${left} is left from a backup that was killed, and may hold master keys. Remove it.`);
  say(`Backing up ${home.root}…`);
  try {
    const manifest = await backUp(home, folder, { withMasterKeys: !values['without-master-keys'], signal });
    if (isArchive(to)) {
      await pack(folder, to, signal);
      await rm(folder, { recursive: true });
    }
    const { postgres, blobs, vectors, hasMasterKeys } = manifest;
    say(`The backup is ${to}`);
    say(
      `  PostgreSQL ${mib(postgres.bytes)}, files ${mib(blobs.bytes)}, vectors ${vectors ? mib(vectors.bytes) : 'not in it: a restore makes them anew'}`,
    );
    say(
      hasMasterKeys
        ? '  IT HOLDS THE MASTER KEYS and API keys: whoever has it can open the credentials of all connectors. Keep it secret.'
        : '  IT HOLDS NO MASTER KEYS: without them (LECTERN_MASTER_KEYS, or the file master-keys) credentials of connectors cannot be opened. Keep them elsewhere.',
    );
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
});
