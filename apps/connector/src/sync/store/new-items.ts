import type { SourceEvent, SourceRef } from '@lectern/connectors';
import { newId } from '@lectern/service-kit';
import type { Context } from '#context';
import { storeListedFiles } from '#files/files';
import {
  type Connector,
  type ItemAction,
  type ItemStage,
  Prisma,
  type SyncJob,
  type SyncMode,
} from '#gen/prisma/client';
import {
  ACTIVE_JOB,
  type ClaimedPlan,
  createPlannedJob,
  extendJob,
  isActive,
  isFullScan,
  type JobRef,
  lockJob,
  lockPlan,
  storeCheckpoint,
} from '#sync/store/jobs';
import { requestPermissionRefresh } from '#sync/store/sync-state';

// Creates the items of a job: from the pages of a listing, an upload, or a push.

/** An event of a listing that is about one item. */
export type ItemEvent = Extract<SourceEvent, { type: 'item' | 'gone' | 'failed' }>;

const idOf = (event: ItemEvent): string => (event.type === 'item' ? event.ref.id : event.id);

/** Indexed versions by item id; null if the item is not in the index. */
type KnownVersions = ReadonlyMap<string, string | null>;

interface NewItem {
  readonly id: string;
  readonly source_id: string;
  readonly path: string;
  readonly action: ItemAction;
  readonly ref: SourceRef;
  readonly stage: ItemStage;
  readonly error_code: string | null;
  readonly error_message: string | null;
}

const NO_ERROR = { error_code: null, error_message: null } as const;

const NOT_FOUND = {
  stage: 'failed',
  error_code: 'not_found',
  error_message: 'The source has no item with this name. Check the path in file_filter.',
} as const;

const refOfId = (id: string): SourceRef => ({ id, path: id, title: id });

/**
 * Converts an event to an item. Returns undefined for the deletion of an item that was never
 * indexed.
 */
function toItem(plan: ClaimedPlan, event: ItemEvent, known: KnownVersions): NewItem | undefined {
  const sourceId = idOf(event);
  const item = { id: newId('item'), source_id: sourceId, ...NO_ERROR, action: 'index' } as const;
  if (event.type === 'failed') {
    const { code: error_code, message: error_message } = event.error;
    return { ...item, path: event.path, ref: refOfId(sourceId), stage: 'failed', error_code, error_message };
  }
  if (event.type === 'gone') {
    const gone = { path: sourceId, ref: refOfId(sourceId) };
    if (known.has(sourceId)) return { ...item, ...gone, action: 'delete', stage: 'planned' };
    // A name in a filter that neither the source nor Lectern knows is a typo.
    return isFullScan(plan) ? undefined : { ...item, ...gone, ...NOT_FOUND };
  }
  const { ref } = event;
  // Only auto mode skips unchanged items. The other modes are explicit requests to index again.
  const isUnchanged = plan.mode === 'auto' && ref.version !== undefined && known.get(ref.id) === ref.version;
  return { ...item, path: ref.path, ref, stage: isUnchanged ? 'skipped' : 'planned' };
}

async function findKnown(tx: Prisma.TransactionClient, connectorId: string, ids: string[]): Promise<KnownVersions> {
  const files = await tx.file.findMany({
    where: { connectorId, sourceId: { in: ids } },
    select: { sourceId: true, indexedVersion: true, removedAt: true },
  });
  return new Map(files.map((file) => [file.sourceId, file.removedAt === null ? file.indexedVersion : null]));
}

/** Locks the items of a job that already exist. */
function lockItems(tx: Prisma.TransactionClient, jobId: string, sourceIds: string[]) {
  return tx.$queryRaw<{ readonly id: string; readonly sourceId: string }[]>`
    SELECT id, source_id AS "sourceId" FROM sync_items WHERE job_id = ${jobId} AND source_id = ANY(${sourceIds})
    ORDER BY id FOR NO KEY UPDATE`;
}

/**
 * The item starts a new round, so that a worker that still has the old content cannot finish it:
 * the last event of a change feed wins, and so does the last upload or push.
 */
const LAST_WINS = Prisma.sql`UPDATE
  SET path = excluded.path, action = excluded.action, ref = excluded.ref, stage = excluded.stage, round = sync_items.round + 1,
    collected = false, parsed = false, attempts = 0, outages = 0, enqueued_at = NULL, retry_at = NULL,
    error_code = excluded.error_code, error_message = excluded.error_message, updated_at = now()`;

