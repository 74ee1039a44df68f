import { type Connector, type ConnectorCall, SourceError, type SourceEvent } from '@lectern/connectors';
import { orAborted } from '@lectern/resilience';
import { z } from 'zod';
import type { Context } from '#context';
import { type ClaimedPlan, isFullScan, updatePlan } from '#sync/store/jobs';
import type { ItemEvent } from '#sync/store/new-items';
import { isStorableCheckpoint, storable } from '#sync/store/storable';

// --- Unreadable entries ---

/** Error kinds that are permanent. All others may succeed later. */
const UNREADABLE: ReadonlySet<string> = new Set(['forbidden', 'gone', 'invalid', 'too_large']);

/**
 * Returns true if the source reported that it cannot provide this entry, or returned it in an
 * unexpected form. A retry cannot help, and the rest of the job continues.
 */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof SourceError) return UNREADABLE.has(error.kind);
  return [TypeError, RangeError, SyntaxError, z.core.$ZodError].some((kind) => error instanceof kind);
}

const unreadableError = (error: unknown): { readonly code: string; readonly message: string } =>
  error instanceof SourceError
    ? { code: error.kind, message: error.message }
    : {
        code: 'invalid',
        message:
          'The source returned data in an unexpected format. If this happens again, report it to the Lectern maintainers.',
      };

/**
 * Looks up one item. An item that the source rejects becomes a failed item and does not affect
 * others.
 */
export async function resolveItem(source: Connector, call: ConnectorCall, id: string): Promise<ItemEvent> {
  try {
    const ref = await source.resolve(call, id);
    return storable<ItemEvent>(ref === null ? { type: 'gone', id: source.idOf?.(id) ?? id } : { type: 'item', ref });
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return storable<ItemEvent>({ type: 'failed', id, path: id, error: unreadableError(error) });
  }
}

// --- Listing or change feed ---

/** A change feed can miss changes, so a full listing runs this often. */
const FULL_SCAN_EVERY_MS = 24 * 3_600_000;

type ListingMode = Pick<ClaimedPlan, 'changesFrom' | 'nextCursor' | 'checkpoint'>;

async function storeMode(ctx: Context, plan: ClaimedPlan, mode: ListingMode): Promise<ClaimedPlan> {
  await updatePlan(ctx, plan, mode);
  return { ...plan, ...mode };
}

/**
 * Reads the change feed's cursor before a listing. Returns null if that fails; then the next job
 * lists everything again.
 */
async function readCursor(ctx: Context, source: Connector, signal: AbortSignal): Promise<string | null> {
  if (source.cursor === undefined || source.changes === undefined) return null;
  try {
    return await orAborted(source.cursor({ signal }), signal);
  } catch (err) {
    if (!(err instanceof SourceError) || err.retryable || err.kind === 'auth') throw err;
    ctx.log.warn({ err }, 'could not read the change feed');
    return null;
  }
}

/**
 * Decides once per job whether to read the change feed or list the whole source. Scheduled jobs read
 * the feed between full listings; jobs that a person starts always list.
 */
export async function chooseListing(
  ctx: Context,
  plan: ClaimedPlan,
  source: Connector,
  signal: AbortSignal,
): Promise<ClaimedPlan> {
  const isChosen = plan.checkpoint !== null || plan.nextCursor !== null || plan.changesFrom !== null;
  if (!isFullScan(plan) || isChosen) return plan;
  if (plan.scheduled && plan.mode === 'auto' && source.changes !== undefined) {
    const state = await ctx.db.syncState.findUnique({ where: { connectorId: plan.connectorId } });
    const since = Date.now() - FULL_SCAN_EVERY_MS;
    const isFresh = state?.fullScanAt != null && state.fullScanAt.getTime() > since;
    if (isFresh && state.changeCursor !== null) {
      return storeMode(ctx, plan, { changesFrom: state.changeCursor, nextCursor: null, checkpoint: null });
    }
  }
  const nextCursor = await readCursor(ctx, source, signal);
  return nextCursor === null ? plan : storeMode(ctx, plan, { changesFrom: null, checkpoint: null, nextCursor });
}

/** Switches a plan from the change feed, whose cursor has expired, to a full listing. */
export async function switchToListing(
  ctx: Context,
  plan: ClaimedPlan,
  source: Connector,
  signal: AbortSignal,
): Promise<ClaimedPlan> {
  const nextCursor = await readCursor(ctx, source, signal);
  return storeMode(ctx, plan, { changesFrom: null, checkpoint: null, nextCursor });
}

// --- Events ---

/** Looks up the items of the filter one by one. The checkpoint is their number. */
async function* listFiltered(
  source: Connector,
  call: ConnectorCall,
  plan: ClaimedPlan,
): AsyncGenerator<SourceEvent, void, void> {
  const start = plan.checkpoint === null ? 0 : Number(plan.checkpoint);
  for (const [at, id] of [...plan.fileFilter.entries()].slice(start)) {
    yield await resolveItem(source, call, id);
    if ((at + 1) % 100 === 0) yield { type: 'checkpoint', at: String(at + 1) };
  }
  yield { type: 'complete', authoritative: false };
}

function eventsOf(source: Connector, call: ConnectorCall, plan: ClaimedPlan): AsyncGenerator<SourceEvent, void, void> {
  if (!isFullScan(plan)) return listFiltered(source, call, plan);
  const from = plan.checkpoint ?? undefined;
  if (plan.changesFrom === null || source.changes === undefined) return source.list(call, from);
  return source.changes(call, from ?? plan.changesFrom);
}

/**
 * Lists the items of a job: all items, the changed ones, or those of its filter. Ends when the
 * signal is aborted.
 */
export async function* listItems(
  source: Connector,
  call: ConnectorCall,
  plan: ClaimedPlan,
): AsyncGenerator<SourceEvent, void, void> {
  const events = eventsOf(source, call, plan);
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await orAborted(events.next(), call.signal);
      isDone = done === true;
      if (done === true) return;
      if (value.type !== 'checkpoint' || isStorableCheckpoint(value.at)) yield storable(value);
    }
  } finally {
    // Not awaited: a source that ignores the signal would block the worker.
    if (!isDone) void events.return().catch(() => undefined);
  }
}
