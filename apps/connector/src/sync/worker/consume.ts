import { type Consumption, syncItem, syncPlan } from '@lectern/messaging';
import type { Context } from '#context';
import { requeueItem } from '#sync/store/items';
import { requeuePlan } from '#sync/store/jobs';
import { createFairSlots } from '#sync/worker/fair-slots';
import { planJob } from '#sync/worker/plan-job';
import { processItem } from '#sync/worker/process-item';

/** A plan mostly waits for its source and has one page in memory. */
const PLAN_CONCURRENCY = 8;

/** Consumes the queue of plans. */
export function consumePlans(ctx: Context): Consumption {
  return ctx.messaging.consume(syncPlan, ({ jobId }, { signal }) => planJob(ctx, jobId, signal), {
    concurrency: PLAN_CONCURRENCY,
    onDead: ({ jobId }) => requeuePlan(ctx, jobId),
  });
}

/**
 * Messages taken from the queue per slot: enough for connectors to take turns, and for the parsed
 * items that are being indexed.
 */
const LOOK_AHEAD = 16;

/** Scans of one connector that do not delay its other items. */
const PARKED_PER_CONNECTOR = 8;
/** All scans that do not delay other items, as a share of the messages. Each scan occupies a message. */
const PARKED_SHARE = 0.5;

/** Consumes the queue of items. Connectors take turns. */
export function consumeItems(ctx: Context): Consumption {
  const { SYNC_CONCURRENCY: total, SYNC_CONNECTOR_CONCURRENCY: perConnector } = ctx.config;
  const slots = createFairSlots({
    total,
    perConnector: Math.min(total, perConnector),
    parkedTotal: Math.floor(total * LOOK_AHEAD * PARKED_SHARE),
    parkedPerConnector: PARKED_PER_CONNECTOR,
  });
  // A second message for an item that is waiting or in progress must not take another slot.
  const present = new Set<string>();
  const processInTurn = async (itemId: string, connectorId: string, signal: AbortSignal) => {
    const slot = await slots.acquire(connectorId);
    if (slot === undefined) return requeueItem(ctx, itemId);
    try {
      await processItem(ctx, itemId, slot, signal);
    } finally {
      slot.release();
    }
  };
  const consumption = ctx.messaging.consume(
    syncItem,
    async ({ itemId, connectorId }, { signal }) => {
      if (present.has(itemId)) return;
      present.add(itemId);
      try {
        await processInTurn(itemId, connectorId, signal);
      } finally {
        present.delete(itemId);
      }
    },
    { concurrency: total * LOOK_AHEAD, onDead: ({ itemId }) => requeueItem(ctx, itemId) },
  );
  return {
    stop: (drainMs) => {
      slots.close();
      return consumption.stop(drainMs);
    },
  };
}
