import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { recordAudit } from '#audit/record-audit';
import type { Prisma, PrismaClient, Webhook, WebhookDelivery, WebhookEvent } from '#gen/prisma/client';
import { renewInterest } from '#webhooks/interests';
import {
  FAILING_MS,
  MANY_FAILURES,
  MIN_FAILURES,
  nextAttempt,
  probeWaitMs,
  RETRY_MS,
  retryWaitMs,
} from '#webhooks/schedule';
import type { Attempt, Sent } from '#webhooks/send-event';

// The life of a delivery, from top to bottom: claimed, ended or waiting for its next attempt, replayed.
// Every statement gets the time as a parameter, so that tests can move it.

type Db = Prisma.TransactionClient;

/** A delivery that this process sends. No other process sends it until the lease expires. */
export type ClaimedDelivery = WebhookDelivery & {
  readonly leaseToken: string;
  readonly event: WebhookEvent;
  readonly webhook: Webhook;
};

/** Attempts of one webhook at the same time. */
const PER_WEBHOOK = 8;
/** The most webhooks in one claim. */
const WEBHOOKS = 100;
/** The most attempts that a delivery shows. */
const MAX_LOG = 20;

interface ClaimOptions {
  readonly now: Date;
  /** The most deliveries to claim. */
  readonly limit: number;
  /** Longer than an attempt takes. */
  readonly leaseMs: number;
}

/**
 * Claims due deliveries. Of each resource only the first pending event can be claimed: a later one waits
 * until the earlier one has ended. The claim counts as an attempt and plans the next one, so that a
 * process that dies during the attempt costs no more than one that fails.
 */
