import type { EventData, EventType } from '@lectern/contracts';
import type { EventDatabase } from '#database';

/** Something that happened. */
export interface NewEvent<T extends EventType = EventType> {
  readonly type: T;
  readonly teamId: string;
  /** The id of what it happened to. The events of a resource keep their order. */
  readonly resource: string;
  /** The collections that it is about. Empty for something that concerns the whole team. */
  readonly collectionIds: readonly string[];
  readonly data: EventData[T];
  /**
   * The only webhook that receives it, also if the webhook does not have this event in its list. For a
   * result that somebody wants to have sent to a certain webhook.
   */
  readonly webhookId?: string | undefined;
}

/** Creates an event, and checks that its data fits its type. */
export const newEvent = <T extends EventType>(event: NewEvent<T>): NewEvent => event;

/** Bytes of an event's data as JSON. */
export const MAX_EVENT_BYTES = 64 * 1024;

/**
 * Records events. Call it in the transaction that changes the resource, after the resource's row is
 * locked: then the events of a resource are in the order of its changes. Events that no webhook needs
 * are not stored.
 */
export async function recordEvents(tx: EventDatabase, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ type, teamId, resource, collectionIds, data, webhookId }) => ({
    type,
    team_id: teamId,
    resource,
    collection_ids: collectionIds,
    webhook_id: webhookId ?? null,
    data,
  }));
  for (const { type, data } of rows) {
    if (Buffer.byteLength(JSON.stringify(data)) > MAX_EVENT_BYTES) throw new RangeError(`${type} has too much data.`);
  }
  await tx.$executeRaw`
    INSERT INTO event_outbox (team_id, type, resource, collection_ids, webhook_id, data)
    SELECT team_id, type, resource, collection_ids, webhook_id, data
    FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS (team_id text, type text, resource text, collection_ids text[], webhook_id text, data jsonb))
      WITH ORDINALITY AS events (team_id, type, resource, collection_ids, webhook_id, data, number)
    WHERE webhook_id IS NOT NULL
      OR EXISTS (SELECT FROM event_interests AS i WHERE i.team_id = events.team_id AND events.type = ANY(i.types))
    ORDER BY number`;
}

/** Returns true if a webhook of the team needs events of a type, so that reading their data is worth it. */
export async function isNeeded(tx: EventDatabase, teamId: string, type: EventType): Promise<boolean> {
  const rows = await tx.$queryRaw<readonly unknown[]>`
    SELECT FROM event_interests WHERE team_id = ${teamId} AND ${type} = ANY(types)`;
  return rows.length > 0;
}
