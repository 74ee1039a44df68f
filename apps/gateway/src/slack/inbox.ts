import { LeaseLost } from '@lectern/resilience';
import { newId } from '@lectern/service-kit';
import { z } from 'zod';
import type { Prisma, PrismaClient } from '#gen/prisma/client';
import { BATCH, inBatches } from '#retention/in-batches';
import { type KeyedTask, type SlackTask, slackTask } from '#slack/tasks';

/** A worker that does not renew its lease for this long is dead. */
export const LEASE_MS = 10_000;
/** Slack sends an event again for an hour at most. */
const KEPT_HOURS = 24;
/** A thread without a message for this long starts a new conversation. */
const THREAD_DAYS = 90;

const progressSchema = z.object({
  /** Where the reply is posted, and its messages in order. */
  channel: z.string().optional(),
  thread: z.string().optional(),
  posted: z.array(z.string()).default([]),
  /** The reply in the conversation. */
  conversationId: z.string().optional(),
  messageId: z.string().optional(),
});

/** What earlier attempts have done. */
export type Progress = z.output<typeof progressSchema>;

/** An event that this worker has a lease on. */
export interface Claimed {
  readonly appId: string;
  readonly key: string;
  readonly holder: string;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly task: SlackTask | undefined;
  progress: Progress;
}

/** Stores tasks that were not stored before. Returns their number. */
export async function storeTasks(db: PrismaClient, appId: string, tasks: readonly KeyedTask[]): Promise<number> {
  if (tasks.length === 0) return 0;
  const data = tasks.map(({ key, task }) => ({ appId, key, task }));
  return (await db.slackEvent.createMany({ data, skipDuplicates: true })).count;
}

interface Row {
  readonly app_id: string;
  readonly key: string;
  readonly attempts: number;
  readonly created_at: Date;
  readonly task: unknown;
  readonly progress: unknown;
}

/** Takes a lease on due events, the oldest first. */
export async function claimEvents(db: PrismaClient, limit: number): Promise<readonly Claimed[]> {
  const holder = newId('request');
  const rows = await db.$queryRaw<Row[]>`
    UPDATE slack_events AS event SET holder = ${holder}, attempts = attempts + 1,
      locked_until = now() + make_interval(secs => ${LEASE_MS / 1_000}::float8)
    FROM (SELECT app_id, key FROM slack_events
      WHERE state = 'pending' AND due_at <= now() AND (locked_until IS NULL OR locked_until < now())
      ORDER BY due_at, created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) AS due
    WHERE event.app_id = due.app_id AND event.key = due.key
    RETURNING event.app_id, event.key, event.attempts, event.created_at, event.task, event.progress`;
  return rows.map((row) => ({
    appId: row.app_id,
    key: row.key,
    holder,
    attempts: row.attempts,
    createdAt: row.created_at,
    task: slackTask.safeParse(row.task).data,
    progress: progressSchema.catch({ posted: [] }).parse(row.progress),
  }));
}

/** Changes an event if this worker still has the lease. */
async function change(
  db: PrismaClient,
  { appId, key, holder }: Claimed,
  data: Prisma.SlackEventUpdateManyMutationInput,
): Promise<boolean> {
  const { count } = await db.slackEvent.updateMany({ where: { appId, key, holder, state: 'pending' }, data });
  return count > 0;
}

export async function renewLease(db: PrismaClient, { appId, key, holder }: Claimed): Promise<boolean> {
  const renewed = await db.$executeRaw`UPDATE slack_events
    SET locked_until = now() + make_interval(secs => ${LEASE_MS / 1_000}::float8)
    WHERE app_id = ${appId} AND key = ${key} AND holder = ${holder} AND state = 'pending'`;
  return renewed > 0;
}

/** Stores what was done so far. Throws `LeaseLost` if another worker has the event. */
export async function saveProgress(db: PrismaClient, event: Claimed, changes: Partial<Progress>): Promise<void> {
  event.progress = { ...event.progress, ...changes };
  if (!(await change(db, event, { progress: event.progress }))) throw new LeaseLost('Another worker has the event.');
}

/** Ends an event. Its question is removed. */
export const finishEvent = (db: PrismaClient, event: Claimed, state: 'done' | 'failed'): Promise<boolean> =>
  change(db, event, { state, task: {}, holder: null, lockedUntil: null });

/** Gives the lease back. The event is due again after `waitMs`, as if this attempt had counted or not. */
export const postponeEvent = (
  db: PrismaClient,
  event: Claimed,
  { waitMs, counts }: { readonly waitMs: number; readonly counts: boolean },
): Promise<boolean> =>
  change(db, event, {
    holder: null,
    lockedUntil: null,
    dueAt: new Date(Date.now() + waitMs),
    attempts: counts ? event.attempts : event.attempts - 1,
  });

/** Deletes old events and threads. */
export async function purgeSlack(db: PrismaClient, signal?: AbortSignal): Promise<void> {
  await inBatches(
    () => db.$executeRaw`DELETE FROM slack_events WHERE (app_id, key) IN
      (SELECT app_id, key FROM slack_events WHERE created_at < now() - make_interval(hours => ${KEPT_HOURS}::int)
        LIMIT ${BATCH})`,
    signal,
  );
  await inBatches(
    () => db.$executeRaw`DELETE FROM slack_threads WHERE (app_id, channel, thread, person_id) IN
      (SELECT app_id, channel, thread, person_id FROM slack_threads
        WHERE updated_at < now() - make_interval(days => ${THREAD_DAYS}::int) LIMIT ${BATCH})`,
    signal,
  );
}
