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
  // A message that comes again while the first waits for its turn, or is worked, must not take up another place in the queue.
  const present = new Set<string>();
  const workInTurn = async (itemId: string, connectorId: string, signal: AbortSignal) => {
    const slot = await slots.acquire(connectorId);
    if (slot === undefined) return requeueItem(ctx, itemId);
    try {
      await workItem(ctx, itemId, signal);
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
        await workInTurn(itemId, connectorId, signal);
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
