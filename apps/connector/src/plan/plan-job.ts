import { type Connector, SourceError } from '@lectern/connectors';
import { AppError, databaseErrorCode } from '@lectern/service-kit';
import type { Context } from '../context.ts';
import { endJobEarly } from '../jobs/end-job.ts';
import { statusUnauthorised } from '../jobs/end-unauthorised.ts';
import { holdLease, LeaseLost, reasonOf, WorkerStopping } from '../leases/hold-lease.ts';
import { refreshPermissions } from '../permissions/refresh-permissions.ts';
import { calmDown, throttle } from '../schedule/throttle.ts';
import { claimPlan, giveBackPlan, type HeldPlan, renewPlan } from './claim-plan.ts';
import { planSync } from './plan-sync.ts';

const MAX_ATTEMPTS = 8;
const RETRY_MS = [1_000, 5_000, 15_000, 30_000, 60_000];

async function failPlan(ctx: Context, plan: HeldPlan, code: string, message: string): Promise<void> {
  const connector = code === 'auth' ? statusUnauthorised(ctx, plan.type) : 'error';
  await endJobEarly(ctx, plan.jobId, { job: 'failed', error: { code, message }, connector, reason: message });
}

function describe(error: unknown): { code: string; message: string; again: boolean } {
  if (error instanceof SourceError) return { code: error.kind, message: error.message, again: error.retryable };
  if (error instanceof AppError && error.code === 'invalid_request') {
    return { code: error.code, message: error.message, again: false };
  }
  if (error instanceof AppError && error.code === 'timeout') {
    return { code: error.code, message: error.message, again: true };
  }
  return {
    code: 'internal_error',
    message: 'Something went wrong on our side while the source was listed.',
    again: true,
  };
}

async function settle(ctx: Context, plan: HeldPlan, error: unknown): Promise<void> {
  if (error instanceof LeaseLost) return;
  const stopping = error instanceof WorkerStopping;
  if (stopping || databaseErrorCode(error) !== undefined) {
    await giveBackPlan(ctx, plan, { waitMs: 0, counts: false });
    throw error;
  }
  if (error instanceof SourceError && error.kind === 'rate') {
    ctx.log.info({ jobId: plan.jobId, retryAt: error.retryAt }, 'source throttles, the job waits');
    await throttle(ctx, plan, error);
    return giveBackPlan(ctx, plan, { waitMs: 0, counts: false });
  }
  const { code, message, again } = describe(error);
  ctx.log.warn({ err: error, jobId: plan.jobId, attempt: plan.attempts }, 'listing failed');
  if (!again || plan.attempts >= MAX_ATTEMPTS) return failPlan(ctx, plan, code, message);
  const waitMs = RETRY_MS[Math.min(plan.attempts, RETRY_MS.length) - 1] ?? 0;
  await giveBackPlan(ctx, plan, { waitMs, counts: true });
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
  const lease = holdLease(() => renewPlan(ctx, plan), { leaseMs: ctx.config.WORK_LEASE_MS, stop, log: ctx.log });
  try {
    await ctx.sources.use(plan.connectorId, (source) => work(ctx, plan, source, lease.signal));
  } catch (error) {
    return await settle(ctx, plan, reasonOf(error, lease.signal));
  } finally {
    lease.letGo();
  }
  ctx.progress.changed(plan, 'running');
  await ctx.mover.moveOn(plan);
}
