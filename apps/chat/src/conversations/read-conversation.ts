import { isId } from '@lectern/contracts';
import { type Caller, notFound } from '@lectern/service-kit';
import { ownedBy, readableBy } from '#conversations/visibility';
import type { Conversation, Prisma, PrismaClient } from '#gen/prisma/client';

async function findConversation(db: PrismaClient, id: string, where: Prisma.ConversationWhereInput) {
  const found = isId('conversation', id) ? await db.conversation.findFirst({ where: { id, ...where } }) : null;
  if (found === null) throw notFound('conversation', id);
  return found;
}

/** Returns a conversation of the caller, to change or continue it. Throws `not_found` for any other. */
export const readOwnConversation = (db: PrismaClient, caller: Caller, id: string): Promise<Conversation> =>
  findConversation(db, id, ownedBy(caller));

/** Returns a conversation that the caller can read, also one that others share. Throws `not_found` for any other. */
export const readConversation = (db: PrismaClient, caller: Caller, id: string): Promise<Conversation> =>
  findConversation(db, id, readableBy(caller));
