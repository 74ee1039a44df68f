import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { HeldItem } from './claim-item.ts';
import { moveItem } from './item-machine.ts';

/** Items that are done within this time are not seen half done by anybody; their stages are written with their end. */
const AFTER_MS = 500;

/** How far an item has come. */
export interface Reached {
  collected: boolean;
  parsed: boolean;
}

/** Tells whoever watches how far an item has come, once it takes longer than most. Its end writes the same again. */
export interface StageNotes {
  readonly reached: Reached;
  /** The item has come this far. */
  at(stage: keyof Reached): Promise<void>;
  /** Nothing is noted from here on, and what is being noted is written: the item's end must come after it. */
  close(): Promise<void>;
}

/** Shows the item's file as being worked on, unless the item is not held any more: then its file says how it ended. */
async function showFile(ctx: Context, { id, leaseToken, round }: HeldItem): Promise<void> {
  await ctx.db.$executeRaw`
    WITH held AS (
      SELECT connector_id, source_id FROM sync_items
      WHERE id = ${id} AND lease_token = ${leaseToken} AND round = ${round} FOR NO KEY UPDATE
    )
    UPDATE files SET status = 'processing' FROM held
    WHERE files.connector_id = held.connector_id AND files.source_id = held.source_id AND files.removed_at IS NULL`;
}

/** Notes the stages of an item that is worked on. What cannot be noted is no failure: only the end counts. */
export function createStageNotes(ctx: Context, item: HeldItem): StageNotes {
  const reached: Reached = { collected: false, parsed: false };
  const closed = new AbortController();
  let isSlow = false;

  const write = async () => {
    if (reached.collected) await moveItem(ctx.db, item, reached.parsed ? 'parsed' : 'collected', { ...reached });
    ctx.progress.changed(item, 'running');
  };
  const show = async () => {
    try {
      await delay(AFTER_MS, undefined, { signal: closed.signal, ref: false });
      isSlow = true;
      await showFile(ctx, item);
      await write();
    } catch (err) {
      if (!closed.signal.aborted) ctx.log.debug({ err, itemId: item.id }, 'progress could not be noted');
    }
  };
  const shown = show();

  return {
    reached,
    at: async (stage) => {
      reached[stage] = true;
      if (isSlow) await write();
    },
    close: async () => {
      closed.abort();
      await shown;
    },
  };
}
