import { chmod, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '#create-folder';
import type { Home } from '#home';
import { codeOf, LauncherError, messageOf } from '#launcher-error';

const MIB = 1024 * 1024;
/** PostgreSQL and JetStream need about this much at the first start. */
const NEEDED_BYTES = 256 * MIB;

/** Creates the home if needed, and checks permissions and free space. Throws a `LauncherError`. */
export async function prepareHome(home: Home): Promise<void> {
  const probe = join(home.root, `.probe-${process.pid}`);
  try {
    const isNew = await createFolder(home.root);
    // PostgreSQL does not run as root: its account must be able to enter, but not to list, the folder.
    if (isNew && process.getuid?.() === 0) await chmod(home.root, 0o711);
    for (const folder of [home.logs, home.blobs, home.cache]) await createFolder(folder);
    await writeFile(probe, 'x');
    await rm(probe);
  } catch (error) {
    throw new LauncherError(`Lectern cannot store its data in ${home.root}: ${explain(error)}`, { cause: error });
  }
  const { bavail, bsize } = await statfs(home.root);
  const freeBytes = bavail * bsize;
  if (freeBytes >= NEEDED_BYTES) return;
  throw new LauncherError(
    `Only ${Math.floor(freeBytes / MIB)} MiB are free at ${home.root}; Lectern needs ${NEEDED_BYTES / MIB} MiB. Free some space, or set LECTERN_HOME to a folder on another disk.`,
  );
}

function explain(error: unknown): string {
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'this account cannot write to it. Change its owner or permissions, or set LECTERN_HOME to another folder.';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full. Free some space, or set LECTERN_HOME to a folder on another disk.';
    case 'ENOENT':
      return 'the file system does not allow new folders there. Set LECTERN_HOME to another folder.';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'the path, or a part of it, is a file. Set LECTERN_HOME to a folder.';
    default:
      return messageOf(error);
  }
}
