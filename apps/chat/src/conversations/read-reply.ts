import { isId } from '@lectern/contracts';
import { type Caller, notFound } from '@lectern/service-kit';
import { readOwnConversation } from '#conversations/read-conversation';
import type { Message, PrismaClient } from '#gen/prisma/client';

interface ReplyPlace {
  readonly conversationId: string;
  readonly messageId: string;
}

/**
 * Returns a reply in a conversation of the caller. Throws `not_found` for any other,
 * and for a message of the user.
 */
export async function readReply(
  db: PrismaClient,
  caller: Caller,
  { conversationId, messageId }: ReplyPlace,
): Promise<Message> {
  const { id } = await readOwnConversation(db, caller, conversationId);
  const found = isId('message', messageId)
    ? await db.message.findFirst({ where: { id: messageId, conversationId: id, role: 'assistant' } })
    : null;
  if (found === null) throw notFound('reply', messageId);
  return found;
}
