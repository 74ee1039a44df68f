import { AppError } from '@lectern/service-kit';
import { type StoredRequest, storedRequest } from '#conversations/stored-request';
import type { Conversation, PrismaClient } from '#gen/prisma/client';

/** The message that the last reply of a conversation answers. */
export interface LastQuestion {
  readonly text: string;
  /** Its position in the conversation. The messages before it are its history. */
  readonly position: number;
  readonly request: StoredRequest;
}

/** Older messages were stored without their request. They search every collection. */
const ALL_COLLECTIONS: StoredRequest = { collections: [] };

/** Throws `conflict` if the conversation has no reply. */
export async function readLastQuestion(
  db: PrismaClient,
  { id, messageCount }: Pick<Conversation, 'id' | 'messageCount'>,
): Promise<LastQuestion> {
  const position = messageCount - 2;
  const row = await db.message.findFirst({ where: { conversationId: id, position, role: 'user' } });
  if (row === null) {
    throw new AppError('conflict', 'The conversation has no reply to regenerate. Send a message first.', {
      details: { resource: 'conversation', id },
    });
  }
  return { text: row.content, position, request: storedRequest.catch(ALL_COLLECTIONS).parse(row.request) };
}
