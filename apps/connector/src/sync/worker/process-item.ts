import { failureReason, holdLease } from '@lectern/resilience';
import { AppError } from '@lectern/service-kit';
import type { Context } from '#context';
import { removeFile } from '#files/remove-file';
import { cancelForDeletedCollection } from '#sync/scheduler/deleted-collections';
import {
  type ClaimedItem,
  claimItem,
  failItem,
  finishItem,
  type Outcome,
  type Progressed,
  postponeItem,
  releaseItem,
  renewItem,
} from '#sync/store/items';
import { endJobEarly, moveJob, unauthorizedStatus } from '#sync/store/jobs';
import { throttle } from '#sync/store/sync-state';
import type { Slot } from '#sync/worker/fair-slots';
import { indexItem, refreshFailed } from '#sync/worker/index-item';
import { classifyItemError, type ItemFailure, MAX_ATTEMPTS, MAX_OUTAGES } from '#sync/worker/item-failure';
import { createStageRecorder, type StageRecorder } from '#sync/worker/stage-recorder';

// --- Work ---

interface Work {
  readonly item: ClaimedItem;
  readonly stages: StageRecorder;
  /** Released when the item no longer needs it, at the latest when it ends. */
  readonly slot: Slot;
  /** Starts the time limit of the item again. */
  readonly extendDeadline: () => void;
  readonly signal: AbortSignal;
}

/** Deletes the document and the file of an item that its source no longer has. */
async function deleteItem(ctx: Context, item: ClaimedItem, signal: AbortSignal): Promise<Outcome> {
  const { connectorId, sourceId } = item;
  const file = await ctx.db.file.findUnique({ where: { connectorId_sourceId: { connectorId, sourceId } } });
  // A file that was uploaded again after the plan was made still exists.
  if (file !== null && file.blobKey !== null && file.removedAt === null) return { stage: 'skipped' };
  if (file !== null) {
    await ctx.db.file.update({ where: { id: file.id }, data: { removedAt: new Date() } });
    await removeFile(ctx, file, { ownLease: item.leaseToken, signal });
  }
  return { stage: 'deleted' };
}

async function attempt(ctx: Context, { item, stages, slot, extendDeadline, signal }: Work): Promise<void> {
  if (item.jobStatus === 'queued' && (await moveJob(ctx.db, item.jobId, 'running'))) {
    ctx.progress.changed(item, 'running');
  }
  if (item.attempts > MAX_ATTEMPTS) {
    const message = `The worker stopped ${MAX_ATTEMPTS} times while it read this file. Check the file and the worker's memory.`;
    return giveUp(ctx, item, { code: 'worker_lost', message }, { signal });
  }
  const outcome =
    item.action === 'delete'
      ? await deleteItem(ctx, item, signal)
      : await indexItem(ctx, { item, stages, slot, extendDeadline, signal });
  await stages.close();
  return finishItem(ctx, item, outcome);
}

// --- Failures ---

/**
 * Returns the id of the document of an item that cannot be indexed; creates the document if there is
 * none. Returns undefined if the item was removed in the meantime: the removal deletes the document.
 */
async function ensureDocument(ctx: Context, item: ClaimedItem, signal: AbortSignal): Promise<string | undefined> {
  const { teamId, connectorId, collectionId, sourceId, ref, type: source } = item;
  // Only with a row: a removal finds the document by the row.
  const where = { connectorId, sourceId, removedAt: null };
  const file = await ctx.db.file.findFirst({ where, select: { documentId: true } });
  if (file === null) return undefined;
  // An upload reserves the documents of its files before it creates their items.
  if (item.mode === 'incremental' && file.documentId !== null) return file.documentId;
  const items = [{ externalId: sourceId, title: ref.title, url: ref.url, metadata: undefined }];
  const [id] = await ctx.index.register(teamId, { connectorId, collectionId, source, items }, signal);
  if (id === undefined) throw new Error('The collection service registered no document.');
  const { count } = await ctx.db.file.updateMany({ where, data: { documentId: id } });
  return count === 0 ? undefined : id;
}

interface FailureOptions {
  readonly signal: AbortSignal;
  readonly progressed?: Progressed;
}

/**
 * Errors while a document is marked as failed that stop the item from ending. Others are only
 * logged.
 */
const BLOCKS_END: ReadonlySet<ItemFailure['kind']> = new Set(['lost', 'stop', 'collection_gone']);

/** Fails an item and its document. */
async function giveUp(
  ctx: Context,
  item: ClaimedItem,
  { code, message }: { readonly code: string; readonly message: string },
  { signal, progressed }: FailureOptions,
): Promise<void> {
  try {
    const id = item.action === 'delete' ? undefined : await ensureDocument(ctx, item, signal);
    if (id !== undefined) {
      // Another round of the item can follow, with the version that was indexed. It must not skip it.
      const { connectorId, sourceId } = item;
      await ctx.db.file.updateMany({ where: { connectorId, sourceId }, data: { indexedVersion: null } });
      await ctx.index.fail(item.teamId, id, { code, message }, signal);
      await refreshFailed(ctx, item, signal);
    }
  } catch (thrown) {
    const error = failureReason(thrown, signal);
    const { kind } = classifyItemError(error, item);
    if (BLOCKS_END.has(kind) || (kind === 'outage' && item.outages < MAX_OUTAGES)) throw error;
    ctx.log.warn({ err: error, itemId: item.id }, 'could not mark a document as failed');
  }
  await failItem(ctx, item, { code, message }, progressed);
}

