import { randomUUID } from 'node:crypto';
import { findConnectorType } from '@lectern/connectors';
import { LeaseLost } from '@lectern/resilience';
import { AppError, newId, storeTrace } from '@lectern/service-kit';
import { toJson } from '#common/json';
import { defineMachine } from '#common/state-machine';
import { lockConnector, moveConnector } from '#connectors/connector';
import { EVENT_COLUMNS, recordConnectorEvent } from '#connectors/record-event';
import type { Context } from '#context';
import type { Connector, ConnectorStatus, JobKind, JobStatus, Prisma, SyncJob, SyncMode } from '#gen/prisma/client';
import { OPEN_STAGES } from '#sync/store/items';
import { addCounts, countItems, type JobCounts, readCounts } from '#sync/store/job-counts';

// The life of a sync job, from top to bottom: states, creation, planning, end, purge.
// A worker plans a job (it lists the source and creates a row for each item), then workers process
// the items (items.ts), then the job ends.

/** Names a job and its owner. */
export interface JobRef {
  readonly teamId: string;
  readonly connectorId: string;
  readonly jobId: string;
}

// --- States ---

export const jobMachine = defineMachine<JobStatus>({
  queued: ['running', 'failed', 'cancelled'],
  running: ['completed', 'completed_with_errors', 'failed', 'cancelled'],
  completed: [],
  completed_with_errors: [],
  failed: [],
  cancelled: [],
});

/** The states of a job that has not ended. */
export const ACTIVE_JOB = jobMachine.states.filter((status) => jobMachine.moves[status].length > 0);

export function isActive(status: JobStatus): boolean {
  return ACTIVE_JOB.includes(status);
}

/** Moves a job to a state. Returns false if the move is not legal from the job's current state. */
export async function moveJob(
  tx: Prisma.TransactionClient,
  id: string,
  to: JobStatus,
  data: Prisma.SyncJobUpdateManyMutationInput = {},
): Promise<boolean> {
  const { count } = await tx.syncJob.updateMany({
    where: { id, status: { in: jobMachine.before(to) } },
    data: { ...data, status: to, ...(isActive(to) ? {} : { completedAt: new Date() }) },
  });
  return count === 1;
}

// --- Locks ---
// Every transaction locks in this order, so that no two wait for each other: connector, job, items
// by id, files by source id. The locks are NO KEY: rows that refer to a locked row can still be inserted.

/**
 * Locks a job's row until the transaction ends: no other transaction adds items to it or ends it.
 */
export async function lockJob(tx: Prisma.TransactionClient, id: string): Promise<SyncJob | null> {
  await tx.$queryRaw`SELECT id FROM sync_jobs WHERE id = ${id} FOR NO KEY UPDATE`;
  return tx.syncJob.findUnique({ where: { id } });
}

/** Locks a job's connector, then the job. */
async function lockJobWithConnector(tx: Prisma.TransactionClient, id: string): Promise<SyncJob | null> {
  await tx.$queryRaw`
    SELECT id FROM connectors WHERE id = (SELECT connector_id FROM sync_jobs WHERE id = ${id}) FOR NO KEY UPDATE`;
  return lockJob(tx, id);
}

// --- Create: queued ---

export interface JobOptions {
  /** Chosen by the caller, so that a repeated call returns the same job. Generated if absent. */
  readonly id?: string | undefined;
  readonly kind?: JobKind;
  readonly mode: SyncMode;
  readonly fileFilter: readonly string[];
  readonly confirmDeletions: boolean;
  /** Started by the connector's schedule, not by a person. */
  readonly scheduled?: boolean;
}

const NOT_SYNCABLE: Readonly<Record<string, string>> = {
  pending_auth: 'The connector is waiting for its authorization.',
  paused: 'The connector is paused.',
};

/** A job that a person starts ignores an earlier throttle. */
async function prepareState(tx: Prisma.TransactionClient, connectorId: string, options: JobOptions): Promise<void> {
  const throttle = options.scheduled === true ? {} : { throttledUntil: null, throttleReason: null, throttles: 0 };
  const update = { ...throttle, ...(options.kind === 'permissions' ? { permissionsDue: false } : {}) };
  await tx.syncState.upsert({ where: { connectorId }, create: { connectorId }, update });
}

