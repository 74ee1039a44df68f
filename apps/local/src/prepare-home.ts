import { chmod, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '#home';
import { codeOf, LauncherError, messageOf } from '#launcher-error';
import { makeFolder } from '#make-folder';

const MIB = 1024 * 1024;
/** PostgreSQL and JetStream claim about this much at a first start. */
const NEEDED_BYTES = 256 * MIB;

/** Makes the home where it is missing and checks that it can be written and has room. Throws a `LauncherError`. */
export async function prepareHome(home: Home): Promise<void> {
  const probe = join(home.root, `.probe-${process.pid}`);
  try {
    const isNew = await makeFolder(home.root);
    // PostgreSQL does not run as root, and its account must be able to pass through, though not to look around.
    if (isNew && process.getuid?.() === 0) await chmod(home.root, 0o711);
    for (const folder of [home.logs, home.blobs, home.cache]) await makeFolder(folder);
    await writeFile(probe, 'x');
    await rm(probe);
  } catch (error) {
    throw new LauncherError(`${home.root} cannot be used for Lectern's data: ${explain(error)}`, { cause: error });
  }
  const { bavail, bsize } = await statfs(home.root);
  const freeBytes = bavail * bsize;
  if (freeBytes >= NEEDED_BYTES) return;
  throw new LauncherError(
    `Only ${Math.floor(freeBytes / MIB)} MiB are free at ${home.root}; Lectern needs ${NEEDED_BYTES / MIB} MiB. Make room, or set LECTERN_HOME to a folder on another disk.`,
  );
}

function explain(error: unknown): string {
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'this account may not write there. Change its owner or rights, or set LECTERN_HOME to another folder.';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full. Make room, or set LECTERN_HOME to a folder on another disk.';
    case 'ENOENT':
      return 'this file system takes no folder there. Set LECTERN_HOME to another one.';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'it, or something above it, is a file. Set LECTERN_HOME to a folder.';
    default:
      return messageOf(error);
  }
}
