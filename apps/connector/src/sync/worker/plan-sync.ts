import { type Connector, SourceError, type SourceEvent } from '@lectern/connectors';
import { orAborted } from '@lectern/resilience';
import type { Context } from '#context';
import { completeListing, findMissing, type MissingFile, planDeletions } from '#sync/store/deletions';
import { type ClaimedPlan, isFullScan, lockPlan, updatePlan } from '#sync/store/jobs';
import { type ItemEvent, storePage } from '#sync/store/new-items';
import { requestPermissionRefresh } from '#sync/store/sync-state';
import { refreshGroups } from '#sync/worker/groups';
import { chooseListing, listItems, resolveItem, switchToListing } from '#sync/worker/list-source';

/** Items per transaction if the source sets no checkpoint before. */
const PAGE_SIZE = 500;
/**
 * A source that returns nothing for this long hangs. The next attempt continues from the
 * checkpoint.
 */
const SILENCE_MS = 5 * 60_000;

type Complete = Extract<SourceEvent, { type: 'complete' }>;

interface Listing {
  readonly end: Complete;
  /** The last checkpoint. */
  readonly checkpoint: string | null;
}

/**
 * Returns a signal that is aborted with the given one, or if `reset` is not called for too long.
 */
function watchSilence(signal: AbortSignal) {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const onSilence = () =>
    controller.abort(new SourceError('transient', `The source did not respond for ${SILENCE_MS / 60_000} minutes.`));
  const timer = setTimeout(onSilence, SILENCE_MS);
  return {
    signal: controller.signal,
    reset: () => {
      timer.refresh();
    },
    close: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Stores a listing page by page. Throws if the listing is interrupted. */
async function storeListing(ctx: Context, plan: ClaimedPlan, source: Connector, signal: AbortSignal): Promise<Listing> {
  let page: ItemEvent[] = [];
  let checkpoint = plan.checkpoint;
  const silence = watchSilence(signal);
  const flush = async (at?: string) => {
    await storePage(ctx, plan, page, at);
    page = [];
    ctx.progress.changed(plan, 'running');
    ctx.dispatcher.notify(plan);
  };
  try {
    for await (const event of listItems(source, { signal: silence.signal }, plan)) {
      silence.reset();
      if (event.type === 'complete') {
        await storePage(ctx, plan, page, undefined);
        return { end: event, checkpoint };
      }
      if (event.type === 'checkpoint') {
        checkpoint = event.at;
        await flush(event.at);
      } else if (page.push(event) >= PAGE_SIZE) await flush();
    }
  } finally {
    silence.close();
  }
  throw new SourceError('transient', 'The source ended its listing before it was complete.');
}

/** Reads the change feed or the listing. If the feed's cursor has expired, lists everything. */
async function readSource(
  ctx: Context,
  chosen: ClaimedPlan,
  source: Connector,
  signal: AbortSignal,
): Promise<Listing & { readonly plan: ClaimedPlan }> {
  try {
    return { plan: chosen, ...(await storeListing(ctx, chosen, source, signal)) };
  } catch (error) {
    const isExpired = chosen.changesFrom !== null && error instanceof SourceError && error.kind === 'gone';
    if (!isExpired) throw error;
    ctx.log.info({ jobId: chosen.jobId }, 'the cursor of the change feed has expired; listing the source');
    const plan = await switchToListing(ctx, chosen, source, signal);
    return { plan, ...(await storeListing(ctx, plan, source, signal)) };
  }
}

/** Files looked up and stored per transaction. A crash repeats at most this many. */
const CONFIRM_BATCH = 50;

/**
 * Looks up each file that the listing did not contain. Files that still exist become items; only
 * those that the source confirms as gone are deleted. An unreadable file fails and stays.
 */
async function confirmDeletions(
  ctx: Context,
  plan: ClaimedPlan,
  source: Connector,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const batch = await findMissing(ctx.db, plan, CONFIRM_BATCH);
    if (batch.length === 0) return;
    const found: ItemEvent[] = [];
    const gone: MissingFile[] = [];
    for (const missing of batch) {
      const event = await orAborted(resolveItem(source, { signal }, missing.sourceId), signal);
      if (event.type === 'failed') found.push({ ...event, id: missing.sourceId, path: missing.path });
      if (event.type === 'item') found.push(event);
      // An item with a new id: the old one is gone.
      if (event.type === 'gone' || (event.type === 'item' && event.ref.id !== missing.sourceId)) gone.push(missing);
    }
    await ctx.db.$transaction(async (tx) => {
      await lockPlan(tx, plan);
      await planDeletions(tx, plan, gone);
    });
    await storePage(ctx, plan, found, undefined);
  }
}

/** Lists what a sync covers and creates a row for each item. */
export async function planSync(
  ctx: Context,
  claimed: ClaimedPlan,
  source: Connector,
  signal: AbortSignal,
): Promise<void> {
  const chosen = await chooseListing(ctx, claimed, source, signal);
  const { plan, end, checkpoint } = await readSource(ctx, chosen, source, signal);
  const isListing = isFullScan(plan) && plan.changesFrom === null;
  if (plan.changesFrom !== null) await updatePlan(ctx, plan, { nextCursor: checkpoint ?? plan.changesFrom });
  const sweep = isListing && end.authoritative;
  if (sweep && end.confirmGone === true) await confirmDeletions(ctx, plan, source, signal);
  if (isListing) await refreshGroups(ctx, plan, source, signal);
  await completeListing(ctx, plan, { sweep });
  // Permissions can change without the content: scheduled syncs refresh them after each full listing,
  // and others too if it needs no request to the source.
  const refreshes = plan.scheduled || source.permissionsAreCheap === true;
  if (isListing && refreshes && source.permissions !== undefined) {
    await requestPermissionRefresh(ctx.db, plan.connectorId);
  }
}