/**
 * Creates a job, or returns the one with this id. Throws `conflict` if another job of the connector
 * is active (its id is in the details), or if the connector's status does not allow a sync.
 */
export async function createJob(ctx: Context, connector: Connector, options: JobOptions): Promise<SyncJob> {
  const { id: connectorId, teamId } = connector;
  const { kind = 'sync', mode, fileFilter, confirmDeletions, scheduled = false } = options;
  return ctx.db.$transaction(async (tx) => {
    await lockConnector(tx, connectorId);
    const existing =
      options.id === undefined ? null : await tx.syncJob.findUnique({ where: { id: options.id, teamId, connectorId } });
    if (existing !== null) return existing;
    const active = await tx.syncJob.findFirst({ where: { connectorId, status: { in: ACTIVE_JOB } } });
    if (active !== null) {
      throw new AppError('conflict', 'A sync of this connector is already running.', { details: { jobId: active.id } });
    }
    if (!(await moveConnector(tx, connectorId, 'syncing'))) {
      const { status } = await tx.connector.findUniqueOrThrow({ where: { id: connectorId } });
      throw new AppError('conflict', NOT_SYNCABLE[status] ?? 'The connector cannot be synced now.', {
        details: { status },
      });
    }
    await prepareState(tx, connectorId, options);
    return tx.syncJob.create({
      data: {
        ...{ id: options.id ?? newId('job'), teamId, connectorId, kind, mode, scheduled, confirmDeletions },
        fileFilter: [...fileFilter],
        traceParent: storeTrace() ?? null,
      },
    });
  });
}

/**
 * Creates a job whose items the caller adds in the same transaction: files of an upload or pushed
 * items. It needs no planning.
 */
export async function createPlannedJob(
  tx: Prisma.TransactionClient,
  id: string,
  { id: connectorId, teamId }: Pick<Connector, 'id' | 'teamId'>,
  data: Pick<Prisma.SyncJobUncheckedCreateInput, 'mode' | 'status'>,
): Promise<string> {
  await tx.syncState.upsert({ where: { connectorId }, create: { connectorId }, update: {} });
  await tx.syncJob.create({
    data: { ...data, id, teamId, connectorId, plannedAt: new Date(), traceParent: storeTrace() ?? null },
  });
  await moveConnector(tx, connectorId, 'syncing');
  return id;
}

// --- Plan: running, until `planned_at` is set ---

export interface DuePlan extends JobRef {
  /** How many times the plan was queued. Part of the message's id. */
  readonly enqueues: number;
  readonly traceParent: string | null;
}

/**
 * Marks plans as queued and returns them: plans that were never queued, whose retry is due, or whose
 * message was lost.
 */
export async function takeDuePlans(ctx: Context): Promise<readonly DuePlan[]> {
  const overdueSeconds = (ctx.config.WORK_LEASE_MS * 1.5) / 1_000;
  return ctx.db.$queryRaw<DuePlan[]>`
    UPDATE sync_jobs SET plan_enqueued_at = now(), plan_enqueues = plan_enqueues + 1
    WHERE id IN (
      SELECT id FROM sync_jobs
      WHERE status IN ('queued', 'running') AND planned_at IS NULL AND (plan_lease_until IS NULL OR plan_lease_until < now())
        AND ((plan_enqueued_at IS NULL AND (plan_retry_at IS NULL OR plan_retry_at <= now()))
          OR plan_enqueued_at < now() - make_interval(secs => ${overdueSeconds}))
        AND NOT EXISTS (SELECT FROM sync_states
          WHERE sync_states.connector_id = sync_jobs.connector_id AND throttled_until > now())
      ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING team_id AS "teamId", connector_id AS "connectorId", id AS "jobId", plan_enqueues AS enqueues,
      trace_parent AS "traceParent"`;
}

/** Marks a plan as not queued, because its message could not be sent. */
export async function unmarkEnqueuedPlan(ctx: Context, jobId: string): Promise<void> {
  await ctx.db.syncJob.updateMany({ where: { id: jobId, planLeaseUntil: null }, data: { planEnqueuedAt: null } });
}

