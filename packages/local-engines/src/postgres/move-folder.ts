import { cp, lchown, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '#postgres/account';
import { EngineError } from '#process/engine-error';
import { codeOf, messageOf } from '#process/thrown';

/** Returns the name of the original between the end of the copy and its removal. */
export const movedName = (folder: string): string => `${folder}.moved`;

/**
 * Moves a data directory that is not in use. On another file system, flushes the copy to disk
 * before removing the original, so one of the two paths always has complete data. Throws an
 * `EngineError` and leaves the original in place.
 */
export async function moveFolder(from: string, to: string, account: Account): Promise<void> {
  const draft = `${to}.copy`;
  try {
    await rename(from, to).catch(async (error) => {
      // Container file systems return this error for folders from the image.
      if (codeOf(error) !== 'EXDEV') throw error;
      await cp(from, draft, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
      await finishCopy(draft, account);
      await rename(draft, to);
      await rename(from, movedName(from));
      await rm(movedName(from), { recursive: true });
    });
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    throw new EngineError(`Lectern could not move PostgreSQL's data from ${from} to ${to}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** Changes the owner of a copy and flushes it to disk. */
async function finishCopy(folder: string, account: Account): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  if (account !== undefined) await lchown(folder, account.uid, account.gid);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (account !== undefined) await lchown(path, account.uid, account.gid);
    if (entry.isSymbolicLink()) continue;
    const file = await open(path, 'r');
    await file.sync().finally(() => file.close());
  }
}
