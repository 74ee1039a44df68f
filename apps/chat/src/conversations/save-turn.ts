import type { StoredReply } from '#conversations/stored-reply';
import type { Prisma, PrismaClient } from '#gen/prisma/client';

// Milliseconds to wait for a connection, and to use it. A reply that is written is not lost because many end at once.
const LIMITS = { maxWait: 10_000, timeout: 10_000 };

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
  const store = async (tx: Prisma.TransactionClient) => {
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
  };
  return db.$transaction(store, LIMITS);
}
