import { type Connector, findConnectorType, SourceError } from '@lectern/connectors';
import { failureReason, holdLease } from '@lectern/resilience';
import type { Context } from '#context';
import {
  type ClaimedPlan,
  claimPlan,
  endJobEarly,
  isFullScan,
  recordPlanFailure,
  releasePlan,
  renewPlan,
  unauthorizedStatus,
} from '#sync/store/jobs';
import { clearThrottle, throttle } from '#sync/store/sync-state';
import { openGroupImport } from '#sync/worker/groups';
import { refreshPermissions } from '#sync/worker/permissions';
import { classifyPlanError, countedMs, gaveUpMessage, retryDelayMs } from '#sync/worker/plan-failure';
import { planSync } from '#sync/worker/plan-sync';

/** Workers that can disappear while planning before the job fails. */
const MAX_ATTEMPTS = 8;
const MARK_TIMEOUT_MS = 10_000;

/**
 * Marks the groups as out of date, because the job that should have imported them failed. The job
 * can fail before it opens an import, for example during sign-in.
 */
async function markGroupsOutdated(ctx: Context, plan: ClaimedPlan): Promise<void> {
  const importsGroups = plan.kind === 'permissions' || (isFullScan(plan) && plan.changesFrom === null);
  const { acceptsFiles, acceptsItems } = findConnectorType(plan.type, ctx.types);
  if (!importsGroups || acceptsFiles || acceptsItems) return;
  await openGroupImport(ctx, plan, AbortSignal.timeout(MARK_TIMEOUT_MS)).catch((err: unknown) =>
    ctx.log.warn({ err, connectorId: plan.connectorId }, 'could not mark groups as out of date'),
  );
}

async function failJob(ctx: Context, plan: ClaimedPlan, code: string, message: string): Promise<void> {
  const connector = code === 'auth' ? await unauthorizedStatus(ctx, plan) : 'error';
  const error = { code, message };
  // A job that was cancelled in the meantime is not a failed import.
  if (!(await endJobEarly(ctx, plan.jobId, { job: 'failed', error, connector, reason: message }))) return;
  await markGroupsOutdated(ctx, plan);
}

/**
 * Releases the plan for a retry, or fails the job. Throws the error if the message must be
 * delivered again.
 */
async function handleFailure(ctx: Context, plan: ClaimedPlan, error: unknown, tookMs: number): Promise<void> {
  const failure = classifyPlanError(error);
  if (failure.kind === 'lost') return;
  if (failure.kind === 'stop') {
    await releasePlan(ctx, plan);
    throw error;
  }
  const retryForMs = ctx.config.SYNC_PATIENCE_MS;
  const run = await recordPlanFailure(ctx, plan, countedMs(tookMs, retryForMs));
  if (run === undefined) return;
  const level = failure.kind === 'throttled' ? 'info' : 'warn';
  ctx.log[level]({ err: error, jobId: plan.jobId, ...run }, 'listing failed');
  if (failure.kind === 'final') return failJob(ctx, plan, failure.code, failure.message);
  const throttledMs = failure.kind === 'throttled' ? await throttle(ctx, plan, failure.error) : 0;
  const waitMs = retryDelayMs(failure, run, { retryForMs, throttledMs });
  if (waitMs === undefined) {
    const { code, message } = failure.kind === 'throttled' ? { code: 'rate', message: failure.error.message } : failure;
    return failJob(ctx, plan, code, error instanceof SourceError ? gaveUpMessage(message, retryForMs) : message);
  }
  // A throttle is stored with the connector, so that it ends for all its jobs at the same time.
  const ownWaitMs = failure.kind === 'throttled' ? 0 : waitMs;
  await releasePlan(ctx, plan, { waitMs: ownWaitMs, countedMs: countedMs(waitMs, retryForMs) });
}

async function work(ctx: Context, plan: ClaimedPlan, source: Connector, signal: AbortSignal): Promise<void> {
  if (plan.kind === 'permissions') await refreshPermissions(ctx, plan, source, signal);
  else await planSync(ctx, plan, source, signal);
  await clearThrottle(ctx, plan.connectorId);
}

/**
 * Plans a job: lists its source and creates a row for each item, from the last checkpoint.
 * Idempotent.
 */
export async function planJob(ctx: Context, jobId: string, stop: AbortSignal): Promise<void> {
  const plan = await claimPlan(ctx, jobId);
  if (plan === undefined) return;
  if (plan.attempts > MAX_ATTEMPTS) {
    return failJob(ctx, plan, 'worker_lost', `The worker stopped ${MAX_ATTEMPTS} times while it listed the source.`);
  }
  ctx.progress.changed(plan, 'running');
  const startedAt = performance.now();
  const lease = holdLease(() => renewPlan(ctx, plan), {
    leaseMs: ctx.config.WORK_LEASE_MS,
    stop,
    onRenewError: (err) => ctx.log.warn({ err, jobId }, 'could not renew the lease of a plan'),
  });
  try {
    await ctx.sources.use(plan.connectorId, (source) => work(ctx, plan, source, lease.signal));
  } catch (error) {
    return await handleFailure(ctx, plan, failureReason(error, lease.signal), performance.now() - startedAt);
  } finally {
    lease.stopRenewing();
  }
  ctx.progress.changed(plan, 'running');
  await ctx.dispatcher.dispatch(plan);
}
