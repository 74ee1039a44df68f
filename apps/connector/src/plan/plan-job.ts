import { type Connector, findConnectorType, SourceError } from '@lectern/connectors';
import type { Context } from '../context.ts';
import { endJobEarly } from '../jobs/end-job.ts';
import { statusUnauthorised } from '../jobs/end-unauthorised.ts';
import { holdLease, reasonOf } from '../leases/hold-lease.ts';
import { openGroups } from '../permissions/refresh-groups.ts';
import { refreshPermissions } from '../permissions/refresh-permissions.ts';
import { calmDown, throttle } from '../schedule/throttle.ts';
import { claimPlan, giveBackPlan, type HeldPlan, noteFailure, renewPlan } from './claim-plan.ts';
import { isFullScan } from './list-items.ts';
import { countedMs, gaveUp, planFailureOf, waitAfter } from './plan-failure.ts';
import { planSync } from './plan-sync.ts';

/** Times that a worker may disappear with a plan. */
const MAX_ATTEMPTS = 8;
const NOTE_MS = 10_000;

async function failPlan(ctx: Context, plan: HeldPlan, code: string, message: string): Promise<void> {
  const connector = code === 'auth' ? statusUnauthorised(ctx, plan.type) : 'error';
  await endJobEarly(ctx, plan.jobId, { job: 'failed', error: { code, message }, connector, reason: message });
  await noteUnreadGroups(ctx, plan);
}

/**
 * Called when a job that was to read the groups fails, even at sign-in: the groups are out of date
 * from then on.
 */
async function noteUnreadGroups(ctx: Context, plan: HeldPlan): Promise<void> {
  const readsGroups = plan.kind === 'permissions' || (isFullScan(plan) && plan.changesFrom === null);
  if (!readsGroups || findConnectorType(plan.type, ctx.types).acceptsFiles) return;
  await openGroups(ctx, plan, AbortSignal.timeout(NOTE_MS)).catch((err: unknown) =>
    ctx.log.warn({ err, connectorId: plan.connectorId }, 'could not mark groups as out of date'),
  );
}

async function settle(ctx: Context, plan: HeldPlan, error: unknown, tookMs: number): Promise<void> {
  const failure = planFailureOf(error);
  if (failure.kind === 'lost') return;
  if (failure.kind === 'stop') {
    await giveBackPlan(ctx, plan);
    throw error;
  }
  const patienceMs = ctx.config.SYNC_PATIENCE_MS;
  const run = await noteFailure(ctx, plan, countedMs(tookMs, patienceMs));
  if (run === undefined) return;
  const level = failure.kind === 'throttled' ? 'info' : 'warn';
  ctx.log[level]({ err: error, jobId: plan.jobId, ...run }, 'listing failed');
  if (failure.kind === 'final') return failPlan(ctx, plan, failure.code, failure.message);
  const throttledMs = failure.kind === 'throttled' ? await throttle(ctx, plan, failure.error) : 0;
  const waitMs = waitAfter(failure, run, { patienceMs, throttledMs });
  if (waitMs === undefined) {
    const { code, message } = failure.kind === 'throttled' ? { code: 'rate', message: failure.error.message } : failure;
    return failPlan(ctx, plan, code, error instanceof SourceError ? gaveUp(message, patienceMs) : message);
  }
  // Of a source that asks for it the connector keeps the wait, so that it ends for all at once.
  const ownWaitMs = failure.kind === 'throttled' ? 0 : waitMs;
  await giveBackPlan(ctx, plan, { waitMs: ownWaitMs, countedMs: countedMs(waitMs, patienceMs) });
}

async function work(ctx: Context, plan: HeldPlan, source: Connector, signal: AbortSignal): Promise<void> {
  if (plan.kind === 'permissions') await refreshPermissions(ctx, plan, source, signal);
  else await planSync(ctx, plan, source, signal);
  await calmDown(ctx, plan.connectorId);
}

/** Lists a job's source and makes a row of each item, from where an earlier planner stopped. Idempotent. */
export async function planJob(ctx: Context, jobId: string, stop: AbortSignal): Promise<void> {
  const plan = await claimPlan(ctx, jobId);
  if (plan === undefined) return;
  if (plan.attempts > MAX_ATTEMPTS) {
    return failPlan(ctx, plan, 'worker_lost', `The worker stopped ${MAX_ATTEMPTS} times while it listed the source.`);
  }
  ctx.progress.changed(plan, 'running');
  const begunAt = performance.now();
  const lease = holdLease(() => renewPlan(ctx, plan), { leaseMs: ctx.config.WORK_LEASE_MS, stop, log: ctx.log });
  try {
    await ctx.sources.use(plan.connectorId, (source) => work(ctx, plan, source, lease.signal));
  } catch (error) {
    return await settle(ctx, plan, reasonOf(error, lease.signal), performance.now() - begunAt);
  } finally {
    lease.letGo();
  }
  ctx.progress.changed(plan, 'running');
  await ctx.mover.moveOn(plan);
}
