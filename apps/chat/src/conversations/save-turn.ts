import type { StoredReply } from '#conversations/stored-reply';
import type { StoredRequest } from '#conversations/stored-request';
import { Prisma, type PrismaClient } from '#gen/prisma/client';
import { type ReplyStep, toStoredSteps } from '#replies/reply-step';

// Milliseconds to wait for a connection, and to use it. A reply that is written is not lost because many end at once.
const LIMITS = { maxWait: 10_000, timeout: 10_000 };

/** A turn that has come to its end. */
export interface FinishedTurn {
  readonly conversationId: string;
  readonly turnId: string;
  /** Undefined where the last message is answered anew: the reply then takes the place of the one before. */
  readonly message:
    | { readonly id: string; readonly text: string; readonly sentAt: Date; readonly request: StoredRequest }
    | undefined;
  /** `id` is the one that message_start told. */
  readonly reply: StoredReply & { readonly id: string; readonly steps: readonly ReplyStep[] };
}

/**
 * Stores the message and its reply together, closes the reply and frees the conversation. False where the turn does not hold the
 * conversation any more (it was deleted, or the turn was taken for dead): then nothing is stored.
 */
export async function saveTurn(db: PrismaClient, turn: FinishedTurn): Promise<boolean> {
  const { conversationId, turnId, message, reply } = turn;
  const store = async (tx: Prisma.TransactionClient) => {
    const held = await tx.conversation.updateManyAndReturn({
      where: { id: conversationId, turnId },
      data: {
        ...(message === undefined ? {} : { messageCount: { increment: 2 } }),
        updatedAt: new Date(),
        turnId: null,
        turnUntil: null,
      },
      select: { messageCount: true },
    });
    const [conversation] = held;
    if (conversation === undefined) return false;
    const position = conversation.messageCount - 1;
    if (message === undefined) await tx.message.deleteMany({ where: { conversationId, position } });
    await tx.message.createMany({ data: [...userRow(turn, position - 1), replyRow(turn, position)] });
    await tx.openReply.deleteMany({ where: { id: reply.id } });
    return true;
  };
  return db.$transaction(store, LIMITS);
}

function userRow({ conversationId, message }: FinishedTurn, position: number): Prisma.MessageCreateManyInput[] {
  if (message === undefined) return [];
  const { id, text, sentAt, request } = message;
  const asked = { ...request, collections: [...request.collections] };
  return [{ id, conversationId, position, role: 'user', content: text, request: asked, createdAt: sentAt }];
}

function replyRow({ conversationId, reply }: FinishedTurn, position: number): Prisma.MessageCreateManyInput {
  const { id, content, sources, confidence, usage, model, steps } = reply;
  return {
    id,
    conversationId,
    position,
    role: 'assistant',
    content,
    sources: [...sources],
    confidence,
    usage,
    model,
    steps: steps.length === 0 ? Prisma.DbNull : toStoredSteps(steps),
  };
}
