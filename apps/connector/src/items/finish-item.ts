import { createCounter } from '@lectern/service-kit';
import type { Context } from '../context.ts';
import { LeaseLost } from '../leases/hold-lease.ts';
import { calmDown } from '../schedule/throttle.ts';
import type { HeldItem } from './claim-item.ts';
import type { Outcome } from './index-item.ts';
import { itemMachine } from './item-machine.ts';
import type { Reached } from './note-stage.ts';

const ended = createCounter('lectern_sync_items', 'Items of syncs that ended here, by how');
const bytes = createCounter('lectern_sync_bytes', 'Bytes of the files that syncs indexed');

/** What an outcome says of the item's file. */
function fileOf(outcome: Outcome) {
  if (outcome.stage !== 'indexed') {
    return { documentId: null, version: null, checksum: null, mimeType: null, sizeBytes: null };
  }
  const { documentId, version, checksum, mimeType, sizeBytes } = outcome;
  return { documentId, version, checksum, mimeType, sizeBytes };
}

/**
 * Writes an item's outcome, and what it says of the file, in one statement. Where the job was cancelled meanwhile, its counters, which it has kept
 * since, are told too. Throws `LeaseLost` where the item is not held any more.
 */
export async function finishItem(ctx: Context, item: HeldItem, outcome: Outcome): Promise<void> {
  const { id, leaseToken, round } = item;
  const { stage } = outcome;
  const isIndexed = stage === 'indexed';
  const file = fileOf(outcome);
  // An item that is skipped has what its last sync gave it, or a document that somebody deleted.
  const status = isIndexed || stage === 'skipped' ? 'indexed' : null;
  const [row] = await ctx.db.$queryRaw<{ moved: number }[]>`
    WITH held AS (
      SELECT id, stage AS was FROM sync_items
      WHERE id = ${id} AND lease_token = ${leaseToken} AND round = ${round}
        AND stage = ANY(${itemMachine.before(stage)}::item_stage[])
      FOR NO KEY UPDATE
    ), moved AS (
      UPDATE sync_items SET stage = ${stage}::item_stage, collected = ${isIndexed}, parsed = ${isIndexed}, lease_token = NULL,
        lease_until = NULL, error_code = NULL, error_message = NULL, updated_at = now()
      FROM held WHERE sync_items.id = held.id
      RETURNING connector_id, source_id, job_id, was
    ), counted AS (
      UPDATE sync_jobs SET counts = jsonb_set(counts, ARRAY[${stage}::text], to_jsonb(coalesce((counts->>${stage})::int, 0) + 1))
      -- No condition on the counters: the statement may have begun before the cancellation wrote them.
      FROM moved WHERE sync_jobs.id = moved.job_id AND moved.was = 'cancelled'
    ), filed AS (
      UPDATE files SET document_id = coalesce(${file.documentId}, document_id),
        indexed_version = coalesce(${file.version}, indexed_version), checksum = coalesce(${file.checksum}, checksum),
        mime_type = coalesce(${file.mimeType}, mime_type), size_bytes = coalesce(${file.sizeBytes}::bigint, size_bytes),
        status = (CASE WHEN ${isIndexed} OR files.document_id IS NOT NULL THEN ${status} ELSE 'deleted' END)::file_status
      FROM moved
      WHERE ${status}::text IS NOT NULL AND files.connector_id = moved.connector_id AND files.source_id = moved.source_id
        AND files.removed_at IS NULL AND (${isIndexed} OR files.status = 'processing')
    )
    SELECT count(*)::int AS moved FROM moved`;
  if (row?.moved !== 1) throw new LeaseLost('The item is not held any more.');
  ended.add(1, { outcome: stage });
  if (outcome.stage === 'indexed') bytes.add(outcome.sizeBytes);
  if (item.throttled) await calmDown(ctx, item.connectorId);
}

/** Ends an item as failed, in words for the person whose file it is. */
export async function failItem(
  ctx: Context,
  item: HeldItem,
  error: { readonly code: string; readonly message: string },
  reached: Reached = { collected: false, parsed: false },
): Promise<void> {
  const { id, leaseToken, round } = item;
  const [row] = await ctx.db.$queryRaw<{ moved: number }[]>`
    WITH moved AS (
      UPDATE sync_items SET stage = 'failed', collected = ${reached.collected}, parsed = ${reached.parsed}, lease_token = NULL,
        lease_until = NULL, error_code = ${error.code}, error_message = ${error.message}, updated_at = now()
      WHERE id = ${id} AND lease_token = ${leaseToken} AND round = ${round}
        AND stage = ANY(${itemMachine.before('failed')}::item_stage[])
      RETURNING connector_id, source_id, action
    ), filed AS (
      UPDATE files SET status = 'failed', indexed_version = NULL
      FROM moved
      WHERE files.connector_id = moved.connector_id AND files.source_id = moved.source_id AND files.removed_at IS NULL
        AND moved.action = 'index'
    )
    SELECT count(*)::int AS moved FROM moved`;
  if (row?.moved !== 1) throw new LeaseLost('The item is not held any more.');
  ended.add(1, { outcome: 'failed' });
}
