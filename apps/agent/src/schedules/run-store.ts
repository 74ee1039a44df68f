import { newId } from '@lectern/service-kit';
import type { Prisma, PrismaClient, Schedule, ScheduleRun } from '#gen/prisma/client';
import { SCHEDULE_LIMITS } from '#schedules/limits';
import { nextSlot, type Timing } from '#schedules/slots';
import { readTargets } from '#schedules/targets';

// The life of a run of a schedule, from top to bottom: due, claimed by a gateway, ended. Every
// statement gets the time as a parameter, so that tests can move it.

type Db = Prisma.TransactionClient;

/** A claim that is not renewed for this long is over. */
const LEASE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Attempts to deliver a result end after this time. */
const DELIVERY_MS = DAY_MS;

/** The time of the database, which all replicas share. Unlike `now()`, it moves while a transaction waits. */
export async function databaseTime(db: Db): Promise<Date> {
  const [row] = await db.$queryRaw<{ readonly now: Date }[]>`SELECT clock_timestamp() AS now`;
  return row?.now ?? new Date();
}

/** A time zone that only a newer replica knows must not block other schedules. */
export function nextTime(timing: Timing, after: Date): Date {
  try {
    return nextSlot(timing, after) ?? new Date(after.getTime() + DAY_MS);
  } catch {
    return new Date(after.getTime() + DAY_MS);
  }
}

/** Locks a schedule until the transaction ends. Null if it was deleted. */
export async function lockSchedule(tx: Db, id: string): Promise<Schedule | null> {
  await tx.$queryRaw`SELECT FROM schedules WHERE id = ${id} FOR NO KEY UPDATE`;
  return tx.schedule.findUnique({ where: { id } });
}

const OPEN = ['queued', 'running'];

/** Returns the run of a schedule that has not ended. */
export const findOpenRun = (tx: Db, scheduleId: string): Promise<ScheduleRun | null> =>
  tx.scheduleRun.findFirst({ where: { scheduleId, status: { in: OPEN } } });

/** A run to create. */
interface NewRun {
  readonly id: string;
  /** Null: somebody started it. */
  readonly slotAt: Date | null;
  readonly now: Date;
}

/** Creates a run of a locked schedule, with what the schedule asks and where the result goes now. */
export async function insertRun(tx: Db, schedule: Schedule, { id, slotAt, now }: NewRun): Promise<ScheduleRun> {
  const { id: scheduleId, teamId, agentId, ownerId, message } = schedule;
  const run = await tx.scheduleRun.create({
    data: { id, scheduleId, teamId, agentId, slotAt, status: 'queued', ownerId, message, dueAt: now, createdAt: now },
  });
  const targets = readTargets(schedule.targets);
  await tx.scheduleDelivery.createMany({
    data: targets.map((target, number) => ({ runId: id, number, target, status: 'waiting' })),
  });
  return run;
}

async function insertSkipped(tx: Db, schedule: Schedule, slotAt: Date, now: Date): Promise<void> {
  const { id: scheduleId, teamId, agentId, ownerId, message } = schedule;
  const ended = { errorCode: 'overlap', errorMessage: 'The run before had not ended.', endedAt: now };
  const data = { scheduleId, teamId, agentId, ownerId, message, slotAt, dueAt: now, createdAt: now };
  await tx.scheduleRun.create({ data: { id: newId('schedule_run'), status: 'skipped', ...data, ...ended } });
}

/** Returns the schedules that are due, the longest waiting first, except some. */
export async function findDueSchedules(
  db: Db,
  { now, limit, except }: { readonly now: Date; readonly limit: number; readonly except: readonly string[] },
): Promise<string[]> {
  const due = await db.$queryRaw<{ readonly id: string }[]>`
    SELECT id FROM schedules WHERE enabled AND next_at <= ${now} AND id <> ALL(${[...except]}::text[])
    ORDER BY next_at, id LIMIT ${limit}`;
  return due.map(({ id }) => id);
}

/**
 * Creates the run of a schedule that is due, and plans its next one. The time of a schedule and the plan
 * change in one transaction with the row locked, so each time gets exactly one run, whichever replica is
 * first or dies. Times that were missed get one run together. While a run has not ended, the next one is
 * skipped. Returns false if another replica has the schedule, or it is not due any more.
 */
export function startDueSchedule(db: PrismaClient, id: string, now: Date): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const locked = await tx.$queryRaw<unknown[]>`
      SELECT id FROM schedules WHERE id = ${id} AND enabled AND next_at <= ${now}
      FOR NO KEY UPDATE SKIP LOCKED`;
    if (locked.length === 0) return false;
    const schedule = await tx.schedule.findUniqueOrThrow({ where: { id } });
    await recordSlot(tx, schedule, schedule.nextAt ?? now, now);
    const nextAt = nextTime(schedule, now);
    await tx.$executeRaw`UPDATE schedules SET next_at = ${nextAt} WHERE id = ${id}`;
    await removeOldRuns(tx, id);
    return true;
  });
}

