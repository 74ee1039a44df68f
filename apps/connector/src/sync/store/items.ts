import { randomUUID } from 'node:crypto';
import type { SourceRef } from '@lectern/connectors';
import { LeaseLost } from '@lectern/resilience';
import { createCounter } from '@lectern/service-kit';
import { defineMachine } from '#common/state-machine';
import type { Context } from '#context';
import type { ItemAction, ItemStage, JobStatus, Prisma, SyncMode } from '#gen/prisma/client';
import type { JobRef } from '#sync/store/jobs';
import { clearThrottle } from '#sync/store/sync-state';

// The life of an item, from top to bottom: stages, queueing, claim, work, release, end.
// new-items.ts creates the rows.

// --- Stages ---

/**
 * The stages of an item. A worker that claims it starts at `planned` again; so does a file that is
 * uploaded again while its job is active. Short stages are not written, so they can be skipped. An
 * item that is cancelled while its document is being written ends with what was written.
 */
export const itemMachine = defineMachine<ItemStage>({
  planned: ['planned', 'collected', 'parsed', 'indexed', 'skipped', 'deleted', 'failed', 'cancelled'],
  collected: ['planned', 'collected', 'parsed', 'indexed', 'skipped', 'deleted', 'failed', 'cancelled'],
  parsed: ['planned', 'parsed', 'indexed', 'skipped', 'deleted', 'failed', 'cancelled'],
  indexed: ['planned'],
  skipped: ['planned'],
  deleted: ['planned'],
  failed: ['planned'],
  cancelled: ['indexed', 'deleted'],
});

/** The stages of an item that has not ended. */
export const OPEN_STAGES: ItemStage[] = ['planned', 'collected', 'parsed'];

/** A worker's lease on an item. A worker whose lease or round has ended cannot move the item. */
export interface ItemLease {
  readonly id: string;
  readonly leaseToken: string;
  readonly round: number;
}

/** Moves an item to a stage. Returns false if the move is not legal or the lease was lost. */
export async function moveItem(
  tx: Prisma.TransactionClient,
  { id, leaseToken, round }: ItemLease,
  to: ItemStage,
  data: Prisma.SyncItemUpdateManyMutationInput = {},
): Promise<boolean> {
  const { count } = await tx.syncItem.updateMany({
    where: { id, leaseToken, round, stage: { in: itemMachine.before(to) } },
    data: { ...data, stage: to },
  });
  return count === 1;
}

// --- Enqueue ---

export interface DueItem {
  readonly id: string;
  /** How many times the item was queued. Part of the message's id. */
  readonly enqueues: number;
  readonly traceParent: string | null;
}

/**
 * Marks items of a job as queued and returns them: items that were never queued, whose retry is due,
 * or whose message was lost. At most `window` items of a job are queued at a time.
 */
export async function takeDueItems(
  ctx: Context,
  { jobId, connectorId }: JobRef,
  window: number,
): Promise<readonly DueItem[]> {
  // A message that no worker has claimed for half a lease counts as lost. If the first message is
  // only waiting for a slot, its process ignores the second one.
  const overdueSeconds = ctx.config.WORK_LEASE_MS / 2_000;
  return ctx.db.$queryRaw<DueItem[]>`
    WITH queued AS (
      SELECT id, coalesce(lease_until < now(), enqueued_at < now() - make_interval(secs => ${overdueSeconds})) AS lost
      FROM sync_items
      WHERE job_id = ${jobId} AND stage IN ('planned', 'collected', 'parsed') AND enqueued_at IS NOT NULL
    ), due AS (
      (SELECT id FROM queued WHERE lost LIMIT ${window})
      UNION ALL
      (SELECT id FROM sync_items
       WHERE job_id = ${jobId} AND stage IN ('planned', 'collected', 'parsed') AND enqueued_at IS NULL
         AND (retry_at IS NULL OR retry_at <= now())
       ORDER BY id LIMIT greatest(0, ${window} - (SELECT count(*) FROM queued)))
    )
    UPDATE sync_items SET enqueued_at = now(), enqueues = enqueues + 1, lease_token = NULL, lease_until = NULL, updated_at = now()
    WHERE id IN (SELECT id FROM sync_items WHERE id IN (SELECT id FROM due) ORDER BY id FOR UPDATE SKIP LOCKED)
      AND (lease_until IS NULL OR lease_until < now())
      AND NOT EXISTS (SELECT FROM sync_states WHERE connector_id = ${connectorId} AND throttled_until > now())
    RETURNING id, enqueues, (SELECT trace_parent FROM sync_jobs WHERE sync_jobs.id = sync_items.job_id) AS "traceParent"`;
}

