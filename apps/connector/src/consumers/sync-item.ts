import { type Consumption, syncItem } from '@lectern/messaging';
import type { Context } from '../context.ts';
import { failDeadItem } from '../items/fail-dead-item.ts';
import { workItem } from '../items/work-item.ts';

/** Works the queue of items. */
export function consumeItems(ctx: Context): Consumption {
  return ctx.messaging.consume(syncItem, ({ itemId }, { signal }) => workItem(ctx, itemId, signal), {
    concurrency: ctx.config.SYNC_CONCURRENCY,
    onDead: ({ itemId }) => failDeadItem(ctx, itemId),
  });
}