async function stopForDeletedCollection(ctx: Context, item: ClaimedItem): Promise<void> {
  await cancelForDeletedCollection(ctx, item.teamId, item.collectionId);
  await releaseItem(ctx, item, { counts: 'nothing' });
}

/** Fails the whole job: every other item would fail for the same reason. */
async function stopUnauthorized(ctx: Context, item: ClaimedItem, message: string): Promise<void> {
  const connector = await unauthorizedStatus(ctx, item);
  await endJobEarly(ctx, item.jobId, {
    job: 'failed',
    error: { code: 'auth', message },
    connector,
    reason: message,
  });
  await releaseItem(ctx, item, { counts: 'nothing' });
}

/**
 * Ends or releases an item after an error. Throws the error if the message must be delivered again.
 */
async function handleFailure(ctx: Context, item: ClaimedItem, error: unknown, options: FailureOptions): Promise<void> {
  const failure = classifyItemError(error, item);
  switch (failure.kind) {
    case 'lost':
      return releaseItem(ctx, item, { counts: 'nothing' });
    case 'stop':
      await releaseItem(ctx, item, { counts: 'nothing' });
      throw error;
    case 'throttled': {
      const { retryAt } = failure.error;
      ctx.log.info({ itemId: item.id, connectorId: item.connectorId, retryAt }, 'the source throttles');
      await throttle(ctx, item, failure.error);
      return releaseItem(ctx, item, { counts: 'nothing' });
    }
    case 'unauthorized':
      return stopUnauthorized(ctx, item, failure.message);
    case 'collection_gone':
      return stopForDeletedCollection(ctx, item);
    case 'document_gone':
      return finishItem(ctx, item, { stage: 'skipped' });
    case 'item_gone':
      return finishItem(ctx, item, await deleteItem(ctx, item, options.signal));
    case 'outage':
      if (item.outages >= MAX_OUTAGES) return giveUp(ctx, item, failure, options);
      return releaseItem(ctx, item, { waitMs: failure.waitMs, counts: 'outage' });
    case 'retry':
      ctx.log.warn({ err: error, itemId: item.id, attempt: item.attempts }, 'could not process an item; will retry');
      if (item.attempts >= MAX_ATTEMPTS) return giveUp(ctx, item, failure, options);
      return releaseItem(ctx, item, { waitMs: failure.waitMs, counts: 'attempt' });
    case 'final':
      return giveUp(ctx, item, failure, options);
  }
}

/**
 * Releases an item whose failure handling failed too, for example because a service is unavailable.
 */
async function handleSecondFailure(ctx: Context, item: ClaimedItem, error: unknown): Promise<void> {
  const failure = classifyItemError(error, item);
  switch (failure.kind) {
    case 'collection_gone':
      return stopForDeletedCollection(ctx, item);
    case 'outage':
      return releaseItem(ctx, item, { waitMs: failure.waitMs, counts: 'outage' });
    case 'lost':
      return releaseItem(ctx, item, { counts: 'nothing' });
    case 'stop':
      await releaseItem(ctx, item, { counts: 'nothing' });
      throw error;
    default:
      ctx.log.warn({ err: error, itemId: item.id }, 'could not store a failure; will retry the item');
      return releaseItem(ctx, item, { waitMs: 1_000, counts: 'attempt' });
  }
}

// --- Processing ---

async function work(ctx: Context, { item, slot, extendDeadline, signal }: Omit<Work, 'stages'>): Promise<void> {
  const stages = createStageRecorder(ctx, item);
  try {
    await attempt(ctx, { item, stages, slot, extendDeadline, signal });
  } catch (thrown) {
    const error = failureReason(thrown, signal);
    await stages.close();
    try {
      await handleFailure(ctx, item, error, { signal, progressed: stages.progressed });
    } catch (second) {
      if (second === error) throw second;
      await handleSecondFailure(ctx, item, failureReason(second, signal));
    }
  }
}

/** Returns the error of an item that takes longer than `SYNC_ITEM_TIMEOUT_MS`. */
function timeoutError(timeoutMs: number): AppError {
  const minutes = Math.max(1, Math.round(timeoutMs / 60_000));
  return new AppError(
    'timeout',
    `Processing this item took longer than ${minutes} min and was stopped. Split the file, or raise SYNC_ITEM_TIMEOUT_MS.`,
  );
}

/**
 * Processes an item and notifies the dispatcher. Idempotent: an item that ended or is leased is
 * left alone.
 */
export async function processItem(ctx: Context, itemId: string, slot: Slot, stop: AbortSignal): Promise<void> {
  const item = await claimItem(ctx, itemId);
  if (item === undefined) return postponeItem(ctx, itemId);
  const { WORK_LEASE_MS: leaseMs, SYNC_ITEM_TIMEOUT_MS: timeoutMs } = ctx.config;
  const lease = holdLease(() => renewItem(ctx, item), {
    leaseMs,
    timeoutMs,
    timeoutError: () => timeoutError(timeoutMs),
    stop,
    onRenewError: (err) => ctx.log.warn({ err, itemId }, 'could not renew the lease of an item'),
  });
  try {
    await work(ctx, { item, slot, extendDeadline: lease.extendDeadline, signal: lease.signal });
  } finally {
    lease.stopRenewing();
  }
  ctx.progress.changed(item, 'running');
  ctx.dispatcher.notify(item);
}
