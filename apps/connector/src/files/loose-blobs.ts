import { randomUUID } from 'node:crypto';
import type { Prisma } from '#gen/prisma/client';
import type { Context } from '../context.ts';

// Longer than any upload may take.
const RESERVED_MS = 6 * 3_600_000;

/** Keys noted at once, so that an upload of many files asks the database few times. */
const BATCH = 50;

/**
 * Notes keys of blobs that are about to be written: unless an upload takes them over, they will be removed. Answers a supply of keys, and
 * those that it has noted.
 */
export function reserveBlobs(ctx: Context): { next(): Promise<string>; readonly noted: readonly string[] } {
  const noted: string[] = [];
  let unused: string[] = [];
  return {
    noted,
    next: async () => {
      if (unused.length === 0) {
        const keys = Array.from({ length: BATCH }, () => randomUUID());
        const removeAfter = new Date(Date.now() + RESERVED_MS);
        await ctx.db.looseBlob.createMany({ data: keys.map((key) => ({ key, removeAfter })) });
        noted.push(...keys);
        unused = keys;
      }
      return unused.pop() ?? randomUUID();
    },
  };
}

/** Files refer to these blobs from now on. False where one has been given up meanwhile. */
export async function takeOverBlobs(tx: Prisma.TransactionClient, keys: string[]): Promise<boolean> {
  const { count } = await tx.looseBlob.deleteMany({ where: { key: { in: keys } } });
  return count === keys.length;
}

/** No file refers to these blobs any more. */
export async function loosenBlobs(tx: Prisma.TransactionClient, keys: readonly string[]): Promise<void> {
  const removeAfter = new Date();
  await tx.looseBlob.createMany({ data: keys.map((key) => ({ key, removeAfter })), skipDuplicates: true });
  await tx.looseBlob.updateMany({ where: { key: { in: [...keys] } }, data: { removeAfter } });
}

/**
 * Gives up blobs that were reserved. Only while they are: an upload whose commit was never confirmed may have taken them over all the
 * same, and then they stay.
 */
export async function giveUpBlobs(ctx: Context, keys: readonly string[]): Promise<void> {
  await ctx.db.looseBlob.updateMany({ where: { key: { in: [...keys] } }, data: { removeAfter: new Date() } });
}

/**
 * Removes the blobs whose time is over, some at once, until the signal ends it: an upload leaves those that it reserved and did not need. The notes go
 * last, so that a crash in between only repeats it.
 */
export async function removeLooseBlobs(ctx: Context, signal?: AbortSignal): Promise<void> {
  const loose = await ctx.db.looseBlob.findMany({
    where: { removeAfter: { lte: new Date() } },
    orderBy: { removeAfter: 'asc' },
    take: 1_000,
  });
  for (let at = 0; at < loose.length && signal?.aborted !== true; at += BATCH) {
    const keys = loose.slice(at, at + BATCH).map(({ key }) => key);
    await Promise.all(keys.map((key) => ctx.blobs.remove(key)));
    await ctx.db.looseBlob.deleteMany({ where: { key: { in: keys }, removeAfter: { lte: new Date() } } });
  }
}
