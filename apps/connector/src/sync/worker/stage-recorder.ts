import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '#context';
import { type ClaimedItem, moveItem, type Progressed, showProcessing } from '#sync/store/items';

/**
 * Stages of items that take less time are not written: their end follows soon. Longer than most
 * items of a large job take, because these two writes would not share a statement with others.
 */
const AFTER_MS = 1_500;

/**
 * Stores the stages of an item while it is processed, if that takes long. The item's end stores
 * them again.
 */
export interface StageRecorder {
  readonly progressed: Progressed;
  /** Records that the item has passed a stage. */
  record(stage: keyof Progressed): Promise<void>;
  /** Stops recording and waits for pending writes. The item's end must be written after this. */
  close(): Promise<void>;
}

/** Creates a recorder. A failed write is ignored. */
export function createStageRecorder(ctx: Context, item: ClaimedItem): StageRecorder {
  const progressed = { collected: false, parsed: false };
  const closed = new AbortController();
  let isSlow = false;

  const write = async () => {
    if (progressed.collected) {
      await moveItem(ctx.db, item, progressed.parsed ? 'parsed' : 'collected', { ...progressed });
    }
    ctx.progress.changed(item, 'running');
  };
  const startWhenSlow = async () => {
    try {
      await delay(AFTER_MS, undefined, { signal: closed.signal, ref: false });
      isSlow = true;
      await showProcessing(ctx, item);
      await write();
    } catch (err) {
      if (!closed.signal.aborted) ctx.log.debug({ err, itemId: item.id }, 'could not record progress');
    }
  };
  const started = startWhenSlow();

  return {
    progressed,
    record: async (stage) => {
      progressed[stage] = true;
      if (isSlow) await write();
    },
    close: async () => {
      closed.abort();
      await started;
    },
  };
}
