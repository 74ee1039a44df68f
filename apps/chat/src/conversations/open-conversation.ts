import { type Caller, newId } from '@lectern/service-kit';
import { titleOf } from '#conversations/title';
import type { Conversation, PrismaClient } from '#gen/prisma/client';

/** Opens a conversation with its first message; it is in no list until its first turn is stored. */
export async function openConversation(
  db: PrismaClient,
  { teamId, keyId, userEmail }: Caller,
  first: { readonly message: string; readonly agentId: string | undefined },
): Promise<Conversation> {
  return db.conversation.create({
    data: {
      id: newId('conversation'),
      teamId,
      keyId: keyId ?? null,
      userEmail: userEmail ?? null,
      agentId: first.agentId ?? null,
      title: titleOf(first.message),
    },
  });
}
