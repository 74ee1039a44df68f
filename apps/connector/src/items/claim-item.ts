import { randomUUID } from 'node:crypto';
import type { SourceRef } from '@lectern/connectors';
import type { ItemAction, JobStatus, SyncMode } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import type { ItemHold } from './item-machine.ts';

/** What Lectern knows of the thing that an item is about. */
export interface KnownFile {
  readonly documentId: string | null;
  /** The version whose text is in the index. */
  readonly indexedVersion: string | null;
  /** A deletion of it is under way. */
  readonly isRemoved: boolean;
}

/** An item that a worker holds, with what its work needs to know. */
export interface HeldItem extends ItemHold {
  readonly teamId: string;
  readonly connectorId: string;
  readonly collectionId: string;
  readonly jobId: string;
  readonly jobStatus: JobStatus;
  readonly mode: SyncMode;
  readonly type: string;
  readonly config: unknown;
  readonly sourceId: string;
  readonly path: string;
  readonly action: ItemAction;
  readonly ref: SourceRef;
  /** Undefined where nothing is known. */
  readonly file: KnownFile | undefined;
  /** This one included. */
  readonly attempts: number;
  readonly outages: number;
  /** True where the source asked for waits lately. */
  readonly throttled: boolean;
}

interface ClaimedRow extends Omit<HeldItem, 'file'>, Omit<KnownFile, 'isRemoved'> {
  readonly isRemoved: boolean | null;
}

/**
 * Takes an item for a worker, from its beginning. Undefined where there is nothing to do: it is finished, its job has ended, it or its
 * source waits, or somebody holds it or another job's item for the same thing (two workers must not write one document).
 */
export async function claimItem(ctx: Context, id: string): Promise<HeldItem | undefined> {
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
 * Sends an item back for a moment that could not be claimed: its source is to be left alone, or a worker of another job, cancelled perhaps,
 * still has its hand on the same thing. Changes nothing where the claim failed for another reason.
 */
export async function postponeItem(ctx: Context, id: string): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE sync_items SET enqueued_at = NULL, retry_at = now() + interval '1 second', updated_at = now()
    WHERE id = ${id} AND stage IN ('planned', 'collected', 'parsed') AND (lease_until IS NULL OR lease_until < now())
      AND (retry_at IS NULL OR retry_at <= now())`;
}

/**
 * Says that an item's document is about to be written. From here on a cancellation leaves the item to its worker, so that what is written is
 * counted; before it, the worker stops. False where the hold is over.
 */
export async function beginWriting(ctx: Context, { id, leaseToken, round }: ItemHold): Promise<boolean> {
  const begun = await ctx.db.$executeRaw`
    UPDATE sync_items SET stage = 'parsed', collected = true, parsed = true, updated_at = now()
    WHERE id = ${id} AND lease_token = ${leaseToken} AND round = ${round}
      AND stage IN ('planned', 'collected', 'parsed')`;
  return begun === 1;
}

/** Prolongs a hold; false where it is over. */
export async function renewItem(ctx: Context, { id, leaseToken, round }: ItemHold): Promise<boolean> {
  const renewed = await ctx.db.$executeRaw`
    UPDATE sync_items SET lease_until = now() + make_interval(secs => ${ctx.config.WORK_LEASE_MS / 1_000}), updated_at = now()
    WHERE id = ${id} AND lease_token = ${leaseToken} AND round = ${round}
      AND (stage IN ('planned', 'collected', 'parsed') OR stage = 'cancelled' AND parsed)`;
  return renewed === 1;
}

/** Gives an item back without an outcome, to be taken up again after `waitMs`, or at once. */
export async function giveBackItem(
  ctx: Context,
  { id, leaseToken }: ItemHold,
  { waitMs = 0, counts }: { readonly waitMs?: number; readonly counts: 'attempt' | 'outage' | 'nothing' },
): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE sync_items
    SET lease_token = NULL, lease_until = NULL, enqueued_at = NULL, updated_at = now(),
        retry_at = now() + make_interval(secs => ${waitMs / 1_000}),
        attempts = greatest(0, attempts - ${counts === 'attempt' ? 0 : 1}), outages = outages + ${counts === 'outage' ? 1 : 0}
    WHERE id = ${id} AND lease_token = ${leaseToken}`;
}
