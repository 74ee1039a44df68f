import type { PrismaClient } from '#gen/prisma/client';

/** How long a reply that was not stored can be read: longer than any may take to be written. */
const KEPT_MS = 15 * 60_000;

/** Removes replies that ended without being stored some minutes ago; answers with their number. */
export async function removeEndedReplies(db: PrismaClient): Promise<number> {
  const { count } = await db.openReply.deleteMany({ where: { createdAt: { lt: new Date(Date.now() - KEPT_MS) } } });
  return count;
}
