import { type ChatMessage, withoutMarkers } from '@lectern/llm';
import type { PrismaClient } from '#gen/prisma/client';

/** The newest messages that a turn looks at; more would not fit any model's window. */
const MAX_MESSAGES = 400;

/** The newest messages of a conversation, oldest first. Replies are without their markers, which number sources of their own turn. */
export async function readHistory(db: PrismaClient, conversationId: string): Promise<ChatMessage[]> {
  const rows = await db.message.findMany({
    where: { conversationId },
    orderBy: { position: 'desc' },
    take: MAX_MESSAGES,
    select: { role: true, content: true },
  });
  return rows.reverse().map(({ role, content }) => {
    const text = role === 'assistant' ? withoutMarkers(content) : content;
    return { role, content: [{ type: 'text', text }] };
  });
}
