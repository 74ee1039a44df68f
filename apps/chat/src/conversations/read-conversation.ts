import { isId } from '@lectern/contracts';
import { type Caller, notFound } from '@lectern/service-kit';
import { visibleTo } from '#conversations/visibility';
import type { Conversation, PrismaClient } from '#gen/prisma/client';

/** Returns a conversation that is visible to the caller. Throws `not_found` for any other. */
export async function readConversation(db: PrismaClient, caller: Caller, id: string): Promise<Conversation> {
  const found = isId('conversation', id)
    ? await db.conversation.findFirst({ where: { id, ...visibleTo(caller) } })
    : null;
  if (found === null) throw notFound('conversation', id);
  return found;
}
