import { AppError } from '@lectern/service-kit';
import { type StoredRequest, storedRequest } from '#conversations/stored-request';
import type { Conversation, PrismaClient } from '#gen/prisma/client';

/** The message that the last reply of a conversation answers. */
export interface LastQuestion {
  readonly text: string;
  /** Its place in the conversation; what stands before it is its history. */
  readonly position: number;
  readonly request: StoredRequest;
}

/** Messages that were stored before requests were kept with them looked everywhere. */
const ANYWHERE: StoredRequest = { collections: [] };

/** Throws `conflict` where the conversation holds no reply. */
export async function readLastQuestion(
  db: PrismaClient,
  { id, messageCount }: Pick<Conversation, 'id' | 'messageCount'>,
): Promise<LastQuestion> {
  const position = messageCount - 2;
  const row = await db.message.findFirst({ where: { conversationId: id, position, role: 'user' } });
  if (row === null) {
    throw new AppError('conflict', 'The conversation holds no reply that could be written anew.', {
      details: { resource: 'conversation', id },
    });
  }
  return { text: row.content, position, request: storedRequest.catch(ANYWHERE).parse(row.request) };
}
