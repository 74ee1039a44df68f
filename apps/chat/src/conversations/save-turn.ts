import type { StoredReply } from '#conversations/stored-reply';
import type { StoredRequest } from '#conversations/stored-request';
import { Prisma, type PrismaClient } from '#gen/prisma/client';
import { type ReplyStep, toStoredSteps } from '#replies/reply-step';

// Milliseconds to wait for a connection, and to use it. A reply that is written is not lost because many end at once.
const LIMITS = { maxWait: 10_000, timeout: 10_000 };

/** A message as it was sent. */
export interface SentMessage {
  readonly id: string;
  readonly text: string;
  readonly sentAt: Date;
  readonly request: StoredRequest;
}

/** A turn that has come to its end. */
export interface FinishedTurn {
  readonly conversationId: string;
  readonly turnId: string;
  /** Undefined where the last message is answered anew: the reply then takes the place of the one before. */
  readonly message: SentMessage | undefined;
  /** `id` is the one that message_start told. */
  readonly reply: StoredReply & { readonly id: string; readonly steps: readonly ReplyStep[] };
}

/** A turn whose time was over before the model had said its last word. */
export interface TimedOutTurn {
  readonly conversationId: string;
  readonly turnId: string;
  readonly message: SentMessage;
  /** What had been said until then. */
  readonly reply: {
    readonly id: string;
    readonly content: string;
    readonly model: string;
    readonly steps: readonly ReplyStep[];
  };
}

/**
 * Stores the message and its reply together, closes the reply and frees the conversation. False where the turn does not hold the
 * conversation any more (it was deleted, or the turn was taken for dead): then nothing is stored.
 */
export function saveTurn(db: PrismaClient, turn: FinishedTurn): Promise<boolean> {
  const { message } = turn;
  return addToConversation(db, turn, async (tx, position) => {
    const place = { conversationId: turn.conversationId, position };
    if (message === undefined) {
      await tx.message.deleteMany({ where: place });
      // It may have been answered too late before.
      await tx.message.updateMany({ where: { ...place, position: position - 1 }, data: { status: 'complete' } });
    }
    const asked = message === undefined ? [] : [userRow(turn, message, position - 1)];
    await tx.message.createMany({ data: [...asked, replyRow(turn, position)] });
  });
}

/** Stores a message, and what had been said to it when its time was over, marked as that. False as for `saveTurn`. */
export function saveTimedOutTurn(db: PrismaClient, turn: TimedOutTurn): Promise<boolean> {
  const { conversationId, message, reply } = turn;
  const status = 'timed_out';
  return addToConversation(db, turn, async (tx, position) => {
    const { id, content, model, steps } = reply;
    const said = { id, conversationId, position, role: 'assistant', content, model, status } as const;
    const asked = { ...userRow(turn, message, position - 1), status };
    await tx.message.createMany({ data: [asked, { ...said, steps: stepsColumn(steps) }] });
  });
}

type Turn = Pick<FinishedTurn, 'conversationId' | 'turnId' | 'message'>;

/** Frees the conversation and closes the reply, and in the same transaction has the messages written; `position` is the reply's. */
function addToConversation(
  db: PrismaClient,
  { conversationId, turnId, message }: Turn,
  write: (tx: Prisma.TransactionClient, position: number) => Promise<void>,
): Promise<boolean> {
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
    await write(tx, conversation.messageCount - 1);
    await tx.openReply.deleteMany({ where: { id: turnId } });
    return true;
  };
  return db.$transaction(store, LIMITS);
}

function userRow(
  { conversationId }: Turn,
  { id, text, sentAt, request }: SentMessage,
  position: number,
): Prisma.MessageCreateManyInput {
  const asked = { ...request, collections: [...request.collections] };
  return { id, conversationId, position, role: 'user', content: text, request: asked, createdAt: sentAt };
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
    steps: stepsColumn(steps),
  };
}

const stepsColumn = (steps: readonly ReplyStep[]) => (steps.length === 0 ? Prisma.DbNull : toStoredSteps(steps));
