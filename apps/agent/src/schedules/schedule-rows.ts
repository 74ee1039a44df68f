import {
  isId,
  ScheduleDeliveryStatus,
  type Schedule as ScheduleMessage,
  type ScheduleRun as ScheduleRunMessage,
  ScheduleRunStatus,
  toScheduleTarget,
} from '@lectern/contracts';
import { type Caller, digestOf, isPartOfTeam, notFound } from '@lectern/service-kit';
import { z } from 'zod';
import type { Prisma, Schedule, ScheduleDelivery, ScheduleRun } from '#gen/prisma/client';
import { readTarget, readTargets } from '#schedules/targets';

type Db = Prisma.TransactionClient;

/** Returns the filter for schedules that a caller can see. A key of restricted scope sees only its own. */
export function visibleSchedules(caller: Caller): Prisma.ScheduleWhereInput {
  const { teamId, keyId } = caller;
  return { teamId, ...(isPartOfTeam(caller) ? { ownerId: keyId ?? '' } : {}) };
}

/** Returns a schedule that is visible to the caller. Throws `not_found`. */
export async function readSchedule(db: Db, caller: Caller, agentId: string, id: string): Promise<Schedule> {
  const where = { ...visibleSchedules(caller), id, agentId };
  const schedule = isId('schedule', id) ? await db.schedule.findFirst({ where }) : null;
  if (schedule === null) throw notFound('schedule', id);
  return schedule;
}

/** The revision of the fields that an update can change. */
export function scheduleRevision(schedule: Schedule): string {
  const { name, message, cron, timeZone, enabled, targets, ownerId } = schedule;
  return digestOf([name, message, cron, timeZone, enabled, targets, ownerId]);
}

const RUN_STATUSES = {
  queued: ScheduleRunStatus.QUEUED,
  running: ScheduleRunStatus.RUNNING,
  completed: ScheduleRunStatus.COMPLETED,
  failed: ScheduleRunStatus.FAILED,
  skipped: ScheduleRunStatus.SKIPPED,
} as const;
const runState = z.enum(['queued', 'running', 'completed', 'failed', 'skipped']);

const DELIVERY_STATUSES = {
  waiting: ScheduleDeliveryStatus.WAITING,
  pending: ScheduleDeliveryStatus.PENDING,
  delivered: ScheduleDeliveryStatus.DELIVERED,
  failed: ScheduleDeliveryStatus.FAILED,
  cancelled: ScheduleDeliveryStatus.CANCELLED,
} as const;
const deliveryState = z.enum(['waiting', 'pending', 'delivered', 'failed', 'cancelled']);

/** A run with its deliveries. */
export type StoredRun = ScheduleRun & { readonly deliveries: readonly ScheduleDelivery[] };

/** Reads a run with its deliveries in order. */
export const WITH_DELIVERIES = { deliveries: { orderBy: { number: 'asc' } } } as const;

const toDelivery = ({ target, status, attempts, error, nextAttemptAt, endedAt }: ScheduleDelivery) => ({
  target: toScheduleTarget(readTarget(target)),
  status: DELIVERY_STATUSES[deliveryState.parse(status)],
  attempts,
  error: error ?? undefined,
  nextAttemptAt: nextAttemptAt ?? undefined,
  endedAt: endedAt ?? undefined,
});

/** Converts a run to its contract form. */
export const toScheduleRun = (run: StoredRun): ScheduleRunMessage => ({
  id: run.id,
  scheduleId: run.scheduleId,
  agentId: run.agentId,
  status: RUN_STATUSES[runState.parse(run.status)],
  scheduledFor: run.slotAt ?? undefined,
  errorCode: run.errorCode ?? undefined,
  errorMessage: run.errorMessage ?? undefined,
  runId: run.runId ?? undefined,
  conversationId: run.conversationId ?? undefined,
  deliveries: run.deliveries.map(toDelivery),
  createdAt: run.createdAt,
  startedAt: run.startedAt ?? undefined,
  endedAt: run.endedAt ?? undefined,
});

function toSchedule(row: Schedule, lastRun: StoredRun | undefined): ScheduleMessage {
  const { id, agentId, name, message, cron, timeZone, enabled, ownerId, failures, createdAt, updatedAt } = row;
  return {
    id,
    agentId,
    name,
    message,
    cron,
    timeZone,
    enabled,
    targets: readTargets(row.targets).map(toScheduleTarget),
    runsAs: row.ownerEmail ?? ownerId,
    ownerId,
    nextRunAt: row.nextAt ?? undefined,
    failures,
    pausedReason: row.pausedReason ?? undefined,
    pausedMessage: row.pausedMessage ?? undefined,
    createdAt,
    updatedAt,
    lastRun: lastRun && toScheduleRun(lastRun),
    revision: scheduleRevision(row),
  };
}

/** Converts schedules to their contract form, each with its newest run. */
export async function toSchedules(db: Db, rows: readonly Schedule[]): Promise<ScheduleMessage[]> {
  const ids = await db.$queryRaw<{ readonly id: string }[]>`
    SELECT DISTINCT ON (schedule_id) id FROM schedule_runs WHERE schedule_id = ANY(${rows.map(({ id }) => id)})
    ORDER BY schedule_id, created_at DESC, id DESC`;
  const newest = await db.scheduleRun.findMany({
    where: { id: { in: ids.map(({ id }) => id) } },
    include: WITH_DELIVERIES,
  });
  const byId = new Map(newest.map((run) => [run.scheduleId, run]));
  return rows.map((row) => toSchedule(row, byId.get(row.id)));
}

/** Converts one schedule in the same way. */
export async function toOneSchedule(db: Db, row: Schedule): Promise<ScheduleMessage> {
  const [converted] = await toSchedules(db, [row]);
  if (converted === undefined) throw new TypeError('The schedule was not converted');
  return converted;
}
