import type { Connector, SourceRef } from '@lectern/connectors';
import { orAborted } from '@lectern/resilience';
import { z } from 'zod';
import { jsonObject, toJson } from '#common/json';
import type { Context } from '#context';
import { type JobCounts, readCounts } from '#sync/store/job-counts';
import { type ClaimedPlan, completePlan, lockPlan, storeCheckpoint } from '#sync/store/jobs';
import { refreshGroups } from '#sync/worker/groups';
import { isUnreadable } from '#sync/worker/list-source';

// --- Principals of items ---

/** Returns the principals of a connector's documents if its source has no permissions. */
function configuredPrincipals(config: unknown): readonly string[] {
  const { principals } = jsonObject(config);
  return Array.isArray(principals) ? principals.map(String) : ['public'];
}

/** Reads the principals of items. An item that the source does not report has none. */
async function readPrincipals(
  ctx: Context,
  source: Connector,
  refs: readonly SourceRef[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>(refs.map((ref) => [ref.id, []]));
  if (source.permissions === undefined || refs.length === 0) return found;
  try {
    const events = source.permissions({ signal }, refs)[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await orAborted(events.next(), signal);
      if (done === true) return found;
      if (found.has(value.id)) found.set(value.id, value.principals);
    }
  } catch (err) {
    if (!isUnreadable(err)) throw err;
    if (refs.length > 1) return readOneByOne(ctx, source, refs, signal);
    ctx.log.warn({ err, item: refs[0]?.id }, 'could not read permissions; the document has no readers');
    return found;
  }
}

/** Limits a failure to the item that causes it. */
async function readOneByOne(
  ctx: Context,
  source: Connector,
  refs: readonly SourceRef[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const ref of refs) {
    for (const [id, principals] of await readPrincipals(ctx, source, [ref], signal)) found.set(id, principals);
  }
  return found;
}

/**
 * Returns the principals of an item's document: those of its source, or else those of the
 * connector's config.
 */
export async function principalsOf(
  ctx: Context,
  source: Connector,
  { config, ref }: { readonly config: unknown; readonly ref: SourceRef },
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (source.permissions === undefined) return configuredPrincipals(config);
  return (await readPrincipals(ctx, source, [ref], signal)).get(ref.id) ?? [];
}

// --- Permission jobs ---

/** Items per transaction. A crash repeats at most this many. */
const BATCH = 100;

const storedRef = z.looseObject({ id: z.string(), path: z.string(), title: z.string() });

interface StoredFile {
  readonly sourceId: string;
  readonly path: string;
  readonly ref: unknown;
  readonly indexedVersion: string | null;
}

/**
 * Returns a file's item as it was last listed, or one with only the id if it never was. Its version is
 * the one in the index, because that is what the readers get to see: the listed one may have failed.
 */
function refOf({ sourceId, path, ref, indexedVersion }: StoredFile): SourceRef {
  const stored = storedRef.safeParse(ref);
  const item = stored.success ? stored.data : { id: sourceId, path, title: path };
  return { ...item, version: indexedVersion ?? undefined };
}

function nextFiles(ctx: Context, connectorId: string, after: string | null): Promise<StoredFile[]> {
  return ctx.db.file.findMany({
    where: { connectorId, removedAt: null, ...(after === null ? {} : { sourceId: { gt: after } }) },
    orderBy: { sourceId: 'asc' },
    take: BATCH,
    select: { sourceId: true, path: true, ref: true, indexedVersion: true },
  });
}

/**
 * Stores the checkpoint and the counts in one transaction, so that both describe the same files.
 */
async function storeProgress(ctx: Context, plan: ClaimedPlan, checkpoint: string, counts: JobCounts): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockPlan(tx, plan);
    await storeCheckpoint(tx, plan, checkpoint);
    await tx.syncJob.update({ where: { id: plan.jobId }, data: { counts: toJson(counts) } });
  });
  ctx.progress.changed(plan, 'running');
}

/**
 * Refreshes the readers of each document of the connector, from the last checkpoint. Reads groups
 * first, because a document must not name a group whose members are unknown.
 */
export async function refreshPermissions(
  ctx: Context,
  plan: ClaimedPlan,
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
    await storeProgress(ctx, plan, after, counts);
  }
  await ctx.db.$transaction(async (tx) => {
    await lockPlan(tx, plan);
    await completePlan(tx, plan, { counts: toJson(counts) });
    await tx.syncState.update({ where: { connectorId }, data: { permissionsAt: new Date() } });
  });
}
