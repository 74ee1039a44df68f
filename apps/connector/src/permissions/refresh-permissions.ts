import type { Connector, SourceRef } from '@lectern/connectors';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { jsonObject } from '../files/json-object.ts';
import { type JobCounts, readCounts } from '../jobs/job-counts.ts';
import { toJson } from '../jobs/json-ref.ts';
import { type HeldPlan, keepCheckpoint } from '../plan/claim-plan.ts';
import { lockPlan } from '../plan/lock-plan.ts';
import { configuredPrincipals, readPrincipals } from './principals-of.ts';
import { refreshGroups } from './refresh-groups.ts';

/** Items whose permissions are read and stored in one step; what a crash repeats. */
const BATCH = 100;

const storedRef = z.looseObject({ id: z.string(), path: z.string(), title: z.string() });

interface ListedFile {
  readonly sourceId: string;
  readonly path: string;
  readonly ref: unknown;
}

/** An item as it was listed last; of one that never was, its id. */
function refOf({ sourceId, path, ref }: ListedFile): SourceRef {
  const stored = storedRef.safeParse(ref);
  return stored.success ? stored.data : { id: sourceId, path, title: path };
}

function nextFiles(ctx: Context, connectorId: string, after: string | null): Promise<ListedFile[]> {
  return ctx.db.file.findMany({
    where: { connectorId, removedAt: null, ...(after === null ? {} : { sourceId: { gt: after } }) },
    orderBy: { sourceId: 'asc' },
    take: BATCH,
    select: { sourceId: true, path: true, ref: true },
  });
}

/** Keeps how far the job has come, with its counters: both are true of the same files. */
async function keep(ctx: Context, plan: HeldPlan, checkpoint: string, counts: JobCounts): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockPlan(tx, plan);
    await keepCheckpoint(tx, plan, checkpoint);
    await tx.syncJob.update({ where: { id: plan.jobId }, data: { counts: toJson(counts) } });
  });
  ctx.progress.changed(plan, 'running');
}

/**
 * Looks up anew who may read each of the connector's documents, from where an earlier worker stopped. The groups come first: a document must
 * not name one that nobody is known to be in.
 */
export async function refreshPermissions(
  ctx: Context,
  plan: HeldPlan,
  source: Connector,
  signal: AbortSignal,
): Promise<void> {
  const { teamId, connectorId, jobId } = plan;
  const isRead = source.permissions !== undefined;
  const configured = configuredPrincipals(plan.config);
  const job = await ctx.db.syncJob.findUniqueOrThrow({ where: { id: jobId }, select: { counts: true } });
  let counts = readCounts(jsonObject(job.counts));
  let after = plan.checkpoint;
  if (after === null) await refreshGroups(ctx, plan, source, signal);
  for (;;) {
    const files = await nextFiles(ctx, connectorId, after);
    const last = files.at(-1);
    if (last === undefined) break;
    const found = isRead ? await readPrincipals(ctx, source, files.map(refOf), signal) : undefined;
    const items = files.map(({ sourceId: externalId }) => ({
      externalId,
      principals: [...(found === undefined ? configured : (found.get(externalId) ?? []))],
    }));
    await ctx.index.setPermissions(teamId, { connectorId, items }, signal);
    const collected = counts.collected + (isRead ? files.length : 0);
    counts = { ...counts, total: counts.total + files.length, collected };
    after = last.sourceId;
    await keep(ctx, plan, after, counts);
  }
  await ctx.db.$transaction(async (tx) => {
    await lockPlan(tx, plan);
    await tx.syncJob.update({
      where: { id: jobId },
      data: { plannedAt: new Date(), counts: toJson(counts), planLeaseToken: null, planLeaseUntil: null },
    });
    await tx.syncState.update({ where: { connectorId }, data: { permissionsAt: new Date() } });
  });
}
