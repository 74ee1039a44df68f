import { AppError, createBatcher, type Logger, repeat } from '@lectern/service-kit';
import type { NewConversation } from '#conversations/open-conversation';
import type { PrismaClient } from '#gen/prisma/client';

/**
 * Seconds that a turn holds its conversation without a sign of life; a process that dies frees it after that. May be short: a turn is
 * stored only where it still holds its conversation, so one that was taken for dead harms nothing but itself.
 */
const LEASE_SECONDS = 6;
const RENEW_MS = 2_000;

/** Holds a conversation for one turn. */
export interface TurnLease {
  /** The messages of the conversation at this moment; nobody else adds to them from now on. */
  readonly messageCount: number;
  /** Frees the conversation, if it is still held. Never throws. */
  release(): Promise<void>;
}

/** The conversations that turns of this process hold. */
export interface TurnLeases {
  /**
   * Locks a conversation for one turn, so that the next message is answered with this reply in its
   * history. The lease is in the conversation's row, so all replicas see it. Also opens the reply
   * with the turn's id; only `reader` (`readerOf`) can resume it. Throws `conflict` if another
   * message is being answered.
   */
  hold(conversationId: string, turnId: string, reader: string): Promise<TurnLease>;
  /** Opens a conversation with this turn as its first, in one statement. */
  open(conversation: NewConversation, turnId: string, reader: string): Promise<TurnLease>;
  stop(): Promise<void>;
}

/** Turns that are begun or freed in one statement. */
const MOST_AT_ONCE = 500;

/**
 * Renews all leases of the process in one statement. Conversations that are opened at the same time are opened together, and turns that end at the same
 * time freed together: a crowd of them does not wait for the few connections to the database one by one.
 */
export function createTurnLeases(db: PrismaClient, log: Logger): TurnLeases {
  /** Conversations by the turn that holds them. */
  const held = new Map<string, string>();
  const renewal = repeat({ name: 'hold conversations', intervalMs: RENEW_MS, log }, async () => {
    if (held.size === 0) return;
    await db.$executeRaw`
      UPDATE conversations SET turn_until = now() + ${LEASE_SECONDS} * interval '1 second'
      WHERE id = ANY(${[...held.values()]}::text[]) AND turn_id = ANY(${[...held.keys()]}::text[])`;
  });
  const free = createBatcher<readonly [turnId: string, conversationId: string], void>({
    maxWeight: MOST_AT_ONCE,
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
    maxWeight: MOST_AT_ONCE,
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
    held.set(turnId, conversationId);
    return {
      messageCount,
      release: async () => {
        held.delete(turnId);
        await free([turnId, conversationId]).catch((err: unknown) =>
          log.warn({ err, conversationId }, 'conversation could not be freed'),
        );
      },
    };
  };
  return {
    async hold(conversationId, turnId, reader) {
      const [taken] = await db.$queryRaw<{ message_count: number }[]>`
        WITH taken AS (
          UPDATE conversations SET turn_id = ${turnId}, turn_until = now() + ${LEASE_SECONDS} * interval '1 second'
          WHERE id = ${conversationId} AND (turn_until IS NULL OR turn_until < now())
          RETURNING id, message_count
        ), opened AS (
          INSERT INTO open_replies (id, conversation_id, reader) SELECT ${turnId}, id, ${reader} FROM taken
        )
        SELECT message_count FROM taken`;
      if (taken === undefined) throw beingAnswered(conversationId);
      return lease(conversationId, turnId, taken.message_count);
    },
    async open(conversation, turnId, reader) {
      await open([turnId, conversation, reader]);
      return lease(conversation.id, turnId, 0);
    },
    stop: () => renewal.stop(),
  };
}

function beingAnswered(id: string): AppError {
  return new AppError('conflict', 'Another message of this conversation is being answered. Send this one after it.', {
    details: { resource: 'conversation', id },
  });
}