/** Creates the run of a time. A time that was planned twice, because the clock went back, has one already. */
async function recordSlot(tx: Db, schedule: Schedule, slotAt: Date, now: Date): Promise<void> {
  const { id: scheduleId } = schedule;
  if ((await tx.scheduleRun.count({ where: { scheduleId, slotAt } })) > 0) return;
  if ((await findOpenRun(tx, scheduleId)) !== null) await insertSkipped(tx, schedule, slotAt, now);
  else await insertRun(tx, schedule, { id: newId('schedule_run'), slotAt, now });
}

/** Deletes the oldest runs of a schedule, except those that still have something to do. */
export const removeOldRuns = (tx: Db, scheduleId: string): Promise<number> => tx.$executeRaw`
  DELETE FROM schedule_runs WHERE id IN (
    SELECT old.id FROM schedule_runs AS old WHERE old.schedule_id = ${scheduleId}
    ORDER BY old.created_at DESC, old.id DESC OFFSET ${SCHEDULE_LIMITS.keptRuns})
  AND status NOT IN ('queued', 'running')
  AND NOT EXISTS (SELECT FROM schedule_deliveries AS d WHERE d.run_id = schedule_runs.id AND d.status = 'pending')`;

/** Ends the queued runs of a schedule that was disabled. Those that somebody started stay. */
export async function cancelQueuedRuns(tx: Db, scheduleId: string, now: Date): Promise<void> {
  const cancelled = await tx.scheduleRun.updateManyAndReturn({
    where: { scheduleId, status: 'queued', slotAt: { not: null } },
    data: { status: 'skipped', errorCode: 'disabled', errorMessage: 'The schedule was disabled.', endedAt: now },
    select: { id: true },
  });
  for (const { id } of cancelled) await cancelDeliveries(tx, id, now);
}

const cancelDeliveries = (tx: Db, runId: string, now: Date) =>
  tx.scheduleDelivery.updateMany({
    where: { runId, status: 'waiting' },
    data: { status: 'cancelled', endedAt: now },
  });

interface Claim {
  readonly holder: string;
  readonly limit: number;
  readonly now: Date;
}

const leaseEnd = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

const INTERRUPTED = {
  code: 'interrupted',
  message: `The run was interrupted ${SCHEDULE_LIMITS.attempts} times.`,
} as const;

/** A run that ended because its gateways were lost too often, and why that paused its schedule. */
interface PausingRun {
  readonly run: ScheduleRun;
  readonly reason: PauseReason;
}

/** What a gateway gets to do. */
interface Claimed {
  readonly runs: readonly ScheduleRun[];
  readonly pauses: readonly PausingRun[];
}

/**
 * Claims runs that are due, or whose gateway was lost. A run that was lost too often ends instead. One
 * gateway claims at a time: otherwise, two would each fill up what a team may run at the same time.
 */