/** Marks items as not queued, because their messages could not be sent. */
export async function unmarkEnqueuedItems(ctx: Context, ids: string[]): Promise<void> {
  await ctx.db.syncItem.updateMany({ where: { id: { in: ids }, leaseUntil: null }, data: { enqueuedAt: null } });
}

/**
 * Requeues an item whose message will not be processed: the process stops before its turn, or the
 * queue dropped the message because the worker crashed or the database was unavailable at every
 * delivery. The row's attempts decide whether the item fails.
 */
export async function requeueItem(ctx: Context, itemId: string): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE sync_items SET enqueued_at = NULL, updated_at = now()
    WHERE id = ${itemId} AND stage IN ('planned', 'collected', 'parsed') AND (lease_until IS NULL OR lease_until < now())`;
}

// --- Claim ---

/** The file of an item as of the claim. */
interface KnownFile {
  readonly documentId: string | null;
  /** The version whose text is in the index. */
  readonly indexedVersion: string | null;
  /** True while the file is being deleted. */
  readonly isRemoved: boolean;
}

/** An item that this worker has leased, with the data needed to process it. */
export interface ClaimedItem extends ItemLease, JobRef {
  readonly collectionId: string;
  readonly jobStatus: JobStatus;
  readonly mode: SyncMode;
  readonly type: string;
  readonly config: unknown;
  readonly sourceId: string;
  readonly path: string;
  readonly action: ItemAction;
  readonly ref: SourceRef;
  /** Undefined if the item has no file row. */
  readonly file: KnownFile | undefined;
  /** Includes this attempt. */
  readonly attempts: number;
  readonly outages: number;
  /** True if the source recently asked Lectern to wait. */
  readonly throttled: boolean;
}

interface ClaimedRow extends Omit<ClaimedItem, 'file'>, Omit<KnownFile, 'isRemoved'> {
  readonly isRemoved: boolean | null;
}

/**
 * Leases an item; its work starts from the beginning. Returns undefined if it has ended, its job
 * has ended, it or its source is waiting, or another worker has leased it or another job's item for
 * the same file (two workers must not write one document).
 */
export async function claimItem(ctx: Context, id: string): Promise<ClaimedItem | undefined> {
  const leaseToken = randomUUID();
  const [row] = await ctx.db.$queryRaw<ClaimedRow[]>`
    WITH claimed AS (
      UPDATE sync_items AS item
      SET stage = 'planned', collected = false, parsed = false, attempts = attempts + 1, lease_token = ${leaseToken},
          lease_until = now() + make_interval(secs => ${ctx.config.WORK_LEASE_MS / 1_000}), retry_at = NULL, updated_at = now()
      FROM sync_jobs AS job, connectors AS connector, sync_states AS state
      WHERE item.id = ${id} AND job.id = item.job_id AND connector.id = item.connector_id AND state.connector_id = item.connector_id
        AND job.status IN ('queued', 'running') AND item.stage IN ('planned', 'collected', 'parsed')
        AND (item.lease_until IS NULL OR item.lease_until < now())
        AND (item.retry_at IS NULL OR item.retry_at <= now())
        AND (state.throttled_until IS NULL OR state.throttled_until <= now())
        AND NOT EXISTS (
          SELECT FROM sync_items AS other
          WHERE other.connector_id = item.connector_id AND other.source_id = item.source_id AND other.id <> item.id
            AND other.lease_token IS NOT NULL AND other.lease_until > now())
      RETURNING item.id, item.lease_token AS "leaseToken", item.round, item.team_id AS "teamId",
        item.connector_id AS "connectorId", connector.collection_id AS "collectionId", item.job_id AS "jobId",
        job.mode::text AS mode, job.status::text AS "jobStatus", connector.type, connector.config, item.source_id AS "sourceId",
        item.path, item.action::text AS action, item.ref, item.attempts, item.outages, state.throttles > 0 AS throttled
    )
    SELECT claimed.*, files.document_id AS "documentId", files.indexed_version AS "indexedVersion",
      files.removed_at IS NOT NULL AS "isRemoved"
    FROM claimed
    LEFT JOIN files ON files.connector_id = claimed."connectorId" AND files.source_id = claimed."sourceId"`;
  if (row === undefined) return undefined;
  const { documentId, indexedVersion, isRemoved, ...item } = row;
  return { ...item, file: isRemoved === null ? undefined : { documentId, indexedVersion, isRemoved } };
}

/**
 * Delays an item that could not be claimed because its source is throttled or a worker of another
 * job still has the same file. Does nothing if the claim failed for another reason.
 */
export async function postponeItem(ctx: Context, id: string): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE sync_items SET enqueued_at = NULL, retry_at = now() + interval '1 second', updated_at = now()
    WHERE id = ${id} AND stage IN ('planned', 'collected', 'parsed') AND (lease_until IS NULL OR lease_until < now())
      AND (retry_at IS NULL OR retry_at <= now())`;
}

