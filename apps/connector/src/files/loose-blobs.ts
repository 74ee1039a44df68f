import type { Prisma } from '#gen/prisma/client';
import type { Context } from '../context.ts';

// Longer than any upload may take.
const RESERVED_MS = 6 * 3_600_000;

/** Notes a blob that is about to be written: unless an upload takes it over, it will be removed. */
export async function reserveBlob(ctx: Context, key: string): Promise<void> {
  await ctx.db.looseBlob.create({ data: { key, removeAfter: new Date(Date.now() + RESERVED_MS) } });
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

/** Removes the blobs whose time is over. The note goes last, so that a crash in between only repeats it. */
export async function removeLooseBlobs(ctx: Context): Promise<void> {
  const loose = await ctx.db.looseBlob.findMany({
    where: { removeAfter: { lte: new Date() } },
    orderBy: { removeAfter: 'asc' },
    take: 1_000,
  });
  for (const { key } of loose) {
    await ctx.blobs.remove(key);
    await ctx.db.looseBlob.deleteMany({ where: { key, removeAfter: { lte: new Date() } } });
  }
}
