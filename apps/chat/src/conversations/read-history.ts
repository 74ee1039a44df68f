import { type ChatMessage, withoutMarkers } from '@lectern/llm';
import type { PrismaClient } from '#gen/prisma/client';

/** The newest messages that a turn looks at. */
const MAX_MESSAGES = 1_000;

/**
 * The newest messages of a conversation before a position, oldest first. Replies are without their markers, which number sources of their
 * own turn. A message that was answered too late is left out with its reply: history never holds half a reply.
 */
export async function readHistory(db: PrismaClient, conversationId: string, before: number): Promise<ChatMessage[]> {
  if (before === 0) return [];
  const rows = await db.message.findMany({
    where: { conversationId, position: { lt: before }, status: 'complete' },
    orderBy: { position: 'desc' },
    take: MAX_MESSAGES,
    select: { role: true, content: true },
  });
  return rows.reverse().map(({ role, content }) => {
    const text = role === 'assistant' ? withoutMarkers(content) : content;
    return { role, content: [{ type: 'text', text }] };
  });
}
