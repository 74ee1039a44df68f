import type { SourceEvent, SourceRef } from '@lectern/connectors';
import { newId } from '@lectern/service-kit';
import type { Prisma, SyncMode } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import { toJson } from '../jobs/json-ref.ts';
import { lockJob } from '../jobs/lock-job.ts';
import { LeaseLost } from '../leases/hold-lease.ts';
import type { HeldPlan } from './claim-plan.ts';
import { isFullScan } from './list-items.ts';

/** What a listing says of single items. */
export type ItemEvent = Extract<SourceEvent, { type: 'item' | 'gone' | 'failed' }>;

/** Versions by the items' ids; null where nothing of the item is in the index. */
type Known = ReadonlyMap<string, string | null>;

const idOf = (event: ItemEvent): string => (event.type === 'item' ? event.ref.id : event.id);

/** The idempotency check holds in auto mode alone: the others were asked to do it again. */
const checksRevision = (mode: SyncMode): boolean => mode === 'auto';

const goneRef = (id: string): SourceRef => ({ id, path: id, title: id });

const NOT_FOUND = {
  stage: 'failed',
  errorCode: 'not_found',
  errorMessage: 'The source has nothing under this name. Check the path in file_filter.',
} as const;

/** True for a name in a filter that neither the source nor Lectern knows: a slip rather than a deletion. */
const isSlip = (plan: HeldPlan, event: ItemEvent, known: Known): boolean =>
  event.type === 'gone' && !isFullScan(plan) && !known.has(event.id);

function toRow(plan: HeldPlan, event: ItemEvent, known: Known): Prisma.SyncItemCreateManyInput {
  const { teamId, connectorId, jobId } = plan;
  const row = { id: newId('item'), teamId, connectorId, jobId, sourceId: idOf(event) };
  if (isSlip(plan, event, known)) return { ...row, path: idOf(event), ref: toJson(goneRef(idOf(event))), ...NOT_FOUND };
  if (event.type === 'gone') return { ...row, path: event.id, action: 'delete', ref: toJson(goneRef(event.id)) };
  if (event.type === 'failed') {
    const { code: errorCode, message: errorMessage } = event.error;
    return { ...row, path: event.path, ref: toJson(goneRef(event.id)), stage: 'failed', errorCode, errorMessage };
  }
  const { ref } = event;
  const unchanged = ref.version !== undefined && known.get(ref.id) === ref.version;
  const stage = checksRevision(plan.mode) && unchanged ? 'skipped' : 'planned';
  return { ...row, path: ref.path, ref: toJson(ref), stage };
}

/** Those of the items that Lectern knows, with the version that is in the index. */
async function knownItems(tx: Prisma.TransactionClient, connectorId: string, ids: string[]): Promise<Known> {
  const files = await tx.file.findMany({
    where: { connectorId, sourceId: { in: ids } },
    select: { sourceId: true, indexedVersion: true, removedAt: true },
  });
  return new Map(files.map((file) => [file.sourceId, file.removedAt === null ? file.indexedVersion : null]));
}

/** What a listing says of items that Lectern does not store itself; of those it does, the upload has said it. */
async function rememberItems(tx: Prisma.TransactionClient, plan: HeldPlan, refs: readonly SourceRef[]): Promise<void> {
  if (refs.length === 0) return;
  const rows = refs.map(({ id, path, sizeBytes, mimeType }) => ({
    id: newId('file'),
    source_id: id,
    path,
    size_bytes: sizeBytes ?? 0,
    mime_type: mimeType ?? 'application/octet-stream',
  }));
  await tx.$executeRaw`
    INSERT INTO files (id, team_id, connector_id, source_id, path, size_bytes, mime_type)
    SELECT listed.id, ${plan.teamId}, ${plan.connectorId}, listed.source_id, listed.path, listed.size_bytes, listed.mime_type
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS listed (id text, source_id text, path text, size_bytes bigint, mime_type text)
    ORDER BY listed.source_id
    ON CONFLICT (connector_id, source_id) DO UPDATE
    SET path = excluded.path, size_bytes = excluded.size_bytes, mime_type = excluded.mime_type, removed_at = NULL
    WHERE files.blob_key IS NULL AND files.removed_at IS NULL`;
}

/** Throws `LeaseLost` unless the plan is still this worker's; from here to the end of the transaction it is. */
export async function lockPlan(tx: Prisma.TransactionClient, plan: HeldPlan): Promise<void> {
  const job = await lockJob(tx, plan.jobId);
  if (job === null || job.planLeaseToken !== plan.leaseToken || job.status !== 'running') {
    throw new LeaseLost('The plan is not held any more.');
  }
}

/**
 * Makes rows of a page's items, and only then, in the same transaction, keeps the checkpoint that stands behind them. Items that have a
 * row keep it, so a page may come any number of times.
 */
export async function storePage(
  ctx: Context,
  plan: HeldPlan,
  events: readonly ItemEvent[],
  checkpoint: string | undefined,
): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockPlan(tx, plan);
    if (events.length > 0) {
      const known = await knownItems(tx, plan.connectorId, events.map(idOf));
      await tx.syncItem.createMany({ data: events.map((event) => toRow(plan, event, known)), skipDuplicates: true });
      await rememberItems(
        tx,
        plan,
        events.flatMap((event) => (event.type === 'item' ? [event.ref] : [])),
      );
    }
    if (checkpoint !== undefined) await tx.syncJob.update({ where: { id: plan.jobId }, data: { checkpoint } });
  });
}
