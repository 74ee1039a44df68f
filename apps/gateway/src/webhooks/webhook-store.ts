import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, newId } from '@lectern/service-kit';
import {
  type DeliveryStatus,
  Prisma,
  type PrismaClient,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from '#gen/prisma/client';
import { RETRY_MS } from '#webhooks/schedule';

type Db = Prisma.TransactionClient;

/** Webhooks of one team. */
export const MAX_WEBHOOKS = 50;

/**
 * The webhooks that a caller may manage: those of the team, or only its own if it is restricted to some
 * collections, because the others receive more than it may know.
 */
const visibleTo = ({ teamId, scope, keyId }: Caller): Prisma.WebhookWhereInput => ({
  teamId,
  deletedAt: null,
  ...(scope.kind === 'all' ? {} : { createdBy: keyId ?? '' }),
});

export const countWebhooks = (db: Db, teamId: string): Promise<number> => db.webhook.count({ where: { teamId } });

/** Returns a page of webhooks, newest first, and their total number. */
export async function listWebhooks(
  db: Db,
  caller: Caller,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly webhooks: readonly Webhook[]; readonly total: number }> {
  const where = visibleTo(caller);
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  const webhooks = await db.webhook.findMany({ where, orderBy, skip, take });
  return { webhooks, total: await db.webhook.count({ where }) };
}

/** Finds a webhook that the caller may manage. */
export async function findWebhook(db: Db, caller: Caller, id: string): Promise<Webhook | undefined> {
  return (await db.webhook.findFirst({ where: { AND: [visibleTo(caller), { id }] } })) ?? undefined;
}

export type DeliveryWithEvent = WebhookDelivery & { readonly event: WebhookEvent };

export interface DeliveryFilter {
  readonly webhookId: string;
  readonly id?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly type?: string | undefined;
}

/**
 * Selects deliveries that a caller may see. A key that has lost a collection does not see what was sent
 * about it.
 */
function deliveriesOf({ scope }: Caller, { webhookId, id, status, type }: DeliveryFilter): Prisma.Sql {
  const ids = scope.kind === 'all' ? null : [...scope.ids];
  return Prisma.sql`
    FROM webhook_deliveries AS d JOIN webhook_events AS e ON e.id = d.event_id
    WHERE d.webhook_id = ${webhookId} AND (${id ?? null}::text IS NULL OR d.id = ${id ?? null})
      AND (${status ?? null}::text IS NULL OR d.status = ${status ?? null}::delivery_status)
      AND (${type ?? null}::text IS NULL OR e.type = ${type ?? null})
      AND (${ids}::text[] IS NULL OR e.type = 'webhook.test'
        OR (cardinality(e.collection_ids) > 0 AND e.collection_ids <@ ${ids}::text[]))`;
}

/** Returns a page of the deliveries of a webhook, newest first, and their total number. */
export async function listDeliveries(
  db: Db,
  caller: Caller,
  filter: DeliveryFilter,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly deliveries: readonly DeliveryWithEvent[]; readonly total: number }> {
  const from = deliveriesOf(caller, filter);
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT d.id ${from} ORDER BY d.position DESC OFFSET ${skip} LIMIT ${take}`;
  const [count] = await db.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total ${from}`;
  const deliveries = await db.webhookDelivery.findMany({
    where: { id: { in: rows.map(({ id }) => id) } },
    include: { event: true },
    orderBy: { position: 'desc' },
  });
  return { deliveries, total: count?.total ?? 0 };
}

/** Finds a delivery that the caller may see. */
export async function findDelivery(
  db: Db,
  caller: Caller,
  webhookId: string,
  id: string,
): Promise<DeliveryWithEvent | undefined> {
  return (await listDeliveries(db, caller, { webhookId, id }, { skip: 0, take: 1 })).deliveries[0];
}

const POLL_MS = 50;

/**
 * Waits until no attempt of a webhook is in progress, at most until their leases expire. Call it after
 * the webhook was marked as deleted, so that none starts.
 */
export async function attemptsEnded(db: PrismaClient, webhookId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const where = { webhookId, status: 'pending' as const, leasedUntil: { gt: new Date() } };
    if ((await db.webhookDelivery.findFirst({ where, select: { id: true } })) === null) return;
    await delay(POLL_MS, undefined, { signal });
  }
}

/** Deletes webhooks whose deletion was interrupted. */
export async function finishDeletions(db: PrismaClient): Promise<void> {
  const now = new Date();
  await db.webhook.deleteMany({
    where: { deletedAt: { not: null }, deliveries: { none: { leasedUntil: { gt: now } } } },
  });
}

/** Stores the event of a test, with a delivery that has ended already. Call it in a transaction. */
export async function insertTest(
  db: Db,
  { id: webhookId, teamId }: Pick<Webhook, 'id' | 'teamId'>,
  now: Date,
): Promise<{ readonly event: WebhookEvent; readonly deliveryId: string }> {
  const event = await db.webhookEvent.create({
    data: {
      id: newId('webhookEvent'),
      teamId,
      type: 'webhook.test',
      resource: webhookId,
      collectionIds: [],
      data: { webhookId },
      occurredAt: now,
    },
  });
  const deliveryId = newId('delivery');
  await db.webhookDelivery.create({
    data: {
      id: deliveryId,
      webhookId,
      eventId: event.id,
      teamId,
      resource: webhookId,
      status: 'failed',
      attempts: 1,
      nextAttemptAt: now,
      expiresAt: new Date(now.getTime() + RETRY_MS),
      createdAt: now,
      endedAt: now,
    },
  });
  return { event, deliveryId };
}
