import { type Consumption, syncItem } from '@lectern/messaging';
import type { Context } from '../context.ts';
import { createFairSlots } from '../items/fair-slots.ts';
import { requeueItem } from '../items/requeue-item.ts';
import { workItem } from '../items/work-item.ts';

/** Messages taken from the queue for each item at work: what turns are taken among. */
const LOOK_AHEAD = 8;

/** Works the queue of items, connectors taking turns. */
export function consumeItems(ctx: Context): Consumption {
  const { SYNC_CONCURRENCY: total, SYNC_CONNECTOR_CONCURRENCY: each } = ctx.config;
  const slots = createFairSlots({ total, each: Math.min(total, each) });
  const consumption = ctx.messaging.consume(
    syncItem,
    async ({ itemId, connectorId }, { signal }) => {
      const slot = await slots.acquire(connectorId);
      if (slot === undefined) return requeueItem(ctx, itemId);
      try {
        await workItem(ctx, itemId, signal);
      } finally {
        slot.release();
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
