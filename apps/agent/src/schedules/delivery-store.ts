import { MAX_EVENT_BYTES, newEvent, recordEvents } from '@lectern/events';
import { backoffMs } from '@lectern/resilience';
import { storableText } from '@lectern/text';
import type { Agent, PrismaClient, Schedule, ScheduleDelivery, ScheduleRun } from '#gen/prisma/client';
import { readTarget } from '#schedules/targets';

/** Longer than an attempt takes. */
const LEASE_MS = 120_000;
const BACKOFF = { minDelayMs: 30_000, maxDelayMs: 3_600_000 };
const LATE = 'The result could not be delivered within 24 hours.';

/** A delivery that a gateway attempts. */
export type ClaimedDelivery = ScheduleDelivery & {
  readonly run: ScheduleRun & { readonly schedule: Schedule & { readonly agent: Agent } };
};

/** Claims deliveries that are due, or whose gateway was lost. One that has waited for too long fails. */
export async function claimDeliveries(
  db: PrismaClient,
  { holder, limit, now }: { readonly holder: string; readonly limit: number; readonly now: Date },
): Promise<ClaimedDelivery[]> {
  await db.$executeRaw`
    UPDATE schedule_deliveries SET status = 'failed', error = coalesce(error, ${LATE}), holder = NULL,
      leased_until = NULL, next_attempt_at = NULL, ended_at = ${now}
    WHERE status = 'pending' AND expires_at <= ${now} AND (leased_until IS NULL OR leased_until <= ${now})`;
  await db.$executeRaw`
    UPDATE schedule_deliveries SET holder = ${holder}, leased_until = ${new Date(now.getTime() + LEASE_MS)},
      attempts = attempts + 1
    WHERE (run_id, number) IN (
      SELECT run_id, number FROM schedule_deliveries
      WHERE status = 'pending' AND next_attempt_at <= ${now} AND (leased_until IS NULL OR leased_until <= ${now})
      ORDER BY next_attempt_at, run_id, number LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
  return db.scheduleDelivery.findMany({
    where: { holder, status: 'pending' },
    include: { run: { include: { schedule: { include: { agent: true } } } } },
    orderBy: [{ nextAttemptAt: 'asc' }, { runId: 'asc' }, { number: 'asc' }],
  });
}

/** An attempt that failed. */
interface DeliveryFailure {
  readonly message: string;
  /** False if another attempt would fail too. */
  readonly retryable: boolean;
  /** The least time until the next attempt. */
  readonly waitMs: number;
}

/** The result for a webhook. */
interface WebhookResult {
  readonly content: string;
  readonly sources: readonly { readonly id: string; readonly title: string; readonly url: string | null }[];
}

interface Attempt {
  readonly runId: string;
  readonly number: number;
  readonly holder: string;
  readonly failure?: DeliveryFailure | undefined;
  readonly result?: WebhookResult | undefined;
}

/**
 * Stores the outcome of an attempt. The result for a webhook becomes an event in the same transaction:
 * from there on, the log of the webhook shows what happens to it.
 */
export function endDelivery(db: PrismaClient, attempt: Attempt, now: Date): Promise<void> {
  const { runId, number, holder, failure, result } = attempt;
  return db.$transaction(async (tx) => {
    const where = { runId, number, holder, status: 'pending' };
    const found = await tx.scheduleDelivery.findFirst({
      where,
      include: { run: { include: { schedule: { include: { agent: true } } } } },
    });
    if (found === null) return;
    const outcome = failure === undefined ? DELIVERED(now) : failed(found, failure, now);
    const { count } = await tx.scheduleDelivery.updateMany({
      where,
      data: { ...outcome, holder: null, leasedUntil: null },
    });
    if (count > 0 && failure === undefined && result !== undefined) await recordResult(tx, found, result);
  });
}

const DELIVERED = (now: Date) => ({ status: 'delivered', error: null, nextAttemptAt: null, endedAt: now });

function failed({ attempts, expiresAt }: ScheduleDelivery, { message, retryable, waitMs }: DeliveryFailure, now: Date) {
  const next = new Date(now.getTime() + Math.max(waitMs, backoffMs(attempts, BACKOFF)));
  const error = storableText(message.slice(0, MAX_ERROR));
  return retryable && expiresAt !== null && next < expiresAt
    ? { error, nextAttemptAt: next }
    : { status: 'failed', error, nextAttemptAt: null, endedAt: now };
}

const MAX_ERROR = 1_000;

async function recordResult(
  tx: Parameters<typeof recordEvents>[0],
  { run, ...delivery }: ClaimedDelivery,
  result: WebhookResult,
): Promise<void> {
  const target = readTarget(delivery.target);
  if (target.type !== 'webhook') return;
  const { schedule, teamId, conversationId, runId } = run;
  const { agent } = schedule;
  const data = {
    id: runId ?? run.id,
    agentId: agent.id,
    agentName: agent.name,
    conversationId,
    status: 'completed',
    error: null,
    schedule: { id: schedule.id, name: schedule.name, runId: run.id },
    result: fitting(result),
  };
  const { webhookId } = target;
  const event = { teamId, resource: data.id, collectionIds: agent.collectionIds, webhookId } as const;
  await recordEvents(tx, [newEvent({ type: 'run.completed', ...event, data })]);
}

/** Half of what an event may have is enough for any reply, and leaves room for the rest. */
const MAX_RESULT_BYTES = MAX_EVENT_BYTES / 2;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * Shortens a result to the size of an event: first the text, then the list of sources. A cut can split a
 * surrogate pair, which PostgreSQL rejects.
 */
function fitting({ content, sources }: WebhookResult) {
  const whole = storableText(content);
  let text = whole;
  while (bytesOf(text) > MAX_RESULT_BYTES) text = text.slice(0, Math.floor(text.length * 0.9)).toWellFormed();
  const kept = sources.map(({ id, title, url }) => ({
    id: storableText(id),
    title: storableText(title),
    url: url && storableText(url),
  }));
  while (bytesOf(kept) > MAX_RESULT_BYTES / 2) kept.pop();
  return { content: text, sources: kept, truncated: text !== whole || kept.length < sources.length };
}
