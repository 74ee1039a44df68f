import { createCounter, idOfUuid, newId } from '@lectern/service-kit';
import type { Prisma, PrismaClient, Webhook } from '#gen/prisma/client';
import { findCreators, mayReceive } from '#webhooks/creators';
import { RETRY_MS } from '#webhooks/schedule';

type Db = Prisma.TransactionClient;

/** An event that a service has recorded. */
export interface RecordedEvent {
  /** A UUID. */
  readonly id: string;
  readonly teamId: string;
  readonly type: string;
  readonly resource: string;
  readonly collectionIds: readonly string[];
  /** The only webhook that receives it. */
  readonly webhookId?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly occurredAt?: Date | undefined;
}

export interface StoreOptions {
  readonly now: Date;
  /** The most events that wait for a webhook. */
  readonly maxPending: number;
}

const droppedEvents = createCounter(
  'lectern_webhook_dropped',
  'Events that were not recorded for a webhook, because too many were waiting',
);

/**
 * Stores events with a delivery for each webhook that receives them, in the given order. An event that is
 * stored already is ignored. Returns the number of new deliveries.
 */
export async function storeEvents(
  db: PrismaClient,
  events: readonly RecordedEvent[],
  { now, maxPending }: StoreOptions,
): Promise<number> {
  const teams = [...new Set(events.map(({ teamId }) => teamId))];
  const webhooks = await db.webhook.findMany({ where: { teamId: { in: teams }, enabled: true, deletedAt: null } });
  if (webhooks.length === 0) return 0;
  const creators = await findCreators(db, webhooks, now);
  const receives = (webhook: Webhook, event: RecordedEvent): boolean => {
    const creator = creators.get(webhook.createdBy);
    const isMeant =
      event.webhookId === undefined ? webhook.events.includes(event.type) : event.webhookId === webhook.id;
    // Events of a lost creator are kept: the attempt disables the webhook, which people notice.
    return webhook.teamId === event.teamId && isMeant && (creator === undefined || mayReceive(creator, webhook, event));
  };
  const received = events.flatMap((event) => {
    const receivers = webhooks.filter((webhook) => receives(webhook, event));
    return receivers.length === 0 ? [] : [{ event, id: idOfUuid('webhookEvent', event.id), receivers }];
  });
  if (received.length === 0) return 0;
  return db.$transaction(async (tx) => {
    const known = await tx.webhookEvent.findMany({
      where: { id: { in: received.map(({ id }) => id) } },
      select: { id: true },
    });
    const isKnown = new Set(known.map(({ id }) => id));
    const wanted = received
      .filter(({ id }) => !isKnown.has(id))
      .flatMap(({ event, id, receivers }) =>
        receivers.map((webhook) => ({ event, eventId: id, webhookId: webhook.id })),
      );
    const kept = await withinLimit(tx, wanted, { now, maxPending });
    await tx.webhookEvent.createMany({
      data: kept.map(({ event, eventId }) => ({
        id: eventId,
        teamId: event.teamId,
        type: event.type,
        resource: event.resource,
        collectionIds: [...event.collectionIds],
        data: jsonObject(event.data),
        occurredAt: event.occurredAt ?? now,
      })),
      skipDuplicates: true,
    });
    const expiresAt = new Date(now.getTime() + RETRY_MS);
    const { count } = await tx.webhookDelivery.createMany({
      data: kept.map(({ event: { teamId, resource }, eventId, webhookId }) => ({
        id: newId('delivery'),
        webhookId,
        eventId,
        teamId,
        resource,
        nextAttemptAt: now,
        expiresAt,
        createdAt: now,
      })),
      skipDuplicates: true,
    });
    return count;
  });
}

const jsonObject = (data: RecordedEvent['data']): Prisma.InputJsonObject => JSON.parse(JSON.stringify(data ?? {}));

/**
 * Returns the deliveries for which there is room. A webhook has at most `maxPending` waiting events, so
 * that an endpoint that is down cannot fill the disk. It counts the others: the newest are dropped,
 * because the older ones are what the receiver must know first.
 */
async function withinLimit<T extends { readonly webhookId: string }>(
  tx: Db,
  deliveries: readonly T[],
  { now, maxPending }: StoreOptions,
): Promise<readonly T[]> {
  const dropped = new Set<T>();
  for (const [id, own] of Map.groupBy(deliveries, ({ webhookId }) => webhookId)) {
    const over = own.slice(Math.max(0, maxPending - (await countPending(tx, id, maxPending))));
    if (over.length === 0) continue;
    for (const delivery of over) dropped.add(delivery);
    await tx.$executeRaw`UPDATE webhooks SET dropped = dropped + ${over.length}, dropped_at = ${now} WHERE id = ${id}`;
  }
  if (dropped.size > 0) droppedEvents.add(dropped.size);
  return deliveries.filter((delivery) => !dropped.has(delivery));
}

/** Returns the number of waiting events of a webhook, at most `limit`. */
export async function countPending(db: Db, webhookId: string, limit: number): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM webhook_deliveries WHERE webhook_id = ${webhookId} AND status = 'pending' LIMIT ${limit}) AS waiting`;
  return row?.count ?? 0;
}
