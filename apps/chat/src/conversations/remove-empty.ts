import type { PrismaClient } from '#gen/prisma/client';

/** A client that was told a conversation's id may still go on with it for a day. */
const KEPT_MS = 86_400_000;

/** Removes conversations whose first turn never came to an end; answers with their number. */
export async function removeEmptyConversations(db: PrismaClient): Promise<number> {
  const before = new Date(Date.now() - KEPT_MS);
  const { count } = await db.conversation.deleteMany({ where: { messageCount: 0, createdAt: { lt: before } } });
  return count;
}
