import type { Webhook } from '#gen/prisma/client';
import { time } from '#operations/convert';
import { attemptsOf } from '#webhooks/deliveries';
import { payloadOf } from '#webhooks/dispatcher';
import type { DeliveryWithEvent } from '#webhooks/webhook-store';

/** What the record of a webhook contains in addition to its row. */
export interface WebhookFacts {
  /** True if all services record its events. */
  readonly isRecorded: boolean;
  readonly pending: number;
  readonly now: Date;
}

function stateOf({ enabled, failures }: Webhook, { isRecorded }: WebhookFacts) {
  if (!enabled) return 'disabled';
  if (!isRecorded) return 'starting';
  return failures > 0 ? 'failing' : 'active';
}

const future = (date: Date | null, now: Date) => time(date !== null && date > now ? date : undefined);

/** The record of a webhook, without its secret. */
export function webhookRecord(webhook: Webhook, facts: WebhookFacts) {
  const { id, url, description, events, collections, enabled, disabledReason, disabledAt } = webhook;
  const { failingSince, pausedUntil, dropped, droppedAt, oldUntil, createdBy, createdAt, updatedAt } = webhook;
  const settings = { id, url, description, events, collections, enabled };
  return {
    ...settings,
    state: stateOf(webhook, facts),
    disabledReason,
    disabledAt: time(disabledAt ?? undefined),
    failingSince: time(failingSince ?? undefined),
    pausedUntil: future(pausedUntil, facts.now),
    pendingEvents: facts.pending,
    droppedEvents: dropped,
    droppedAt: time(droppedAt ?? undefined),
    previousSecretUntil: future(oldUntil, facts.now),
    createdBy,
    createdAt: time(createdAt),
    updatedAt: time(updatedAt),
  };
}

/** The record of a delivery in a list. */
export function deliveryItem(delivery: DeliveryWithEvent) {
  const { id, webhookId, eventId, event, resource, status, attempts, nextAttemptAt, createdAt, endedAt } = delivery;
  return {
    id,
    webhookId,
    eventId,
    type: event.type,
    resource,
    status,
    attemptCount: attempts,
    nextAttemptAt: status === 'pending' ? time(nextAttemptAt) : null,
    lastAttempt: attemptsOf(delivery).at(-1) ?? null,
    createdAt: time(createdAt),
    endedAt: time(endedAt ?? undefined),
  };
}

/**
 * The record of a delivery with its payload and its attempts. Without the result of a schedule: it contains
 * what its owner may read, and the log is for all admins.
 */
export function deliveryRecord(delivery: DeliveryWithEvent) {
  const payload = payloadOf(delivery.event);
  const { result: _, ...data } = Object(payload.data);
  return { ...deliveryItem(delivery), payload: { ...payload, data }, attempts: attemptsOf(delivery) };
}
