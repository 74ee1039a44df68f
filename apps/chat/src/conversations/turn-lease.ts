import { renewTogether } from '@lectern/resilience';
import { AppError, createBatcher, type Logger } from '@lectern/service-kit';
import type { NewConversation } from '#conversations/open-conversation';
import type { PrismaClient } from '#gen/prisma/client';

/**
 * The duration of a lease without a heartbeat, in seconds. It can be short: a turn is stored only
 * if it still has its lease, so an early expiry loses no other turn.
 */
const LEASE_SECONDS = 6;

/** A turn's exclusive lease of a conversation. */
export interface TurnLease {
  /** The number of messages in the conversation. No other turn can add any during the lease. */
  readonly messageCount: number;
  /** Releases the lease if it has not expired. Never throws. */
  release(): Promise<void>;
}

/** The leases of this process's turns. */
export interface TurnLeases {
  /**
   * Acquires the lease of a conversation, so that the next message has this reply in its history.
   * The lease is in the conversation's row, so all replicas see it. Also opens the reply with the
   * turn's id; only `reader` (`readerOf`) can resume it. Throws `conflict` if another message is
   * being answered.
   */
  acquire(conversationId: string, turnId: string, reader: string): Promise<TurnLease>;
  /** Creates a conversation with this turn as its first, in one statement. */
  open(conversation: NewConversation, turnId: string, reader: string): Promise<TurnLease>;
  stop(): Promise<void>;
}

/** The maximum number of turns that are opened or released in one statement. */
const MAX_BATCH = 500;

/**
 * Renews all leases of the process in one statement. Opens and releases are batched too, so that
 * many simultaneous turns do not queue for the few database connections.
 */
export function createTurnLeases(db: PrismaClient, log: Logger): TurnLeases {
  /** Conversation ids by the id of the turn that leases them. */
  const leased = new Map<string, string>();
  const renewal = renewTogether({
    leaseMs: LEASE_SECONDS * 1_000,
    keys: () => [...leased],
    renew: (turns) => db.$executeRaw`
      UPDATE conversations SET turn_until = now() + ${LEASE_SECONDS} * interval '1 second'
      WHERE id = ANY(${turns.map(([, id]) => id)}::text[]) AND turn_id = ANY(${turns.map(([turnId]) => turnId)}::text[])`,
    onRenewError: (err) => log.warn({ err }, 'could not renew the leases of conversations'),
  });
  const release = createBatcher<readonly [turnId: string, conversationId: string], void>({
    maxWeight: MAX_BATCH,
    work: async (turns) => {
      const turnIds = turns.map(([turnId]) => turnId);
      const ids = turns.map(([, conversationId]) => conversationId);
      await db.$executeRaw`
        UPDATE conversations SET turn_id = NULL, turn_until = NULL
        WHERE id = ANY(${ids}::text[]) AND turn_id = ANY(${turnIds}::text[])`;
      return turns.map(() => undefined);
    },
  });
  const open = createBatcher<readonly [turnId: string, conversation: NewConversation, reader: string], void>({
    maxWeight: MAX_BATCH,
    work: async (turns) => {
      const rows = turns.map(([turnId, { id, teamId, keyId, userEmail, agentId, title }, reader]) => {
        return { id, team: teamId, key: keyId, person: userEmail, agent: agentId, title, turn: turnId, reader };
      });
      await db.$executeRaw`
        WITH rows AS (
          SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            AS row(id text, team text, key text, person text, agent text, title text, turn text, reader text)
        ), opened AS (
          INSERT INTO conversations (id, team_id, key_id, user_email, agent_id, title, turn_id, turn_until)
          SELECT id, team, key, person, agent, title, turn, now() + ${LEASE_SECONDS} * interval '1 second' FROM rows
          RETURNING id, turn_id
        )
        INSERT INTO open_replies (id, conversation_id, reader)
        SELECT opened.turn_id, opened.id, rows.reader FROM opened JOIN rows ON rows.turn = opened.turn_id`;
      return turns.map(() => undefined);
    },
  });
  const lease = (conversationId: string, turnId: string, messageCount: number): TurnLease => {
    leased.set(turnId, conversationId);
    return {
      messageCount,
      release: async () => {
        leased.delete(turnId);
        await release([turnId, conversationId]).catch((err: unknown) =>
          log.warn({ err, conversationId }, 'could not release the lease of a conversation'),
        );
      },
    };
  };
  return {
    async acquire(conversationId, turnId, reader) {
      const [taken] = await db.$queryRaw<{ message_count: number }[]>`
        WITH taken AS (
          UPDATE conversations SET turn_id = ${turnId}, turn_until = now() + ${LEASE_SECONDS} * interval '1 second'
          WHERE id = ${conversationId} AND (turn_until IS NULL OR turn_until < now())
          RETURNING id, message_count
        ), opened AS (
          INSERT INTO open_replies (id, conversation_id, reader) SELECT ${turnId}, id, ${reader} FROM taken
        )
        SELECT message_count FROM taken`;
      if (taken === undefined) throw alreadyLeased(conversationId);
      return lease(conversationId, turnId, taken.message_count);
    },
    async open(conversation, turnId, reader) {
      await open([turnId, conversation, reader]);
      return lease(conversation.id, turnId, 0);
    },
    stop: () => renewal.stop(),
  };
}

function alreadyLeased(id: string): AppError {
  return new AppError(
    'conflict',
    'Another message in this conversation is being answered. Wait for its reply, then send this one again.',
    {
      details: { resource: 'conversation', id },
    },
  );
}
