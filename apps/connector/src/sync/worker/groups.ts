import type { Connector, SourceGroup } from '@lectern/connectors';
import { orAborted } from '@lectern/resilience';
import { newSeed } from '@lectern/service-kit';
import type { Context } from '#context';
import type { ClaimedPlan } from '#sync/store/jobs';
import { isUnreadable } from '#sync/worker/list-source';

/** Members per request to the collection service. */
const MAX_MEMBERS = 5_000;
const CANCEL_TIMEOUT_MS = 10_000;

/**
 * Creates a new generation for each attempt: a group that this attempt does not find is gone, even
 * if an earlier one found it.
 */
const newGeneration = (jobId: string): string => `${jobId}:${newSeed()}`;

/**
 * Opens an import of a connector's groups. It has no effect until it is complete, but the
 * collection service now knows that the groups are out of date. If no import succeeds for long
 * enough, the groups lose all members.
 */
export async function openGroupImport(
  ctx: Context,
  { teamId, connectorId, jobId }: Pick<ClaimedPlan, 'teamId' | 'connectorId' | 'jobId'>,
  signal: AbortSignal,
  generation: string = newGeneration(jobId),
): Promise<void> {
  const request = { connectorId, generation, groups: [], complete: false, part: 0, cancelled: false };
  await ctx.index.replaceGroups(teamId, request, signal);
}

/** Reports the import of a cancelled job as cancelled: it does not count as failed. */
async function cancelGroupImport(ctx: Context, plan: ClaimedPlan, generation: string): Promise<void> {
  const { teamId, connectorId, jobId } = plan;
  try {
    const job = await ctx.db.syncJob.findUnique({ where: { id: jobId }, select: { status: true } });
    if (job?.status !== 'cancelled') return;
    const request = { connectorId, generation, groups: [], complete: false, part: 1, cancelled: true };
    // The signal of the work is already aborted.
    await ctx.index.replaceGroups(teamId, request, AbortSignal.timeout(CANCEL_TIMEOUT_MS));
  } catch (err) {
    ctx.log.warn({ err, connectorId }, 'could not cancel the group import');
  }
}

/**
 * Sends the source's groups to the collection service in parts. The last part makes them effective.
 */
async function readGroups(
  ctx: Context,
  { teamId, connectorId }: ClaimedPlan,
  { generation, groups }: { readonly generation: string; readonly groups: AsyncIterator<SourceGroup> },
  signal: AbortSignal,
): Promise<void> {
  let part = 0;
  let pending: SourceGroup[] = [];
  let members = 0;
  const send = async (complete: boolean) => {
    part += 1;
    const sent = pending.map((group) => ({ principal: group.principal, members: [...group.members] }));
    const request = { connectorId, generation, groups: sent, complete, part, cancelled: false };
    await ctx.index.replaceGroups(teamId, request, signal);
    pending = [];
    members = 0;
  };
  for (;;) {
    const { done, value } = await orAborted(groups.next(), signal);
    if (done === true) break;
    pending.push(value);
    members += value.members.length + 1;
    if (members >= MAX_MEMBERS) await send(false);
  }
  await send(true);
}

/**
 * Reads the source's groups. If the source does not allow that, they lose all members. If it does
 * not answer, they stay as they are for as long as the collection service allows.
 */
export async function refreshGroups(
  ctx: Context,
  plan: ClaimedPlan,
  source: Connector,
  signal: AbortSignal,
): Promise<void> {
  if (source.groups === undefined) return;
  const { teamId, connectorId } = plan;
  const generation = newGeneration(plan.jobId);
  try {
    await openGroupImport(ctx, plan, signal, generation);
    const groups = source.groups({ signal })[Symbol.asyncIterator]();
    await readGroups(ctx, plan, { generation, groups }, signal);
  } catch (err) {
    if (!isUnreadable(err)) {
      await cancelGroupImport(ctx, plan, generation);
      throw err;
    }
    ctx.log.warn({ err, connectorId }, 'cannot read groups, removed all members');
    await ctx.index.dropGroups(teamId, { connectorId, deleted: false }, signal);
  }
}

// --- Groups of deleted connectors ---

/** The maximum page size of the collection service. */
const PAGE_SIZE = 500;
/** Each call handles one page of connectors; the next call continues after it. */
const cursors = new WeakMap<Context, string>();

/**
 * Removes the groups of deleted connectors: those kept by an earlier version, and those whose
 * removal failed. This is safe because a connector's row exists before its groups are read, and ids
 * are never reused.
 */
export async function dropOrphanedGroups(ctx: Context, signal: AbortSignal): Promise<void> {
  const stored = await ctx.index.groupConnectors(cursors.get(ctx) ?? '', signal);
  const ids = stored.map(({ connectorId }) => connectorId);
  const rows = await ctx.db.connector.findMany({
    where: { id: { in: ids }, status: { not: 'deleting' } },
    select: { id: true },
  });
  const known = new Set(rows.map(({ id }) => id));
  for (const { connectorId, teamId } of stored) {
    if (!known.has(connectorId)) await ctx.index.dropGroups(teamId, { connectorId, deleted: true }, signal);
  }
  cursors.set(ctx, stored.length < PAGE_SIZE ? '' : (ids.at(-1) ?? ''));
}
