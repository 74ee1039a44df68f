import { MAX_APPROVAL_WAIT_MS } from '@lectern/contracts';
import type { PrismaClient } from '#gen/prisma/client';

/** How long a reply that was not stored can be read: longer than any turn lasts. */
const RETENTION_MS = 15 * 60_000 + MAX_APPROVAL_WAIT_MS;

/** Deletes replies that ended without being stored. Returns how many. */
export async function removeExpiredReplies(db: PrismaClient): Promise<number> {
  const { count } = await db.openReply.deleteMany({
    where: { createdAt: { lt: new Date(Date.now() - RETENTION_MS) } },
  });
  return count;
}
