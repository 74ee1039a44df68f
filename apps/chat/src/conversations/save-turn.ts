import { type ReplyStep, toStoredSteps } from '#conversations/reply-step';
import type { StoredReply, WithDocuments, WithShownDocuments } from '#conversations/stored-reply';
import type { StoredRequest } from '#conversations/stored-request';
import { Prisma, type PrismaClient } from '#gen/prisma/client';

/** A message as it was sent. */
interface SentMessage {
  readonly id: string;
  readonly text: string;
  readonly sentAt: Date;
  readonly request: StoredRequest;
}

/** A finished turn. */
export interface FinishedTurn {
  readonly conversationId: string;
  readonly turnId: string;
  /** Undefined for a regenerated reply, which replaces the one before. */
  readonly message: SentMessage | undefined;
  /** `id` is the one that `message_start` announced. */
  readonly reply: StoredReply &
    WithDocuments &
    WithShownDocuments & { readonly id: string; readonly steps: readonly ReplyStep[] };
}

/** A turn that timed out before the model finished. */
export interface TimedOutTurn {
  readonly conversationId: string;
  readonly turnId: string;
  readonly message: SentMessage;
  /** The reply so far. */
  readonly reply: WithShownDocuments & {
    readonly id: string;
    readonly content: string;
    readonly model: string;
    readonly steps: readonly ReplyStep[];
    /**
     * All documents that were shown to the model. The reply was not checked for which of them it
     * uses.
     */
    readonly documents: readonly string[];
  };
}

/**
 * Stores the message and its reply together, closes the reply and releases the lease. Returns false
 * and stores nothing if the turn has lost its lease, or if the conversation was deleted.
 */
export function saveTurn(db: PrismaClient, turn: FinishedTurn): Promise<boolean> {
  const { message } = turn;
  if (message !== undefined) return addTurn(db, turn, message);
  return addToConversation(db, turn, async (tx, position) => {
    const place = { conversationId: turn.conversationId, position };
    await tx.message.deleteMany({ where: place });
    // The previous reply may have timed out.
    await tx.message.updateMany({ where: { ...place, position: position - 1 }, data: { status: 'complete' } });
    await tx.message.createMany({ data: [replyRow(turn, position)] });
  });
}

/** Stores a new message and its reply in one statement: one round trip instead of five. */
async function addTurn(
  db: PrismaClient,
  { conversationId, turnId, reply }: FinishedTurn,
  { id, text, sentAt, request }: SentMessage,
): Promise<boolean> {
  const { content, sources, confidence, usage, model, documents, shownDocuments } = reply;
  const shown = shownDocuments && JSON.stringify(shownDocuments);
  const steps = reply.steps.length === 0 ? null : JSON.stringify(toStoredSteps(reply.steps));
  const rows = await db.$queryRaw<unknown[]>`
    WITH leased AS (
      UPDATE conversations SET message_count = message_count + 2, updated_at = now(), turn_id = NULL, turn_until = NULL
      WHERE id = ${conversationId} AND turn_id = ${turnId}
      RETURNING id, message_count
    ), question AS (
      INSERT INTO messages (id, conversation_id, position, role, content, request, created_at)
      SELECT ${id}, id, message_count - 2, 'user'::"role", ${text}, ${JSON.stringify(request)}::jsonb, ${sentAt}::timestamptz
      FROM leased
    ), answer AS (
      INSERT INTO messages (id, conversation_id, position, role, content, sources, confidence, usage, model, steps, documents, shown_documents)
      SELECT ${reply.id}, id, message_count - 1, 'assistant'::"role", ${content}, ${JSON.stringify(sources)}::jsonb,
        ${JSON.stringify(confidence)}::jsonb, ${JSON.stringify(usage)}::jsonb, ${model}, ${steps}::jsonb, ${[...documents]}::text[],
        ${shown}::jsonb
      FROM leased
    ), closed AS (
      DELETE FROM open_replies WHERE id = ${turnId} AND EXISTS (SELECT 1 FROM leased)
    )
    SELECT id FROM leased`;
  return rows.length > 0;
}

/**
 * Stores a message and its partial reply, both marked as timed out. Returns false like `saveTurn`.
 */
export function saveTimedOutTurn(db: PrismaClient, turn: TimedOutTurn): Promise<boolean> {
  const { conversationId, message, reply } = turn;
  const status = 'timed_out';
  return addToConversation(db, turn, async (tx, position) => {
    const { id, content, model, steps, documents, shownDocuments } = reply;
    const answer = { id, conversationId, position, role: 'assistant', content, model, status } as const;
    const question = { ...userRow(turn, message, position - 1), status };
    await tx.message.createMany({
      data: [
        question,
        {
          ...answer,
          steps: stepsColumn(steps),
          documents: [...documents],
          shownDocuments: shownColumn(shownDocuments),
        },
      ],
    });
  });
}

type Turn = Pick<FinishedTurn, 'conversationId' | 'turnId' | 'message'>;

/**
 * Releases the lease, closes the reply and writes the messages in one transaction. `position` is
 * the reply's.
 */
function addToConversation(
  db: PrismaClient,
  { conversationId, turnId, message }: Turn,
  write: (tx: Prisma.TransactionClient, position: number) => Promise<void>,
): Promise<boolean> {
  const store = async (tx: Prisma.TransactionClient) => {
    const rows = await tx.conversation.updateManyAndReturn({
      where: { id: conversationId, turnId },
      data: {
        ...(message === undefined ? {} : { messageCount: { increment: 2 } }),
        updatedAt: new Date(),
        turnId: null,
        turnUntil: null,
      },
      select: { messageCount: true },
    });
    const [conversation] = rows;
    if (conversation === undefined) return false;
    await write(tx, conversation.messageCount - 1);
    await tx.openReply.deleteMany({ where: { id: turnId } });
    return true;
  };
  return db.$transaction(store);
}

function userRow(
  { conversationId }: Turn,
  { id, text, sentAt, request }: SentMessage,
  position: number,
): Prisma.MessageCreateManyInput {
  const stored = { ...request, collections: [...request.collections] };
  return { id, conversationId, position, role: 'user', content: text, request: stored, createdAt: sentAt };
}

function replyRow({ conversationId, reply }: FinishedTurn, position: number): Prisma.MessageCreateManyInput {
  const { id, content, sources, confidence, usage, model, steps, documents, shownDocuments } = reply;
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
    documents: [...documents],
    shownDocuments: shownColumn(shownDocuments),
  };
}

const shownColumn = (ids: readonly string[] | null) => (ids === null ? Prisma.DbNull : [...ids]);

const stepsColumn = (steps: readonly ReplyStep[]) => (steps.length === 0 ? Prisma.DbNull : toStoredSteps(steps));
