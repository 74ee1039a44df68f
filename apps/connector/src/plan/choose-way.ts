import { type Connector, SourceError } from '@lectern/connectors';
import type { Context } from '../context.ts';
import { orAborted } from '../leases/hold-lease.ts';
import type { HeldPlan } from './claim-plan.ts';
import { isFullScan } from './list-items.ts';
import { lockPlan } from './lock-plan.ts';

/** A feed may miss things; so often everything is looked at all the same. */
const FULL_SCAN_EVERY_MS = 24 * 3_600_000;

type Way = Pick<HeldPlan, 'changesFrom' | 'nextCursor' | 'checkpoint'>;

async function keep(ctx: Context, plan: HeldPlan, way: Way): Promise<HeldPlan> {
  await ctx.db.$transaction(async (tx) => {
    await lockPlan(tx, plan);
    await tx.syncJob.update({ where: { id: plan.jobId }, data: way });
  });
  return { ...plan, ...way };
}

/** Where the feed stands before the listing begins; nothing where it cannot be told, which costs the next job a whole listing. */
async function cursorNow(ctx: Context, source: Connector, signal: AbortSignal): Promise<string | null> {
  if (source.cursor === undefined || source.changes === undefined) return null;
  try {
    return await orAborted(source.cursor({ signal }), signal);
  } catch (err) {
    if (!(err instanceof SourceError) || err.retryable || err.kind === 'auth') throw err;
    ctx.log.warn({ err }, 'the change feed cannot be read');
    return null;
  }
}

/** The plan of a job whose source has forgotten the place in its feed: only a whole listing helps. */
export async function listInstead(
  ctx: Context,
  plan: HeldPlan,
  source: Connector,
  signal: AbortSignal,
): Promise<HeldPlan> {
  const nextCursor = await cursorNow(ctx, source, signal);
  return keep(ctx, plan, { changesFrom: null, checkpoint: null, nextCursor });
}

/**
 * Decides how a job over the whole source looks at it, once. The schedule's read the change feed between whole listings; whoever starts a
 * job by hand gets a listing.
 */
export async function chooseWay(
  ctx: Context,
  plan: HeldPlan,
  source: Connector,
  signal: AbortSignal,
): Promise<HeldPlan> {
  const isChosen = plan.checkpoint !== null || plan.nextCursor !== null || plan.changesFrom !== null;
  if (!isFullScan(plan) || isChosen) return plan;
  if (plan.scheduled && plan.mode === 'auto' && source.changes !== undefined) {
    const state = await ctx.db.syncState.findUnique({ where: { connectorId: plan.connectorId } });
    const since = Date.now() - FULL_SCAN_EVERY_MS;
    const isFresh = state?.fullScanAt != null && state.fullScanAt.getTime() > since;
    if (isFresh && state.changeCursor !== null) {
      return keep(ctx, plan, { changesFrom: state.changeCursor, nextCursor: null, checkpoint: null });
    }
  }
  const nextCursor = await cursorNow(ctx, source, signal);
  return nextCursor === null ? plan : keep(ctx, plan, { changesFrom: null, checkpoint: null, nextCursor });
}
