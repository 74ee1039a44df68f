import { randomUUID } from 'node:crypto';
import type { JobKind, Prisma, SyncMode } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import type { FailureRun } from './plan-failure.ts';

/** A job whose planning a worker holds. */
export interface HeldPlan {
  readonly jobId: string;
  readonly leaseToken: string;
  readonly teamId: string;
  readonly connectorId: string;
  readonly type: string;
  readonly config: unknown;
  readonly kind: JobKind;
  readonly mode: SyncMode;
  readonly scheduled: boolean;
  readonly fileFilter: readonly string[];
  readonly confirmDeletions: boolean;
  /** Where the change feed is read from, in a job that reads it. */
  readonly changesFrom: string | null;
  /** The change feed's place from before the listing. */
  readonly nextCursor: string | null;
  /** Where an earlier planner stopped. */
  readonly checkpoint: string | null;
  /** This one included. */
  readonly attempts: number;
}

/** Takes the planning of a job; undefined where it is planned, has ended, waits, or is held. */
export async function claimPlan(ctx: Context, jobId: string): Promise<HeldPlan | undefined> {
  const leaseToken = randomUUID();
  const [plan] = await ctx.db.$queryRaw<HeldPlan[]>`
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

/** Prolongs a hold; false where it is over. */
export async function renewPlan(ctx: Context, { jobId, leaseToken }: HeldPlan): Promise<boolean> {
  const renewed = await ctx.db.$executeRaw`
    UPDATE sync_jobs SET plan_lease_until = now() + make_interval(secs => ${ctx.config.WORK_LEASE_MS / 1_000})
    WHERE id = ${jobId} AND plan_lease_token = ${leaseToken} AND status = 'running'`;
  return renewed === 1;
}

/**
 * Notes a failed attempt that took `spentMs`. Answers with the failures since the job last came further; undefined where the hold is over.
 */
export async function noteFailure(
  ctx: Context,
  { jobId, leaseToken }: HeldPlan,
  spentMs: number,
): Promise<FailureRun | undefined> {
  const [run] = await ctx.db.$queryRaw<FailureRun[]>`
    UPDATE sync_jobs SET plan_failures = plan_failures + 1, plan_failing_ms = plan_failing_ms + ${spentMs}::int
    WHERE id = ${jobId} AND plan_lease_token = ${leaseToken} AND status = 'running'
    RETURNING plan_failures AS failures, plan_failing_ms AS "failingMs"`;
  return run;
}

/** What it costs to come back: a wait, of which `countedMs` is the source's fault. */
export interface ComingBack {
  readonly waitMs: number;
  readonly countedMs: number;
}

/**
 * Gives a plan back unfinished, to be taken up again after `waitMs`. The attempt does not count: attempts are those of workers that were
 * never heard of again.
 */
export async function giveBackPlan(
  ctx: Context,
  { jobId, leaseToken }: HeldPlan,
  { waitMs, countedMs }: ComingBack = { waitMs: 0, countedMs: 0 },
): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE sync_jobs
    SET plan_lease_token = NULL, plan_lease_until = NULL, plan_enqueued_at = NULL, plan_attempts = greatest(0, plan_attempts - 1),
        plan_failing_ms = plan_failing_ms + ${countedMs}::int, plan_retry_at = now() + make_interval(secs => ${waitMs / 1_000})
    WHERE id = ${jobId} AND plan_lease_token = ${leaseToken}`;
}

/** Keeps how far a plan has come. A place that it was not at before ends a run of failures, and gives the plan its attempts back. */
export async function keepCheckpoint(
  tx: Prisma.TransactionClient,
  { jobId }: Pick<HeldPlan, 'jobId'>,
  checkpoint: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE sync_jobs SET checkpoint = ${checkpoint}, plan_attempts = 1, plan_failures = 0, plan_failing_ms = 0
    WHERE id = ${jobId} AND checkpoint IS DISTINCT FROM ${checkpoint}`;
}
