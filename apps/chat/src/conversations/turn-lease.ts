import { AppError, type Logger } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';

/** Seconds that a turn holds its conversation without a sign of life; a process that dies frees it after that. */
const LEASE_SECONDS = 30;
const RENEW_MS = 10_000;

/** Holds a conversation for one turn. */
export interface TurnLease {
  /** Frees the conversation, if it is still held. Never throws. */
  release(): Promise<void>;
}

/**
 * Takes a conversation for one turn, so that the next message is answered with this one's reply before it. All replicas agree on it,
 * since it is kept in the row. Throws `conflict` where another message is being answered.
 */
export async function holdConversation(
  db: PrismaClient,
  log: Logger,
  conversationId: string,
  turnId: string,
): Promise<TurnLease> {
  const taken = await db.$executeRaw`
    UPDATE conversations SET turn_id = ${turnId}, turn_until = now() + ${LEASE_SECONDS} * interval '1 second'
    WHERE id = ${conversationId} AND (turn_until IS NULL OR turn_until < now())`;
  if (taken === 0) {
    throw new AppError('conflict', 'Another message of this conversation is being answered. Send this one after it.', {
      details: { resource: 'conversation', id: conversationId },
    });
  }
  const renewal = setInterval(() => {
    db.$executeRaw`
      UPDATE conversations SET turn_until = now() + ${LEASE_SECONDS} * interval '1 second'
      WHERE id = ${conversationId} AND turn_id = ${turnId}`.catch((err: unknown) =>
      log.warn({ err, conversationId }, 'conversation could not be held on'),
    );
  }, RENEW_MS);
  return {
    release: async () => {
      clearInterval(renewal);
      await db.conversation
        .updateMany({ where: { id: conversationId, turnId }, data: { turnId: null, turnUntil: null } })
        .catch((err: unknown) => log.warn({ err, conversationId }, 'conversation could not be freed'));
    },
  };
}