/** Renews an item's lease. Returns false if it was lost. */
export async function renewItem(ctx: Context, { id, leaseToken, round }: ItemLease): Promise<boolean> {
  const renewed = await ctx.db.$executeRaw`
    UPDATE sync_items SET lease_until = now() + make_interval(secs => ${ctx.config.WORK_LEASE_MS / 1_000}), updated_at = now()
    WHERE id = ${id} AND lease_token = ${leaseToken} AND round = ${round}
      AND (stage IN ('planned', 'collected', 'parsed') OR stage = 'cancelled' AND parsed)`;
  return renewed === 1;
}

// --- Work ---

/** The stages that an item has passed. */
export interface Progressed {
  readonly collected: boolean;
  readonly parsed: boolean;
}

/** Shows the item's file as being processed, unless the lease was lost. */
export async function showProcessing(ctx: Context, { id, leaseToken, round }: ItemLease): Promise<void> {
  await ctx.db.$executeRaw`
    WITH leased AS (
      SELECT connector_id, source_id FROM sync_items
      WHERE id = ${id} AND lease_token = ${leaseToken} AND round = ${round} FOR NO KEY UPDATE
    )
    UPDATE files SET status = 'processing' FROM leased
    WHERE files.connector_id = leased.connector_id AND files.source_id = leased.source_id AND files.removed_at IS NULL`;
}

/**
 * Marks that an item's document is about to be written. A cancellation after this leaves the item to
 * its worker, so that what is written is counted. Returns false if the lease was lost.
 */
export async function beginWriting(ctx: Context, { id, leaseToken, round }: ItemLease): Promise<boolean> {
  const updatedCount = await ctx.db.$executeRaw`
    UPDATE sync_items SET stage = 'parsed', collected = true, parsed = true, updated_at = now()
    WHERE id = ${id} AND lease_token = ${leaseToken} AND round = ${round}
      AND stage IN ('planned', 'collected', 'parsed')`;
  return updatedCount === 1;
}

// --- Release ---

