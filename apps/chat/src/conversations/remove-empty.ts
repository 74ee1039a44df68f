import type { PrismaClient } from '#gen/prisma/client';

/** A client that received the id of a conversation can continue it for a day. */
const KEPT_MS = 86_400_000;

/** Deletes conversations whose first turn was never stored. Returns how many. */
export async function removeEmptyConversations(db: PrismaClient): Promise<number> {
  const before = new Date(Date.now() - KEPT_MS);
  const { count } = await db.conversation.deleteMany({ where: { messageCount: 0, createdAt: { lt: before } } });
  return count;
}