export async function claimRuns(db: PrismaClient, { holder, limit, now }: Claim): Promise<Claimed> {
  const claimed = await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('claims of schedule runs', 0))`;
    const rows = await tx.$queryRaw<{ readonly id: string }[]>`
      WITH busy AS (
        SELECT team_id, count(*) AS runs FROM schedule_runs
        WHERE status = 'running' AND leased_until > ${now} GROUP BY team_id
      ), due AS (
        SELECT id, team_id, row_number() OVER (PARTITION BY team_id ORDER BY due_at, id) AS place
        FROM schedule_runs
        WHERE status IN ('queued', 'running') AND due_at <= ${now}
          AND (leased_until IS NULL OR leased_until <= ${now})
      ), free AS MATERIALIZED (
        SELECT run.id FROM schedule_runs AS run JOIN due ON due.id = run.id LEFT JOIN busy ON busy.team_id = run.team_id
        WHERE due.place + coalesce(busy.runs, 0) <= ${SCHEDULE_LIMITS.runsPerTeam}
          AND run.status IN ('queued', 'running') AND (run.leased_until IS NULL OR run.leased_until <= ${now})
        ORDER BY run.due_at, run.id LIMIT ${limit} FOR UPDATE OF run SKIP LOCKED
      )
      UPDATE schedule_runs SET status = 'running', holder = ${holder}, leased_until = ${leaseEnd(now)},
        attempts = attempts + 1, started_at = coalesce(started_at, ${now})
      WHERE id IN (SELECT id FROM free) RETURNING id`;
    return tx.scheduleRun.findMany({
      where: { id: { in: rows.map(({ id }) => id) }, holder },
      orderBy: [{ dueAt: 'asc' }, { id: 'asc' }],
    });
  });
  const lost = claimed.filter(({ attempts }) => attempts > SCHEDULE_LIMITS.attempts);
  const pauses: PausingRun[] = [];
  for (const run of lost) {
    const reason = await endRun(db, { id: run.id, holder, failure: { ...INTERRUPTED, ignored: false } }, now);
    if (reason !== undefined) pauses.push({ run, reason });
  }
  return { runs: claimed.filter((run) => !lost.includes(run)), pauses };
}

/** Returns false if another gateway has the run, or it has ended. */
export async function renewRun(db: PrismaClient, id: string, holder: string, now: Date): Promise<boolean> {
  const { count } = await db.scheduleRun.updateMany({
    where: { id, holder, status: 'running' },
    data: { leasedUntil: leaseEnd(now) },
  });
  return count > 0;
}

/** What a gateway notes about a run while it executes it. */
export interface RunNote {
  readonly runId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly messageId?: string | undefined;
}

/** Stores a note, and the schedule in the record of the agent's run. */
export async function noteRun(db: PrismaClient, id: string, holder: string, note: RunNote): Promise<void> {
  const { runId, conversationId, messageId } = note;
  await db.$transaction(async (tx) => {
    const [run] = await tx.scheduleRun.updateManyAndReturn({
      where: { id, holder, status: 'running' },
      data: {
        ...(runId === undefined ? {} : { runId }),
        ...(conversationId === undefined ? {} : { conversationId }),
        ...(messageId === undefined ? {} : { messageId }),
      },
    });
    if (run === undefined || runId === undefined) return;
    const { teamId, agentId, scheduleId } = run;
    await tx.run.updateMany({ where: { id: runId, teamId, agentId }, data: { scheduleId } });
  });
}

/** Why Lectern pauses a schedule. */
export type PauseReason = 'failing' | 'owner' | 'access';

/** Why a run failed. */
interface RunFailure {
  readonly code: string;
  readonly message: string;
  /** Pauses the schedule. */
  readonly pause?: 'owner' | 'access' | undefined;
  /** True if it does not count as a failure of the schedule. */
  readonly ignored: boolean;
}

interface Ending {
  readonly id: string;
  readonly holder: string;
  readonly failure?: RunFailure | undefined;
}

/** Gives a run back, so that it is claimed again after `waitMs`. */
export async function retryRun(
  db: PrismaClient,
  { id, holder }: Ending,
  { waitMs, counts }: { readonly waitMs: number; readonly counts: boolean },
  now: Date,
): Promise<void> {
  await db.scheduleRun.updateMany({
    where: { id, holder, status: 'running' },
    data: {
      status: 'queued',
      holder: null,
      leasedUntil: null,
      dueAt: new Date(now.getTime() + waitMs),
      ...(counts ? {} : { attempts: { decrement: 1 } }),
    },
  });
}

/**
 * Ends a run. Its result is delivered from now on, unless it failed. Pauses the schedule if its owner
 * or access is lost, or after many failures in a row, unless somebody else has taken it over meanwhile.
 * Returns why it was paused.
 */
export function endRun(db: PrismaClient, { id, holder, failure }: Ending, now: Date): Promise<PauseReason | undefined> {
  return db.$transaction(async (tx) => {
    const found = await tx.scheduleRun.findUnique({ where: { id }, select: { scheduleId: true } });
    const schedule = found === null ? null : await lockSchedule(tx, found.scheduleId);
    const [run] = await tx.scheduleRun.updateManyAndReturn({
      where: { id, holder, status: 'running' },
      data: {
        status: failure === undefined ? 'completed' : 'failed',
        errorCode: failure?.code ?? null,
        errorMessage: failure?.message ?? null,
        holder: null,
        leasedUntil: null,
        endedAt: now,
      },
    });
    if (run === undefined || schedule === null) return undefined;
    if (failure === undefined) await releaseDeliveries(tx, id, now);
    else await cancelDeliveries(tx, id, now);
    return schedule.ownerId === run.ownerId ? countEnding(tx, schedule, failure) : undefined;
  });
}

const releaseDeliveries = (tx: Db, runId: string, now: Date) =>
  tx.scheduleDelivery.updateMany({
    where: { runId, status: 'waiting' },
    data: { status: 'pending', nextAttemptAt: now, expiresAt: new Date(now.getTime() + DELIVERY_MS) },
  });

async function countEnding(
  tx: Db,
  { id, failures: before, enabled }: Schedule,
  failure: RunFailure | undefined,
): Promise<PauseReason | undefined> {
  if (failure?.ignored === true) return undefined;
  const failures = failure === undefined ? 0 : before + 1;
  const reason = failure?.pause ?? (failures >= SCHEDULE_LIMITS.failures ? 'failing' : undefined);
  const pauses = failure !== undefined && reason !== undefined && enabled;
  await tx.$executeRaw`UPDATE schedules SET failures = ${failures} WHERE id = ${id}`;
  if (!pauses) return undefined;
  await tx.$executeRaw`
    UPDATE schedules SET enabled = false, next_at = NULL, paused_reason = ${reason}, paused_message = ${failure.message}
    WHERE id = ${id}`;
  return reason;
}
