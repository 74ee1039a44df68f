import { setTimeout as delay } from 'node:timers/promises';
import type { EgressGuard } from '@lectern/egress';
import { createCounter, type Logger, type Running, repeat, type Secrets } from '@lectern/service-kit';
import type { PrismaClient, Webhook, WebhookEvent } from '#gen/prisma/client';
import { findCreators, mayReceive } from '#webhooks/creators';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DisabledReason,
  disableForCreator,
  giveBack,
  storeFailure,
  storeSkipped,
  storeSuccess,
} from '#webhooks/deliveries';
import { type Sent, sendEvent } from '#webhooks/send-event';
import { openSecrets } from '#webhooks/webhook-secrets';

/** What sending needs. */
export interface DispatchContext {
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly egress: EgressGuard;
  readonly secrets: Secrets;
  readonly settings: {
    readonly timeoutMs: number;
    /** True if the operator allows addresses without TLS. */
    readonly allowHttp: boolean;
  };
  readonly now: () => Date;
  /** Called after a webhook was disabled, with its team. */
  readonly onDisabled: (teamId: string) => void;
}

/** Attempts of one replica at the same time. */
const MAX_ATTEMPTS = 64;
const IDLE_MS = 1_000;
/** A lease is this much longer than an attempt, for what is stored before and after it. */
const LEASE_MARGIN_MS = 5_000;
/** When a secret cannot be opened, the operator has to act. */
const SECRET_RETRY_MS = 60_000;

const OUTCOMES = ['delivered', 'failed', 'skipped'] as const;
const attempts = createCounter('lectern_webhook_attempts', 'Attempts to send an event, by outcome');
const disabled = createCounter('lectern_webhook_disabled', 'Webhooks that Lectern has disabled, by reason');
for (const outcome of OUTCOMES) attempts.add(0, { outcome });
for (const reason of ['failing', 'gone', 'creator'] satisfies DisabledReason[]) disabled.add(0, { reason });

/** The body of a request for an event. */
export const payloadOf = ({ type, occurredAt, data }: Pick<WebhookEvent, 'type' | 'occurredAt' | 'data'>) => ({
  type,
  timestamp: occurredAt.toISOString(),
  data,
});

/** Sends an event to a webhook once. Throws `unavailable` if the secret cannot be opened. */
export const sendTo = (ctx: DispatchContext, webhook: Webhook, event: WebhookEvent): Promise<Sent> =>
  sendEvent(
    {
      url: webhook.url,
      secrets: openSecrets(ctx.secrets, webhook, ctx.now()),
      id: event.id,
      body: JSON.stringify(payloadOf(event)),
    },
    { egress: ctx.egress, now: ctx.now, ...ctx.settings },
  );

/** Sends a claimed delivery, and stores the result. */
async function attemptDelivery(ctx: DispatchContext, delivery: ClaimedDelivery): Promise<void> {
  const { db, log, now } = ctx;
  const { webhook, event } = delivery;
  const creator = (await findCreators(db, [webhook], now())).get(webhook.createdBy);
  const noteDisabled = (reason: DisabledReason | undefined) => {
    if (reason === undefined) return;
    disabled.add(1, { reason });
    log.warn({ webhookId: webhook.id, reason }, 'disabled a webhook');
    ctx.onDisabled(webhook.teamId);
  };
  if (creator === undefined) {
    await giveBack(db, delivery, now());
    noteDisabled(await disableForCreator(db, webhook.id, now()));
    return;
  }
  if (!mayReceive(creator, webhook, event)) {
    attempts.add(1, { outcome: 'skipped' });
    await storeSkipped(db, delivery, now());
    return;
  }
  let sent: Sent;
  try {
    sent = await sendTo(ctx, webhook, event);
  } catch (err) {
    log.error({ err, webhookId: webhook.id }, 'could not sign an event; will retry');
    await giveBack(db, delivery, new Date(now().getTime() + SECRET_RETRY_MS));
    return;
  }
  if (sent.attempt.error === null) {
    attempts.add(1, { outcome: 'delivered' });
    await storeSuccess(db, delivery, sent, now());
  } else {
    attempts.add(1, { outcome: 'failed' });
    noteDisabled(await storeFailure(db, delivery, sent, now()));
  }
}

/** Claims and sends what is due, until nothing is. Resolves when all its attempts have ended. */
export async function dispatchDue(ctx: DispatchContext, signal?: AbortSignal): Promise<number> {
  const running = new Set<Promise<void>>();
  let count = 0;
  const leaseMs = ctx.settings.timeoutMs + LEASE_MARGIN_MS;
  for (;;) {
    const room = MAX_ATTEMPTS - running.size;
    const claimed =
      signal?.aborted === true || room === 0
        ? []
        : await claimDeliveries(ctx.db, { now: ctx.now(), limit: room, leaseMs });
    count += claimed.length;
    for (const delivery of claimed) {
      const attempt = attemptDelivery(ctx, delivery)
        .catch((err: unknown) => ctx.log.warn({ err, deliveryId: delivery.id }, 'could not finish an attempt'))
        .finally(() => running.delete(attempt));
      running.add(attempt);
    }
    if (running.size === 0) return count;
    // A slow endpoint must not keep new events of others waiting.
    if (claimed.length === 0) await Promise.race([...running, delay(IDLE_MS, undefined, { ref: false })]);
  }
}

/** Sends deliveries until it is stopped. Stopping waits for the attempts in progress. */
export const startDispatcher = (ctx: DispatchContext): Running =>
  repeat({ name: 'webhooks', intervalMs: IDLE_MS, log: ctx.log }, (signal) => dispatchDue(ctx, signal));
