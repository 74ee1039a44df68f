import { randomUUID } from 'node:crypto';
import type { SourceRef } from '@lectern/connectors';
import { LeaseLost } from '@lectern/resilience';
import { type Batched, createBatcher, createCounter } from '@lectern/service-kit';
import { defineMachine } from '#common/state-machine';
import type { Context } from '#context';
import {
  type ItemAction,
  type ItemStage,
  type JobStatus,
  Prisma,
  type PrismaClient,
  type SyncMode,
} from '#gen/prisma/client';
import type { JobRef } from '#sync/store/jobs';
import { clearThrottle } from '#sync/store/sync-state';

// The life of an item, from top to bottom: stages, queueing, claim, work, release, end.
// new-items.ts creates the rows. Statements that lock several items or files lock them in the same
// order, which prevents deadlocks: items by id, files by connector and source id.

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
 * or whose message was lost. At most `window` items of a job are queued at a time, not counting
 * those that are being parsed: a scan takes minutes.
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
      SELECT id, stage, coalesce(lease_until < now(), enqueued_at < now() - make_interval(secs => ${overdueSeconds})) AS lost
      FROM sync_items
      WHERE job_id = ${jobId} AND stage IN ('planned', 'collected', 'parsed') AND enqueued_at IS NOT NULL
    ), due AS (
      (SELECT id FROM queued WHERE lost LIMIT ${window})
      UNION ALL
      (SELECT id FROM sync_items
       WHERE job_id = ${jobId} AND stage IN ('planned', 'collected', 'parsed') AND enqueued_at IS NULL
         AND (retry_at IS NULL OR retry_at <= now())
       ORDER BY id LIMIT greatest(0, ${window} - (SELECT count(*) FROM queued WHERE stage <> 'collected' OR lost)))
    )
    UPDATE sync_items SET enqueued_at = now(), enqueues = enqueues + 1, lease_token = NULL, lease_until = NULL, updated_at = now()
    WHERE id IN (SELECT id FROM sync_items WHERE id IN (SELECT id FROM due) ORDER BY id FOR UPDATE SKIP LOCKED)
      AND (lease_until IS NULL OR lease_until < now())
      AND NOT EXISTS (SELECT FROM sync_states WHERE connector_id = ${connectorId} AND throttled_until > now())
    RETURNING id, enqueues, (SELECT trace_parent FROM sync_jobs WHERE sync_jobs.id = sync_items.job_id) AS "traceParent"`;
}

/** Marks items as not queued, because their messages could not be sent. */
export async function unmarkEnqueuedItems(ctx: Context, ids: string[]): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE sync_items SET enqueued_at = NULL, updated_at = now()
    WHERE id IN (SELECT id FROM sync_items WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE) AND lease_until IS NULL`;
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