/**
 * Requeues a plan whose message the queue dropped because the worker crashed or the database was
 * unavailable at every delivery. The row's attempts decide whether the job fails.
 */
export async function requeuePlan(ctx: Context, jobId: string): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE sync_jobs SET plan_enqueued_at = NULL
    WHERE id = ${jobId} AND status IN ('queued', 'running') AND (plan_lease_until IS NULL OR plan_lease_until < now())`;
}

/** A job whose planning this worker has leased. */
export interface ClaimedPlan extends JobRef {
  readonly leaseToken: string;
  readonly type: string;
  readonly config: unknown;
  readonly kind: JobKind;
  readonly mode: SyncMode;
  readonly scheduled: boolean;
  readonly fileFilter: readonly string[];
  readonly confirmDeletions: boolean;
  /** The cursor to read the change feed from; null if the job does not read the feed. */
  readonly changesFrom: string | null;
  /** The change feed's cursor from before the listing. */
  readonly nextCursor: string | null;
  /** How far an earlier worker listed the source. */
  readonly checkpoint: string | null;
  /** Includes this attempt. */
  readonly attempts: number;
}

/** Returns true if the job covers everything in the source. */
export const isFullScan = (plan: Pick<ClaimedPlan, 'mode' | 'fileFilter'>): boolean =>
  plan.mode === 'full' || (plan.mode === 'auto' && plan.fileFilter.length === 0);

/**
 * Leases a job's planning. Returns undefined if it is planned, ended, waiting or leased by another
 * worker.
 */
export async function claimPlan(ctx: Context, jobId: string): Promise<ClaimedPlan | undefined> {
  const leaseToken = randomUUID();
  const [plan] = await ctx.db.$queryRaw<ClaimedPlan[]>`
    UPDATE sync_jobs AS job
    SET status = 'running', plan_attempts = plan_attempts + 1, plan_lease_token = ${leaseToken}, plan_retry_at = NULL,
        plan_lease_until = now() + make_interval(secs => ${ctx.config.WORK_LEASE_MS / 1_000})
    FROM connectors AS connector, sync_states AS state
    WHERE job.id = ${jobId} AND connector.id = job.connector_id AND state.connector_id = job.connector_id
      AND job.status IN ('queued', 'running') AND job.planned_at IS NULL
      AND (job.plan_lease_until IS NULL OR job.plan_lease_until < now())
      AND (job.plan_retry_at IS NULL OR job.plan_retry_at <= now())
      AND (state.throttled_until IS NULL OR state.throttled_until <= now())
    RETURNING job.id AS "jobId", job.plan_lease_token AS "leaseToken", job.team_id AS "teamId",
      job.connector_id AS "connectorId", connector.type, connector.config, job.kind::text, job.mode::text, job.scheduled,
      job.file_filter AS "fileFilter", job.confirm_deletions AS "confirmDeletions", job.changes_from AS "changesFrom",
      job.next_cursor AS "nextCursor", job.checkpoint, job.plan_attempts AS attempts`;
  return plan;
}

/** Renews a plan's lease. Returns false if it was lost. */
export async function renewPlan(ctx: Context, { jobId, leaseToken }: ClaimedPlan): Promise<boolean> {
  const renewed = await ctx.db.$executeRaw`
    UPDATE sync_jobs SET plan_lease_until = now() + make_interval(secs => ${ctx.config.WORK_LEASE_MS / 1_000})
    WHERE id = ${jobId} AND plan_lease_token = ${leaseToken} AND status = 'running'`;
  return renewed === 1;
}

/** Locks the job of a plan. Throws `LeaseLost` unless this worker still has the lease. */
export async function lockPlan(tx: Prisma.TransactionClient, plan: ClaimedPlan): Promise<void> {
  const job = await lockJob(tx, plan.jobId);
  if (job === null || job.planLeaseToken !== plan.leaseToken || job.status !== 'running') {
    throw new LeaseLost('The lease on the plan was lost.');
  }
}

/** Updates the job of a plan. Throws `LeaseLost` if the lease was lost. */
export async function updatePlan(
  ctx: Context,
  plan: ClaimedPlan,
  data: Pick<Prisma.SyncJobUpdateInput, 'changesFrom' | 'nextCursor' | 'checkpoint'>,
): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockPlan(tx, plan);
    await tx.syncJob.update({ where: { id: plan.jobId }, data });
  });
}

/** Stores how far a plan has come. A new checkpoint resets the failures and the attempts. */
export async function storeCheckpoint(
  tx: Prisma.TransactionClient,
  { jobId }: Pick<ClaimedPlan, 'jobId'>,
  checkpoint: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE sync_jobs SET checkpoint = ${checkpoint}, plan_attempts = 1, plan_failures = 0, plan_failing_ms = 0
    WHERE id = ${jobId} AND checkpoint IS DISTINCT FROM ${checkpoint}`;
}