/** What happens to an item that the job already has. */
type Existing = 'keep' | 'replace';

async function insertItems(
  tx: Prisma.TransactionClient,
  { teamId, connectorId, jobId }: JobRef,
  items: readonly NewItem[],
  existing: Existing,
): Promise<void> {
  if (existing === 'replace')
    await lockItems(
      tx,
      jobId,
      items.map((item) => item.source_id),
    );
  await tx.$executeRaw`
    INSERT INTO sync_items (id, team_id, connector_id, job_id, source_id, path, action, ref, stage, error_code, error_message)
    SELECT item.id, ${teamId}, ${connectorId}, ${jobId}, item.source_id, item.path, item.action::item_action, item.ref,
      item.stage::item_stage, item.error_code, item.error_message
    FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS item (id text, source_id text, path text, action text, ref jsonb,
      stage text, error_code text, error_message text)
    ORDER BY item.id
    ON CONFLICT (job_id, source_id) DO ${existing === 'replace' ? LAST_WINS : Prisma.sql`NOTHING`}`;
}

/**
 * Creates the items of a page and stores the checkpoint after it, in one transaction. Items of a
 * listing that already have a row keep it, so a page can be stored any number of times.
 */
export async function storePage(
  ctx: Context,
  plan: ClaimedPlan,
  events: readonly ItemEvent[],
  checkpoint: string | undefined,
): Promise<void> {
  // If a page contains an item twice, the later event wins.
  const latest = [...new Map(events.map((event) => [idOf(event), event])).values()];
  const refs = latest.flatMap((event) => (event.type === 'item' ? [event.ref] : []));
  await ctx.db.$transaction(async (tx) => {
    await lockPlan(tx, plan);
    if (latest.length > 0) {
      const known = await findKnown(tx, plan.connectorId, latest.map(idOf));
      const items = latest.flatMap((event) => toItem(plan, event, known) ?? []);
      // A change feed can report an item again.
      await insertItems(tx, plan, items, plan.changesFrom === null ? 'keep' : 'replace');
      await storeListedFiles(tx, plan, refs);
    }
    if (checkpoint !== undefined) await storeCheckpoint(tx, plan, checkpoint);
  });
}

/** Locks the connector's active job, so that it cannot end before the new items are in. */
export async function lockActiveJob(tx: Prisma.TransactionClient, connectorId: string): Promise<SyncJob | undefined> {
  const found = await tx.syncJob.findFirst({
    where: { connectorId, status: { in: ACTIVE_JOB } },
    select: { id: true },
  });
  const job = found === null ? null : await lockJob(tx, found.id);
  return job !== null && isActive(job.status) ? job : undefined;
}

/** A change to an item that a person or a team sent to Lectern. */
export interface SentChange {
  readonly ref: SourceRef;
  readonly action: ItemAction;
}

const toSentItem = ({ ref, action }: SentChange): NewItem => ({
  ...{ id: newId('item'), source_id: ref.id, path: ref.path, ref, action },
  ...{ stage: 'planned', ...NO_ERROR },
});

/**
 * Adds changes to the connector's active job, or to a new job. An item that the job already has
 * starts again. The caller has locked the connector. Returns the job's id.
 */
export async function addSentItems(
  tx: Prisma.TransactionClient,
  connector: Pick<Connector, 'id' | 'teamId'>,
  changes: readonly SentChange[],
  mode: SyncMode,
): Promise<string> {
  const { id: connectorId, teamId } = connector;
  const active = await lockActiveJob(tx, connectorId);
  const jobId = active?.id ?? (await createPlannedJob(tx, newId('job'), connector, { mode }));
  if (active !== undefined) await extendJob(tx, active.id);
  // The refresh may have read the readers of these items before they changed, and store them later.
  if (active?.kind === 'permissions') await requestPermissionRefresh(tx, connectorId);
  await insertItems(tx, { teamId, connectorId, jobId }, changes.map(toSentItem), 'replace');
  return jobId;
}

/** Adds uploaded files to the connector's active job, or to a new job (`addSentItems`). */
export function addUploadedItems(
  tx: Prisma.TransactionClient,
  connector: Connector,
  refs: readonly SourceRef[],
): Promise<string> {
  const changes = refs.map((ref) => ({ ref, action: 'index' }) as const);
  return addSentItems(tx, connector, changes, 'incremental');
}
