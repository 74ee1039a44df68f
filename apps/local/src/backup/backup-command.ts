import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { draftOf, isArchive, pack } from '#backup/archive';
import { backUp } from '#backup/back-up';
import { runCommand } from '#backup/run-command';
import { commandLine } from '#command-line';
import { homeAt } from '#home';
import { homeFolder } from '#home-folder';
import { LauncherError } from '#launcher-error';
import { isExternal } from '#service-setting';

const USAGE = `Usage: ${commandLine('backup', '--to PATH [--without-master-keys]')}
  Copies all data of the local Lectern (LECTERN_HOME), running or stopped, into a new folder, or into
  one file if PATH ends with .tar, .tar.gz or .tgz.
  The backup contains everything: documents, the API keys in credentials.json, and the master keys that
  decrypt the credentials of connectors. Protect it like the machine itself. --without-master-keys
  omits the master keys: store them separately, because connectors cannot be used without them.`;

const MIB = 1024 * 1024;
const mib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;

await runCommand(USAGE, async ({ env, print, signal }) => {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, 'without-master-keys': { type: 'boolean', default: false } },
  });
  if (!values.to) throw new LauncherError(USAGE);
  if (isExternal(env, 'DATABASE_URL'))
    throw new LauncherError(
      'DATABASE_URL or the DATABASE_URL_… of a service is set, but this command copies only the database that Lectern starts itself. Back up an external PostgreSQL with its own tools (docs/operations.md).',
    );
  const to = resolve(values.to);
  const home = homeAt(homeFolder(env));
  if (existsSync(to)) throw new LauncherError(`${to} already exists. Choose another path.`);
  if (!statSync(dirname(to), { throwIfNoEntry: false })?.isDirectory())
    throw new LauncherError(`The folder ${dirname(to)} does not exist. Create it first.`);
  const folder = isArchive(to) ? `${to}.files` : to;
  for (const leftover of [folder, draftOf(to)])
    if (existsSync(leftover))
      throw new LauncherError(
        `${leftover} is left over from an interrupted backup, and can contain master keys. Remove it.`,
      );
  print(`Backing up ${home.root}…`);
  try {
    const manifest = await backUp(home, folder, { withMasterKeys: !values['without-master-keys'], signal });
    if (isArchive(to)) {
      await pack(folder, to, signal);
      await rm(folder, { recursive: true });
    }
    const { postgres, blobs, vectors, hasMasterKeys } = manifest;
    print(`The backup is in ${to}`);
    print(
      `  PostgreSQL ${mib(postgres.bytes)}, files ${mib(blobs.bytes)}, vectors ${vectors ? mib(vectors.bytes) : 'not included: a restore regenerates them'}`,
    );
    print(
      hasMasterKeys
        ? '  IT CONTAINS THE MASTER KEYS and API keys: anyone who has it can decrypt the credentials of all connectors. Keep it secret.'
        : '  IT DOES NOT CONTAIN THE MASTER KEYS (LECTERN_MASTER_KEYS, or the file master-keys). Store them separately: credentials of connectors cannot be decrypted without them.',
    );
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
});