export async function claimDeliveries(
  db: PrismaClient,
  { now, limit, leaseMs }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  const leaseToken = randomUUID();
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const retryMs = retryWaitMs(1, Math.random());
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH open AS (
      SELECT w.id, w.failures FROM webhooks AS w
      WHERE w.enabled AND w.deleted_at IS NULL AND (w.paused_until IS NULL OR w.paused_until <= ${now})
        AND EXISTS (
          SELECT FROM webhook_deliveries AS d
          WHERE d.webhook_id = w.id AND d.status = 'pending' AND d.next_attempt_at <= ${now})
      ORDER BY random() LIMIT ${WEBHOOKS}
      FOR NO KEY UPDATE OF w SKIP LOCKED
    ), due AS (
      SELECT d.id FROM open CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries AS d
        WHERE d.webhook_id = open.id AND d.status = 'pending' AND d.next_attempt_at <= ${now}
          AND (d.leased_until IS NULL OR d.leased_until <= ${now})
          AND NOT EXISTS (
            SELECT FROM webhook_deliveries AS earlier
            WHERE earlier.webhook_id = d.webhook_id AND earlier.resource = d.resource
              AND earlier.status = 'pending' AND earlier.position < d.position)
        ORDER BY d.next_attempt_at, d.position
        LIMIT greatest(0, CASE WHEN open.failures >= ${MANY_FAILURES} THEN 1 ELSE ${PER_WEBHOOK} END - (
          SELECT count(*)::int FROM webhook_deliveries AS sent
          WHERE sent.webhook_id = open.id AND sent.leased_until > ${now}))
        FOR UPDATE OF d SKIP LOCKED
      ) AS d
      LIMIT ${limit}
    )
    UPDATE webhook_deliveries AS d SET lease_token = ${leaseToken}, leased_until = ${leasedUntil},
      attempts = d.attempts + 1,
      next_attempt_at = ${now}::timestamptz + ${retryMs} * power(2, least(d.attempts, 11)) * interval '1 millisecond'
    FROM due WHERE d.id = due.id
    RETURNING d.id`;
  if (rows.length === 0) return [];
  const claimed = await db.webhookDelivery.findMany({
    where: { id: { in: rows.map(({ id }) => id) }, leaseToken },
    include: { event: true, webhook: true },
    orderBy: { position: 'asc' },
  });
  return claimed.map((delivery) => ({ ...delivery, leaseToken }));
}

// --- The end of an attempt ---

const storedAttempts = z.array(
  z.object({
    at: z.string(),
    durationMs: z.int(),
    responseStatus: z.int().nullable(),
    response: z.string(),
    error: z.string().nullable(),
  }),
);

/** Returns the stored attempts of a delivery. */
export const attemptsOf = ({ log }: Pick<WebhookDelivery, 'log'>) => storedAttempts.parse(log);

const withAttempt = ({ log }: Pick<WebhookDelivery, 'log'>, attempt: Attempt) =>
  [...attemptsOf({ log }), { ...attempt, at: attempt.at.toISOString() }].slice(-MAX_LOG);

type Change = Prisma.WebhookDeliveryUpdateManyMutationInput;

/** Stores the result of a lease. Returns false if another process has taken the delivery over. */
async function release(db: Db, { id, leaseToken }: ClaimedDelivery, change: Change): Promise<boolean> {
  const { count } = await db.webhookDelivery.updateMany({
    where: { id, leaseToken, status: 'pending' },
    data: { ...change, leaseToken: null, leasedUntil: null },
  });
  return count > 0;
}

/** Stores that the endpoint has accepted an event. */
export async function storeSuccess(db: PrismaClient, delivery: ClaimedDelivery, { attempt }: Sent, now: Date) {
  const log = withAttempt(delivery, attempt);
  if (!(await release(db, delivery, { status: 'delivered', endedAt: now, log }))) return;
  await db.$executeRaw`
    UPDATE webhooks SET failures = 0, failing_since = NULL, paused_until = NULL
    WHERE id = ${delivery.webhookId} AND failures > 0`;
}

/** Why Lectern disables a webhook. */
export type DisabledReason = 'failing' | 'gone' | 'creator';

const GONE = 410;

/**
 * Stores that the endpoint has not accepted an event: plans the next attempt or gives up, pauses the
 * webhook if the endpoint asks for it or keeps failing, and disables it if nothing has succeeded for a
 * day or the endpoint is gone. Returns why it was disabled, or undefined.
 */
export async function storeFailure(
  db: PrismaClient,
  delivery: ClaimedDelivery,
  { attempt, retryAfterMs }: Sent,
  now: Date,
): Promise<DisabledReason | undefined> {
  const { attempts, expiresAt, webhookId } = delivery;
  const next = nextAttempt({ now, attempts, expiresAt, retryAfterMs, random: Math.random() });
  const change: Change = next === undefined ? { status: 'failed', endedAt: now } : { nextAttemptAt: next };
  return db.$transaction(async (tx) => {
    const webhook = await lockWebhook(tx, webhookId);
    if (webhook === undefined) return undefined;
    if (!(await release(tx, delivery, { ...change, log: withAttempt(delivery, attempt) }))) return undefined;
    const failures = webhook.failures + 1;
    const failingSince = webhook.failingSince ?? now;
    const pauseMs = Math.max(Math.min(retryAfterMs ?? 0, RETRY_MS), probeWaitMs(failures, Math.random()));
    const pausedUntil = pauseMs === 0 ? webhook.pausedUntil : new Date(now.getTime() + pauseMs);
    await tx.$executeRaw`
      UPDATE webhooks SET failures = ${failures}, failing_since = ${failingSince}, paused_until = ${pausedUntil}
      WHERE id = ${webhookId}`;
    if (attempt.responseStatus === GONE) return disable(tx, webhook, 'gone', now);
    const isFailing = failures >= MIN_FAILURES && now.getTime() - failingSince.getTime() >= FAILING_MS;
    return isFailing ? disable(tx, webhook, 'failing', now) : undefined;
  });
}

/** Stores that an event is not sent, because the creator of the webhook may not know it. */
export const storeSkipped = (db: PrismaClient, delivery: ClaimedDelivery, now: Date): Promise<boolean> =>
  release(db, delivery, { status: 'skipped', endedAt: now, attempts: delivery.attempts - 1 });

/** Gives a claim back without an attempt. */
export const giveBack = (db: PrismaClient, delivery: ClaimedDelivery, nextAttemptAt: Date): Promise<boolean> =>
  release(db, delivery, { attempts: Math.max(0, delivery.attempts - 1), nextAttemptAt });

/** Locks a webhook until the transaction ends. */
export async function lockWebhook(tx: Db, id: string): Promise<Webhook | undefined> {
  await tx.$queryRaw`SELECT FROM webhooks WHERE id = ${id} FOR NO KEY UPDATE`;
  return (await tx.webhook.findFirst({ where: { id, deletedAt: null } })) ?? undefined;
}

/** Disables a locked webhook, and records that in the audit log. Waiting events stay for their 24 hours. */
async function disable(tx: Db, { id, teamId, enabled }: Webhook, reason: DisabledReason, now: Date) {
  if (!enabled) return undefined;
  await tx.webhook.update({ where: { id }, data: { enabled: false, disabledReason: reason, disabledAt: now } });
  await renewInterest(tx, teamId);
  const action = { action: 'disableWebhook', resourceType: 'webhook', resourceId: id, details: { reason } };
  await recordAudit(tx, { teamId, keyId: undefined, origin: 'lectern' }, action);
  return reason;
}

/** Disables a webhook whose creator has lost access. */
export const disableForCreator = (db: PrismaClient, webhookId: string, now: Date) =>
  db.$transaction(async (tx) => {
    const webhook = await lockWebhook(tx, webhookId);
    return webhook === undefined ? undefined : disable(tx, webhook, 'creator', now);
  });

/** Fails the waiting events of disabled webhooks after their 24 hours. Returns their number. */
export const failExpired = (db: PrismaClient, now: Date, limit: number): Promise<number> =>
  db.$executeRaw`
    UPDATE webhook_deliveries SET status = 'failed', ended_at = ${now} WHERE id IN (
      SELECT d.id FROM webhook_deliveries AS d JOIN webhooks AS w ON w.id = d.webhook_id
      WHERE d.status = 'pending' AND d.expires_at <= ${now} AND NOT w.enabled
        AND (d.leased_until IS NULL OR d.leased_until <= ${now})
      LIMIT ${limit} FOR UPDATE OF d SKIP LOCKED)`;

// --- Replay ---

/** Sends an event again as soon as it is its turn, with new time for retries. */
export const replay = (db: Db, id: string, now: Date) =>
  db.webhookDelivery.update({
    where: { id },
    data: {
      status: 'pending',
      attempts: 0,
      nextAttemptAt: now,
      expiresAt: new Date(now.getTime() + RETRY_MS),
      endedAt: null,
    },
    include: { event: true },
  });

/** Stores the result of a test, which is not retried. */
export const storeTest = (db: Db, id: string, { attempt }: Sent, now: Date) =>
  db.webhookDelivery.update({
    where: { id },
    data: {
      status: attempt.error === null ? 'delivered' : 'failed',
      endedAt: now,
      log: withAttempt({ log: [] }, attempt),
    },
  });