/** Consecutive failures since the last progress of a plan. */
export interface FailureRun {
  /** Includes the last one. */
  readonly failures: number;
  /** Milliseconds of failed attempts and of the waits between them, as counted by `countedMs`. */
  readonly failingMs: number;
}

/** Records a failed attempt that took `spentMs`. Returns undefined if the lease was lost. */
export async function recordPlanFailure(
  ctx: Context,
  { jobId, leaseToken }: ClaimedPlan,
  spentMs: number,
): Promise<FailureRun | undefined> {
  const [run] = await ctx.db.$queryRaw<FailureRun[]>`
    UPDATE sync_jobs SET plan_failures = plan_failures + 1, plan_failing_ms = plan_failing_ms + ${spentMs}::int
    WHERE id = ${jobId} AND plan_lease_token = ${leaseToken} AND status = 'running'
    RETURNING plan_failures AS failures, plan_failing_ms AS "failingMs"`;
  return run;
}

/** The wait before the next attempt, and the part of it that counts as time spent failing. */
export interface RetryWait {
  readonly waitMs: number;
  readonly countedMs: number;
}

/**
 * Releases an unfinished plan for another attempt after `waitMs`. The attempt does not count,
 * because only attempts whose worker disappeared do.
 */
export async function releasePlan(
  ctx: Context,
  { jobId, leaseToken }: ClaimedPlan,
  { waitMs, countedMs }: RetryWait = { waitMs: 0, countedMs: 0 },
): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE sync_jobs
    SET plan_lease_token = NULL, plan_lease_until = NULL, plan_enqueued_at = NULL, plan_attempts = greatest(0, plan_attempts - 1),
        plan_failing_ms = plan_failing_ms + ${countedMs}::int, plan_retry_at = now() + make_interval(secs => ${waitMs / 1_000})
    WHERE id = ${jobId} AND plan_lease_token = ${leaseToken}`;
}

/** Marks a job as planned: every item has a row. The caller has locked the plan. */
export async function completePlan(
  tx: Prisma.TransactionClient,
  { jobId }: ClaimedPlan,
  data: Prisma.SyncJobUpdateInput = {},
): Promise<void> {
  await tx.syncJob.update({
    where: { id: jobId },
    data: { ...data, plannedAt: new Date(), planLeaseToken: null, planLeaseUntil: null },
  });
}

// --- End: completed, completed_with_errors, failed, cancelled ---

/** How a job ends, and the status that its connector gets. */
export interface Ending {
  readonly job: JobStatus & ('completed' | 'completed_with_errors' | 'failed' | 'cancelled');
  readonly error?: { readonly code: string; readonly message: string };
  readonly connector: ConnectorStatus & ('active' | 'error' | 'pending_auth' | 'deleting');
  readonly reason?: string;
}

/**
 * Stores the time and the cursor of a successful sync. A failed or cancelled sync changes neither.
 */
async function storeSuccess(tx: Prisma.TransactionClient, job: SyncJob, ending: Ending): Promise<void> {
  if (job.kind !== 'sync' || (ending.job !== 'completed' && ending.job !== 'completed_with_errors')) return;
  await tx.connector.updateMany({ where: { id: job.connectorId }, data: { lastSync: new Date() } });
  const isWholeListing = job.mode !== 'incremental' && job.changesFrom === null && job.fileFilter.length === 0;
  const cursor = job.nextCursor === null ? {} : { changeCursor: job.nextCursor };
  await tx.syncState.updateMany({
    where: { connectorId: job.connectorId },
    data: { ...cursor, ...(isWholeListing ? { fullScanAt: job.startedAt } : {}) },
  });
}

/** Records the event of an ended sync. A cancelled one has none: somebody wanted it to end. */
async function recordEnd(tx: Prisma.TransactionClient, job: SyncJob, ending: Ending, counts: JobCounts): Promise<void> {
  const { job: status, error } = ending;
  if (job.kind !== 'sync' || status === 'cancelled') return;
  const select = EVENT_COLUMNS;
  const connector = await tx.connector.findUniqueOrThrow({ where: { id: job.connectorId }, select });
  const { indexed, skipped, failed, deleted } = counts;
  const data = { id: job.id, status, counts: { indexed, skipped, failed, deleted } };
  if (status === 'failed') {
    const code = error?.code ?? job.errorCode ?? 'internal_error';
    await recordConnectorEvent(tx, connector, 'sync.failed', (fields) => ({ ...fields, ...data, error: { code } }));
  } else await recordConnectorEvent(tx, connector, 'sync.completed', (fields) => ({ ...fields, ...data }));
}

/**
 * Ends an active job; returns false if it has already ended. Open items are cancelled; their workers
 * notice at the next write. The job stores the final counts; only items whose document is being
 * written change them later (`finishItem`). The caller has locked the connector and the job.
 */
export async function closeJob(tx: Prisma.TransactionClient, job: SyncJob, ending: Ending): Promise<boolean> {
  const error = ending.error === undefined ? {} : { errorCode: ending.error.code, errorMessage: ending.error.message };
  if (!(await moveJob(tx, job.id, ending.job, { ...error, planLeaseToken: null, planLeaseUntil: null }))) return false;
  await tx.$executeRaw`
    UPDATE sync_items SET stage = 'cancelled', updated_at = now()
    WHERE id IN (
      SELECT id FROM sync_items WHERE job_id = ${job.id} AND stage IN ('planned', 'collected', 'parsed')
      ORDER BY id FOR NO KEY UPDATE)`;
  const items = (await countItems(tx, [job.id])).get(job.id) ?? readCounts(undefined);
  const counts = addCounts(items, readCounts(job.counts));
  await tx.syncJob.update({ where: { id: job.id }, data: { counts: toJson(counts) } });
  await storeSuccess(tx, job, ending);
  await recordEnd(tx, job, ending, counts);
  const { connectorId } = job;
  await tx.$executeRaw`
    UPDATE files SET status = 'pending'
    WHERE id IN (
      SELECT id FROM files WHERE connector_id = ${connectorId} AND status = 'processing' ORDER BY source_id FOR NO KEY UPDATE)`;
  if (ending.connector !== 'deleting') {
    await moveConnector(tx, connectorId, ending.connector, { statusReason: ending.reason ?? null });
  }
  return true;
}

/** Locks a job and ends it with the result of `decide`. Returns false if nothing changed. */
async function endJob(
  ctx: Context,
  jobId: string,
  decide: (tx: Prisma.TransactionClient, job: SyncJob) => Promise<Ending | undefined>,
): Promise<boolean> {
  const ended = await ctx.db.$transaction(async (tx) => {
    const job = await lockJobWithConnector(tx, jobId);
    const ending = job === null ? undefined : await decide(tx, job);
    if (job === null || ending === undefined || !(await closeJob(tx, job, ending))) return undefined;
    return { job: { teamId: job.teamId, connectorId: job.connectorId, jobId }, ending };
  });
  if (ended === undefined) return false;
  const { job, ending } = ended;
  ctx.progress.ended(job, ending.job);
  ctx.log.info({ jobId, status: ending.job, code: ending.error?.code }, 'sync job ended');
  return true;
}

/**
 * Completes a job if it is planned and all its items have ended. The job is locked before its items
 * are counted, so that the last two workers cannot both see the other's item as open.
 */
export async function completeJobIfDone(ctx: Context, jobId: string): Promise<boolean> {
  // A cheap check that is usually enough. Without the lock it can miss the end of the last item,
  // but never report a false end.
  const [seen] = await ctx.db.$queryRaw<{ busy: boolean }[]>`
    SELECT EXISTS (SELECT FROM sync_items WHERE job_id = ${jobId} AND stage IN ('planned', 'collected', 'parsed')
        AND enqueued_at IS NOT NULL)
      OR EXISTS (SELECT FROM sync_items WHERE job_id = ${jobId} AND stage IN ('planned', 'collected', 'parsed')
        AND enqueued_at IS NULL)
      OR EXISTS (SELECT FROM sync_jobs WHERE id = ${jobId} AND planned_at IS NULL) AS busy`;
  if (seen?.busy !== false) return false;
  return endJob(ctx, jobId, async (tx, job) => {
    if (job.status !== 'running' || job.plannedAt === null) return undefined;
    if ((await tx.syncItem.count({ where: { jobId, stage: { in: OPEN_STAGES } } })) > 0) return undefined;
    const failed = await tx.syncItem.count({ where: { jobId, stage: 'failed' } });
    const hasErrors = failed > 0 || job.errorCode !== null;
    return { job: hasErrors ? 'completed_with_errors' : 'completed', connector: 'active' };
  });
}

/** Fails or cancels a job. Returns false if it has already ended. */
export function endJobEarly(ctx: Context, jobId: string, ending: Ending): Promise<boolean> {
  return endJob(ctx, jobId, async () => ending);
}

/**
 * Returns the status of a connector whose source rejects its credentials. Its user authorizes it
 * again in a browser, or enters new credentials.
 */
export async function unauthorizedStatus(
  ctx: Context,
  { type: name, connectorId, teamId }: Pick<ClaimedPlan, 'type' | 'connectorId' | 'teamId'>,
): Promise<Ending['connector']> {
  const type = findConnectorType(name, ctx.types);
  if (type.oauth === undefined) return 'error';
  const secret = await ctx.secrets.read(ctx.db, { id: connectorId, teamId });
  return type.needsAuthorization(secret?.value ?? {}) ? 'pending_auth' : 'error';
}

/** Records that an active job got items that were sent to it, so that its time counts again. */
export async function extendJob(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.syncJob.update({ where: { id }, data: { extendedAt: new Date() } });
}

/** Fails every active job that started and got its last items more than `SYNC_MAX_HOURS` ago. */
export async function failOverdueJobs(ctx: Context): Promise<void> {
  const hours = ctx.config.SYNC_MAX_HOURS;
  const message = `The sync did not end within ${hours} hours.`;
  const before = new Date(Date.now() - hours * 3_600_000);
  const overdue = await ctx.db.syncJob.findMany({
    where: {
      status: { in: ACTIVE_JOB },
      startedAt: { lt: before },
      OR: [{ extendedAt: null }, { extendedAt: { lt: before } }],
    },
    select: { id: true },
  });
  const ending = { job: 'failed', error: { code: 'timeout', message }, connector: 'error', reason: message } as const;
  for (const { id } of overdue) await endJobEarly(ctx, id, ending);
}

// --- Purge ---

const PURGE_BATCH = 5_000;

/**
 * Deletes the item rows of one job that ended `SYNC_ITEM_DAYS` ago, at most one batch per call. The
 * job, its counts and its failed items are kept.
 */
export async function purgeItems(ctx: Context): Promise<void> {
  const [job] = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT id FROM sync_jobs
    WHERE purged_at IS NULL AND completed_at < now() - make_interval(secs => ${ctx.config.SYNC_ITEM_DAYS * 86_400})
    ORDER BY completed_at LIMIT 1`;
  if (job === undefined) return;
  const purged = await ctx.db.$executeRaw`
    DELETE FROM sync_items WHERE id IN (
      SELECT id FROM sync_items WHERE job_id = ${job.id} AND stage <> 'failed' AND (lease_until IS NULL OR lease_until < now())
      LIMIT ${PURGE_BATCH})`;
  if (purged < PURGE_BATCH) await ctx.db.syncJob.update({ where: { id: job.id }, data: { purgedAt: new Date() } });
}
