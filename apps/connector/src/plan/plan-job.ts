import { type Connector, SourceError } from '@lectern/connectors';
import { AppError, databaseErrorCode } from '@lectern/service-kit';
import type { Context } from '../context.ts';
import { feedItems } from '../items/feed-items.ts';
import { endJobEarly, endJobIfDone } from '../jobs/end-job.ts';
import { holdLease, LeaseLost, reasonOf, WorkerStopping } from '../leases/hold-lease.ts';
import { claimPlan, giveBackPlan, type HeldPlan, renewPlan } from './claim-plan.ts';
import { completePlan } from './complete-plan.ts';
import { isFullScan, listItems } from './list-items.ts';
import { type ItemEvent, storePage } from './store-page.ts';

/** Items that are stored at once where the source sets no checkpoint before. */
const PAGE = 500;
const MAX_ATTEMPTS = 8;
const RETRY_MS = [1_000, 5_000, 15_000, 30_000, 60_000];

/** Lists to the end. Throws where the listing broke off: only a `complete` of the source is one. */
async function list(ctx: Context, plan: HeldPlan, source: Connector, signal: AbortSignal): Promise<void> {
  let page: ItemEvent[] = [];
  const store = async (checkpoint?: string) => {
    await storePage(ctx, plan, page, checkpoint);
    page = [];
    ctx.progress.changed(plan, 'running');
    await feedItems(ctx, plan);
  };
  for await (const event of listItems(source, { signal }, plan)) {
    signal.throwIfAborted();
    if (event.type === 'complete') {
      await storePage(ctx, plan, page, undefined);
      return completePlan(ctx, plan, { sweep: isFullScan(plan) && event.authoritative });
    }
    if (event.type === 'checkpoint') await store(event.at);
    else if (page.push(event) >= PAGE) await store();
  }
  throw new SourceError('transient', 'The source ended its listing before it was complete.');
}

async function failPlan(ctx: Context, plan: HeldPlan, code: string, message: string): Promise<void> {
  await endJobEarly(ctx, plan.jobId, { job: 'failed', error: { code, message }, connector: 'error', reason: message });
}

function describe(error: unknown): { code: string; message: string; again: boolean; retryAt?: Date | undefined } {
  if (error instanceof SourceError) {
    return { code: error.kind, message: error.message, again: error.retryable, retryAt: error.retryAt };
  }
  if (error instanceof AppError && error.code === 'invalid_request') {
    return { code: error.code, message: error.message, again: false };
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
    await giveBackPlan(ctx, plan, { waitMs: 0, counts: !stopping });
    throw error;
  }
  const { code, message, again, retryAt } = describe(error);
  ctx.log.warn({ err: error, jobId: plan.jobId, attempt: plan.attempts }, 'listing failed');
  if (!again || plan.attempts >= MAX_ATTEMPTS) return failPlan(ctx, plan, code, message);
  const waitMs = RETRY_MS[Math.min(plan.attempts, RETRY_MS.length) - 1] ?? 0;
  await giveBackPlan(ctx, plan, { waitMs: Math.max(waitMs, (retryAt?.getTime() ?? 0) - Date.now()), counts: true });
}

/** Lists a job's source and makes a row of each item, from where an earlier planner stopped. Idempotent. */
export async function planJob(ctx: Context, jobId: string, stop: AbortSignal): Promise<void> {
  const plan = await claimPlan(ctx, jobId);
  if (plan === undefined) return;
  if (plan.attempts > MAX_ATTEMPTS) {
    return failPlan(ctx, plan, 'worker_lost', `The worker stopped ${MAX_ATTEMPTS} times while it listed the source.`);
  }
  const lease = holdLease(() => renewPlan(ctx, plan), { leaseMs: ctx.config.WORK_LEASE_MS, stop, log: ctx.log });
  try {
    await ctx.sources.use(plan.connectorId, (source) => list(ctx, plan, source, lease.signal));
  } catch (error) {
    return await settle(ctx, plan, reasonOf(error, lease.signal));
  } finally {
    lease.letGo();
  }
  ctx.progress.changed(plan, 'running');
  if (!(await endJobIfDone(ctx, jobId))) await feedItems(ctx, plan);
}