async function claimItems(
  db: Pick<PrismaClient, '$queryRaw'>,
  ids: readonly string[],
  leaseMs: number,
): Promise<(ClaimedItem | undefined)[]> {
  const rows = await db.$queryRaw<ClaimedRow[]>`
    WITH wanted AS (
      SELECT item.id, wanted.lease_token FROM sync_items AS item
      JOIN unnest(${[...ids]}::text[], ${ids.map(() => randomUUID())}::text[]) AS wanted (id, lease_token) ON wanted.id = item.id
      ORDER BY item.id FOR NO KEY UPDATE OF item SKIP LOCKED
    ), claimed AS (
      UPDATE sync_items AS item
      SET stage = 'planned', collected = false, parsed = false, attempts = attempts + 1, lease_token = wanted.lease_token,
          lease_until = now() + make_interval(secs => ${leaseMs / 1_000}), retry_at = NULL, updated_at = now()
      FROM wanted, sync_jobs AS job, connectors AS connector, sync_states AS state
      WHERE item.id = wanted.id AND job.id = item.job_id AND connector.id = item.connector_id
        AND state.connector_id = item.connector_id
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
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    if (row === undefined) return undefined;
    const { documentId, indexedVersion, isRemoved, ...item } = row;
    return { ...item, file: isRemoved === null ? undefined : { documentId, indexedVersion, isRemoved } };
  });
}

/**
 * Leases an item; its work starts from the beginning. Returns undefined if it has ended, its job
 * has ended, it or its source is waiting, its row is locked, or another worker has leased it or
 * another job's item for the same file (two workers must not write one document).
 */
export const claimItem = (ctx: Context, id: string): Promise<ClaimedItem | undefined> => ctx.itemWrites.claim(id);

/**
 * Delays an item that could not be claimed because its source is throttled, its row is locked, or a
 * worker of another job still has the same file. Does nothing if the claim failed for another reason.
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
 * What a statement does about rows that other transactions have locked, which can take seconds. A
 * batch skips them, so that its other items do not wait.
 */
type LockedRows = 'skip' | 'wait';

const ifLocked = (locked: LockedRows): Prisma.Sql => (locked === 'skip' ? Prisma.sql`SKIP LOCKED` : Prisma.empty);

/** The file of an item of which a version is indexed. */
const INDEXED_FILE = Prisma.sql`files.connector_id = leased.connector_id AND files.source_id = leased.source_id
  AND files.indexed_version IS NOT NULL`;

/** Returns for each item whether it was still leased and, with `skip`, not locked. */
async function beginWritings(
  db: Pick<PrismaClient, '$queryRaw'>,
  leases: readonly ItemLease[],
  locked: LockedRows,
): Promise<boolean[]> {
  const leased = leases.map(({ id, leaseToken, round }) => ({ id, lease_token: leaseToken, round }));
  const rows = await db.$queryRaw<{ readonly id: string }[]>`
    WITH leased AS (
      SELECT item.id, item.connector_id, item.source_id FROM sync_items AS item
      JOIN jsonb_to_recordset(${JSON.stringify(leased)}::jsonb) AS lease (id text, lease_token text, round int)
        ON lease.id = item.id AND lease.lease_token = item.lease_token AND lease.round = item.round
      WHERE item.stage IN ('planned', 'collected', 'parsed')
      ORDER BY item.id FOR NO KEY UPDATE OF item ${ifLocked(locked)}
    ), changing AS (
      SELECT files.id AS file_id, leased.id AS item_id FROM files JOIN leased ON ${INDEXED_FILE}
      ORDER BY files.connector_id, files.source_id FOR NO KEY UPDATE OF files ${ifLocked(locked)}
    ), ready AS MATERIALIZED (
      -- Not an item whose file was locked and skipped.
      SELECT leased.id FROM leased
      WHERE ${locked === 'wait'} OR leased.id IN (SELECT item_id FROM changing)
        OR NOT EXISTS (SELECT FROM files WHERE ${INDEXED_FILE})
    ), filed AS (
      UPDATE files SET indexed_version = NULL FROM changing JOIN ready ON ready.id = changing.item_id
      WHERE files.id = changing.file_id
    )
    UPDATE sync_items AS item SET stage = 'parsed', collected = true, parsed = true, updated_at = now()
    FROM ready WHERE item.id = ready.id
    RETURNING item.id`;
  const updated = new Set(rows.map(({ id }) => id));
  return leases.map(({ id }) => updated.has(id));
}

/**
 * Marks that an item's document is about to be written. A cancellation after this leaves the item to
 * its worker, so that what is written is counted. Until the end, no version counts as indexed: the
 * worker could be replaced after it has written, by a round with the earlier version. Returns false
 * if the lease was lost.
 */
export const beginWriting = (ctx: Context, lease: ItemLease): Promise<boolean> => ctx.itemWrites.begin(lease);

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

/** An item and how it ended. */
interface EndedItem extends ItemLease {
  readonly outcome: Outcome;
}

/** Selects the row of a leased item's file if the end of the item changes it. */
const CHANGED_FILE = Prisma.sql`files.connector_id = leased.connector_id AND files.source_id = leased.source_id
  AND files.removed_at IS NULL AND (leased.is_indexed OR leased.becomes = 'skipped' AND files.status = 'processing')`;

/** Returns for each item whether it was still leased and, with `skip`, neither it nor its file was locked. */
async function finishItems(
  db: Pick<PrismaClient, '$queryRaw'>,
  items: readonly EndedItem[],
  locked: LockedRows,
): Promise<boolean[]> {
  const ended = items.map(({ id, leaseToken, round, outcome }) => {
    const { stage } = outcome;
    const file = stage === 'indexed' ? outcome : NO_FILE;
    return {
      ...{ id, lease_token: leaseToken, round, becomes: stage, legal: itemMachine.before(stage) },
      ...{ document_id: file.documentId, version: file.version, checksum: file.checksum },
      ...{ mime_type: file.mimeType, size_bytes: file.sizeBytes },
    };
  });
  const rows = await db.$queryRaw<{ readonly id: string }[]>`
    WITH leased AS (
      SELECT item.id, item.connector_id, item.source_id, item.job_id, item.stage AS was, ended.becomes,
        ended.becomes = 'indexed' AS is_indexed, ended.document_id, ended.version, ended.checksum, ended.mime_type,
        ended.size_bytes
      FROM sync_items AS item
      JOIN jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) AS ended (id text, lease_token text, round int, becomes text,
        legal text[], document_id text, version text, checksum text, mime_type text, size_bytes bigint)
        ON ended.id = item.id AND ended.lease_token = item.lease_token AND ended.round = item.round
      WHERE item.stage::text = ANY(ended.legal)
      ORDER BY item.id FOR NO KEY UPDATE OF item ${ifLocked(locked)}
    ), changing AS (
      -- A skipped item keeps the data that its last sync stored, unless its document was deleted.
      SELECT files.id AS file_id, leased.id AS item_id FROM files JOIN leased ON ${CHANGED_FILE}
      ORDER BY files.connector_id, files.source_id FOR NO KEY UPDATE OF files ${ifLocked(locked)}
    ), ready AS MATERIALIZED (
      -- Not an item whose file was locked and skipped.
      SELECT leased.* FROM leased
      WHERE ${locked === 'wait'} OR leased.id IN (SELECT item_id FROM changing)
        OR NOT EXISTS (SELECT FROM files WHERE ${CHANGED_FILE})
    ), moved AS (
      UPDATE sync_items AS item SET stage = ready.becomes::item_stage, collected = is_indexed, parsed = is_indexed,
        lease_token = NULL, lease_until = NULL, error_code = NULL, error_message = NULL, updated_at = now()
      FROM ready WHERE item.id = ready.id
      RETURNING ready.*
    ), counted AS (
      -- No condition on the counts: the statement may have started before the cancellation wrote them.
      UPDATE sync_jobs SET counts = counts || jsonb_build_object(
        'indexed', coalesce((counts->>'indexed')::int, 0) + late.indexed,
        'deleted', coalesce((counts->>'deleted')::int, 0) + late.deleted)
      FROM (
        SELECT job_id, count(*) FILTER (WHERE becomes = 'indexed') AS indexed, count(*) FILTER (WHERE becomes = 'deleted') AS deleted
        FROM moved WHERE was = 'cancelled' GROUP BY job_id
      ) AS late WHERE sync_jobs.id = late.job_id
    ), filed AS (
      UPDATE files SET document_id = coalesce(moved.document_id, files.document_id),
        indexed_version = coalesce(version, indexed_version), checksum = coalesce(moved.checksum, files.checksum),
        mime_type = coalesce(moved.mime_type, files.mime_type), size_bytes = coalesce(moved.size_bytes, files.size_bytes),
        status = (CASE WHEN is_indexed OR files.document_id IS NOT NULL THEN 'indexed' ELSE 'deleted' END)::file_status
      FROM changing JOIN moved ON moved.id = changing.item_id
      WHERE files.id = changing.file_id
    )
    SELECT id FROM moved`;
  const moved = new Set(rows.map(({ id }) => id));
  return items.map(({ id }) => moved.has(id));
}

/**
 * Stores an item's outcome and updates its file in one statement. If the job was cancelled in the
 * meantime, the outcome is also added to the job's stored counts. Throws `LeaseLost`.
 */
export async function finishItem(ctx: Context, item: ClaimedItem, outcome: Outcome): Promise<void> {
  const { id, leaseToken, round } = item;
  if (!(await ctx.itemWrites.finish({ id, leaseToken, round, outcome }))) {
    throw new LeaseLost('The lease on the item was lost.');
  }
  itemsEnded.add(1, { outcome: outcome.stage });
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

// --- Batches ---

/** Items per statement. */
const MAX_ROWS = 200;

/** The writes of every item. Those of items that are processed at the same time share a statement. */
export interface ItemWrites {
  readonly claim: Batched<string, ClaimedItem | undefined>;
  readonly begin: Batched<ItemLease, boolean>;
  readonly finish: Batched<EndedItem, boolean>;
}

/**
 * Runs a write in a batch. One that was not done, for example because a row was locked, runs again
 * in a batch that waits; so only one connection waits, however many rows are locked.
 */
function batchedUnlessLocked<T>(
  write: (items: readonly T[], locked: LockedRows) => Promise<boolean[]>,
): Batched<T, boolean> {
  const skipping = createBatcher<T, boolean>({ maxWeight: MAX_ROWS, work: (items) => write(items, 'skip') });
  const waiting = createBatcher<T, boolean>({ maxWeight: MAX_ROWS, work: (items) => write(items, 'wait') });
  return async (item) => (await skipping(item)) || waiting(item);
}

export function createItemWrites(db: Pick<PrismaClient, '$queryRaw'>, leaseMs: number): ItemWrites {
  return {
    claim: createBatcher({ maxWeight: MAX_ROWS, work: (ids) => claimItems(db, ids, leaseMs) }),
    begin: batchedUnlessLocked((leases, locked) => beginWritings(db, leases, locked)),
    finish: batchedUnlessLocked((items, locked) => finishItems(db, items, locked)),
  };
}
