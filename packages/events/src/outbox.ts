import type { EventDatabase } from '#database';

/** An event that waits for the gateway. */
export interface WaitingEvent {
  readonly id: string;
  readonly teamId: string;
  readonly type: string;
  readonly resource: string;
  readonly collectionIds: string[];
  readonly webhookId: string | null;
  readonly data: Record<string, unknown>;
  readonly occurredAt: Date;
}

/** Which events a team needs. */
export interface Interest {
  readonly teamId: string;
  readonly version: number;
  readonly types: readonly string[];
}

/** Deletes the events that the gateway has stored. */
export async function deleteStored(db: EventDatabase, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.$executeRaw`DELETE FROM event_outbox WHERE id = ANY(${[...ids]}::uuid[])`;
}

/**
 * Returns the oldest events. An event is committed before a later one of its resource gets its position,
 * so no event can appear before one that this has already returned.
 */
export const readWaiting = async (db: EventDatabase, limit: number): Promise<readonly WaitingEvent[]> =>
  db.$queryRaw<WaitingEvent[]>`
    SELECT id::text, team_id AS "teamId", type, resource, collection_ids AS "collectionIds",
      webhook_id AS "webhookId", data, occurred_at AS "occurredAt"
    FROM event_outbox ORDER BY position LIMIT ${limit}`;

/** Stores interests, unless a later version is stored. */
export async function storeInterests(db: EventDatabase, interests: readonly Interest[]): Promise<void> {
  const rows = interests.map(({ teamId, version, types }) => ({ team_id: teamId, version, types }));
  // Sorted, so that two calls lock rows in the same order.
  await db.$executeRaw`
    INSERT INTO event_interests AS known (team_id, version, types)
    SELECT team_id, version, types
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given (team_id text, version bigint, types text[])
    ORDER BY team_id
    ON CONFLICT (team_id) DO UPDATE SET version = excluded.version, types = excluded.types
    WHERE known.version < excluded.version`;
}

/** Webhooks retry for a day, so an event that has waited for longer is of no use. */
const MAX_AGE_HOURS = 48;
const BATCH = 10_000;

/**
 * Deletes events that the gateway has not fetched for two days, so that they cannot fill the disk.
 * Returns their number.
 */
export const deleteExpired = async (db: EventDatabase): Promise<number> =>
  db.$executeRaw`
    DELETE FROM event_outbox WHERE position IN (
      SELECT position FROM event_outbox WHERE occurred_at < now() - ${MAX_AGE_HOURS} * interval '1 hour'
      ORDER BY position LIMIT ${BATCH})`;

/** Returns the number of waiting events, at most `limit`, and the age of the oldest one in seconds. */
export async function measure(
  db: EventDatabase,
  limit: number,
): Promise<{ readonly count: number; readonly oldestSeconds: number }> {
  const [row] = await db.$queryRaw<{ count: number; oldestSeconds: number }[]>`
    SELECT count(*)::int AS count,
      coalesce(extract(epoch FROM now() - min(occurred_at)), 0)::float8 AS "oldestSeconds"
    FROM (SELECT occurred_at FROM event_outbox ORDER BY position LIMIT ${limit}) AS waiting`;
  return row ?? { count: 0, oldestSeconds: 0 };
}
