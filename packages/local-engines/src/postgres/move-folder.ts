import { cp, lchown, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '#postgres/account';
import { EngineError } from '#process/engine-error';
import { codeOf, messageOf } from '#process/thrown';

/** What the original is called between the end of its copying and its removal. */
export const movedName = (folder: string): string => `${folder}.moved`;

/**
 * Moves a data directory that nothing runs on; to another file system by a copy that is on the disk before the original
 * goes. It is whole at one of the two paths at any moment. Throws an `EngineError`, with the original where it was.
 */
export async function moveFolder(from: string, to: string, account: Account): Promise<void> {
  const draft = `${to}.copy`;
  try {
    await rename(from, to).catch(async (error) => {
      // Container file systems say so of folders that came with the image.
      if (codeOf(error) !== 'EXDEV') throw error;
      await cp(from, draft, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
      await settle(draft, account);
      await rename(draft, to);
      await rename(from, movedName(from));
      await rm(movedName(from), { recursive: true });
    });
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    throw new EngineError(`PostgreSQL's data could not be moved from ${from} to ${to}: ${messageOf(cause)}`, { cause });
  }
}

/** Gives a copy to the account, and waits until it is on the disk. */
async function settle(folder: string, account: Account): Promise<void> {
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
