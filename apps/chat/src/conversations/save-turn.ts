import type { StoredReply } from '#conversations/stored-reply';
import type { PrismaClient } from '#gen/prisma/client';

/** A turn that has come to its end. */
export interface FinishedTurn {
  readonly conversationId: string;
  readonly turnId: string;
  readonly message: { readonly id: string; readonly text: string; readonly sentAt: Date };
  /** `id` is the one that message_start told. */
  readonly reply: StoredReply & { readonly id: string };
}

/**
 * Stores the message and its reply together and frees the conversation. False where the turn does not hold the conversation any more
 * (it was deleted): then nothing is stored.
 */
export async function saveTurn(db: PrismaClient, turn: FinishedTurn): Promise<boolean> {
  const { conversationId, turnId, message, reply } = turn;
  return db.$transaction(async (tx) => {
    const held = await tx.conversation.updateManyAndReturn({
      where: { id: conversationId, turnId },
      data: { messageCount: { increment: 2 }, updatedAt: new Date(), turnId: null, turnUntil: null },
      select: { messageCount: true },
    });
    const [conversation] = held;
    if (conversation === undefined) return false;
    const position = conversation.messageCount - 2;
    await tx.message.createMany({
      data: [
        {
          id: message.id,
          conversationId,
          position,
          role: 'user',
          content: message.text,
          createdAt: message.sentAt,
        },
        {
          id: reply.id,
          conversationId,
          position: position + 1,
          role: 'assistant',
          content: reply.content,
          sources: [...reply.sources],
          confidence: reply.confidence,
          usage: reply.usage,
          model: reply.model,
        },
      ],
    });
    return true;
  });
}
