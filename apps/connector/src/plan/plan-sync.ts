import { type Connector, SourceError, type SourceEvent } from '@lectern/connectors';
import type { Context } from '../context.ts';
import { refreshGroups } from '../permissions/refresh-groups.ts';
import { askForPermissionRefresh } from '../schedule/ask-for-permission-refresh.ts';
import { chooseWay, listInstead } from './choose-way.ts';
import type { HeldPlan } from './claim-plan.ts';
import { completePlan } from './complete-plan.ts';
import { confirmVanished } from './confirm-vanished.ts';
import { isFullScan, listItems } from './list-items.ts';
import { lockPlan } from './lock-plan.ts';
import { storePage } from './store-page.ts';
import type { ItemEvent } from './to-item.ts';

/** Items that are stored at once where the source sets no checkpoint before. */
const PAGE = 500;
/** A source that says nothing for so long has hung; listing goes on from the checkpoint. */
const SILENCE_MS = 5 * 60_000;

type Complete = Extract<SourceEvent, { type: 'complete' }>;

/** Stores what a listing tells, page by page. Answers with how it ended and the last checkpoint. Throws where it broke off. */
async function readListing(
  ctx: Context,
  plan: HeldPlan,
  source: Connector,
  signal: AbortSignal,
): Promise<{ readonly end: Complete; readonly checkpoint: string | null }> {
  let page: ItemEvent[] = [];
  let checkpoint = plan.checkpoint;
  const silence = watchSilence(signal);
  const store = async (at?: string) => {
    await storePage(ctx, plan, page, at);
    page = [];
    ctx.progress.changed(plan, 'running');
    ctx.mover.poke(plan);
  };
  try {
    for await (const event of listItems(source, { signal: silence.signal }, plan)) {
      silence.heard();
      if (event.type === 'complete') {
        await storePage(ctx, plan, page, undefined);
        return { end: event, checkpoint };
      }
      if (event.type === 'checkpoint') {
        checkpoint = event.at;
        await store(event.at);
      } else if (page.push(event) >= PAGE) await store();
    }
  } finally {
    silence.close();
  }
  throw new SourceError('transient', 'The source ended its listing before it was complete.');
}

/** A signal that is aborted with the given one, or after a long silence. */
function watchSilence(signal: AbortSignal) {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const hung = () =>
    controller.abort(new SourceError('transient', `The source did not answer for ${SILENCE_MS / 60_000} minutes.`));
  const timer = setTimeout(hung, SILENCE_MS);
  return {
    signal: controller.signal,
    heard: () => {
      timer.refresh();
    },
    close: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Reads the change feed, or where the source has forgotten the place in it, the whole. */
async function readSource(ctx: Context, chosen: HeldPlan, source: Connector, signal: AbortSignal) {
  try {
    return { plan: chosen, ...(await readListing(ctx, chosen, source, signal)) };
  } catch (error) {
    const isForgotten = chosen.changesFrom !== null && error instanceof SourceError && error.kind === 'gone';
    if (!isForgotten) throw error;
    ctx.log.info({ jobId: chosen.jobId }, 'the change feed does not reach back, the source is listed');
    const plan = await listInstead(ctx, chosen, source, signal);
    return { plan, ...(await readListing(ctx, plan, source, signal)) };
  }
}

/** Lists what a sync is over and makes a row of each item. */
export async function planSync(ctx: Context, given: HeldPlan, source: Connector, signal: AbortSignal): Promise<void> {
  const chosen = await chooseWay(ctx, given, source, signal);
  const { plan, end, checkpoint } = await readSource(ctx, chosen, source, signal);
  const isListing = isFullScan(plan) && plan.changesFrom === null;
  if (plan.changesFrom !== null) {
    const nextCursor = checkpoint ?? plan.changesFrom;
    await ctx.db.$transaction(async (tx) => {
      await lockPlan(tx, plan);
      await tx.syncJob.update({ where: { id: plan.jobId }, data: { nextCursor } });
    });
  }
  const sweep = isListing && end.authoritative;
  if (sweep && end.confirmGone === true) await confirmVanished(ctx, plan, source, signal);
  if (isListing) await refreshGroups(ctx, plan, source, signal);
  await completePlan(ctx, plan, { sweep });
  // Permissions change where content does not: what the schedule keeps up to date is read anew with each whole listing.
  if (isListing && plan.scheduled && source.permissions !== undefined) {
    await askForPermissionRefresh(ctx.db, plan.connectorId);
  }
}