/** Releases an item without an outcome, for another attempt after `waitMs`. */
export async function releaseItem(
  ctx: Context,
  { id, leaseToken }: ItemLease,
  { waitMs = 0, counts }: { readonly waitMs?: number; readonly counts: 'attempt' | 'outage' | 'nothing' },
): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE sync_items
    SET lease_token = NULL, lease_until = NULL, enqueued_at = NULL, updated_at = now(),
        retry_at = now() + make_interval(secs => ${waitMs / 1_000}),
        attempts = greatest(0, attempts - ${counts === 'attempt' ? 0 : 1}), outages = outages + ${counts === 'outage' ? 1 : 0}
    WHERE id = ${id} AND lease_token = ${leaseToken}`;
}

// --- End ---

const itemsEnded = createCounter('lectern_sync_items', 'Sync items that ended, by outcome');
const bytesIndexed = createCounter('lectern_sync_bytes', 'Bytes of the files that syncs indexed');

/** How an item ended that did not fail. */
export type Outcome =
  | {
      readonly stage: 'indexed';
      readonly documentId: string;
      readonly version: string;
      readonly checksum: string;
      readonly mimeType: string;
      readonly sizeBytes: number;
    }
  | { readonly stage: 'skipped' }
  | { readonly stage: 'deleted' };

const NO_FILE = { documentId: null, version: null, checksum: null, mimeType: null, sizeBytes: null } as const;

/**
 * Stores an item's outcome and updates its file in one statement. If the job was cancelled in the
 * meantime, the outcome is also added to the job's stored counts. Throws `LeaseLost`.
 */
export async function finishItem(ctx: Context, item: ClaimedItem, outcome: Outcome): Promise<void> {
  const { id, leaseToken, round } = item;
  const { stage } = outcome;
  const isIndexed = stage === 'indexed';
  const file = outcome.stage === 'indexed' ? outcome : NO_FILE;
  // A skipped item keeps the data that its last sync stored, unless its document was deleted.
  const status = isIndexed || stage === 'skipped' ? 'indexed' : null;
  const [row] = await ctx.db.$queryRaw<{ moved: number }[]>`
    WITH leased AS (
      SELECT id, stage AS was FROM sync_items
      WHERE id = ${id} AND lease_token = ${leaseToken} AND round = ${round}
        AND stage = ANY(${itemMachine.before(stage)}::item_stage[])
      FOR NO KEY UPDATE
    ), moved AS (
      UPDATE sync_items SET stage = ${stage}::item_stage, collected = ${isIndexed}, parsed = ${isIndexed}, lease_token = NULL,
        lease_until = NULL, error_code = NULL, error_message = NULL, updated_at = now()
      FROM leased WHERE sync_items.id = leased.id
      RETURNING connector_id, source_id, job_id, was
    ), counted AS (
      UPDATE sync_jobs SET counts = jsonb_set(counts, ARRAY[${stage}::text], to_jsonb(coalesce((counts->>${stage})::int, 0) + 1))
      -- No condition on the counts: the statement may have started before the cancellation wrote them.
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
  if (row?.moved !== 1) throw new LeaseLost('The lease on the item was lost.');
  itemsEnded.add(1, { outcome: stage });
  if (outcome.stage === 'indexed') bytesIndexed.add(outcome.sizeBytes);
  if (item.throttled) await clearThrottle(ctx, item.connectorId);
}

/** Stores that an item failed. `error` is shown to the file's owner. Throws `LeaseLost`. */
export async function failItem(
  ctx: Context,
  item: ClaimedItem,
  error: { readonly code: string; readonly message: string },
  progressed: Progressed = { collected: false, parsed: false },
): Promise<void> {
  const { id, leaseToken, round } = item;
  const { collected, parsed } = progressed;
  const [row] = await ctx.db.$queryRaw<{ moved: number }[]>`
    WITH moved AS (
      UPDATE sync_items SET stage = 'failed', collected = ${collected}, parsed = ${parsed}, lease_token = NULL,
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
  if (row?.moved !== 1) throw new LeaseLost('The lease on the item was lost.');
  itemsEnded.add(1, { outcome: 'failed' });
}
