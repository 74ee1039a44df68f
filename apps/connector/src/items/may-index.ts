import type { Connector } from '@lectern/connectors';
import type { Context } from '../context.ts';
import { rememberItems } from '../files/remember-items.ts';
import { orAborted } from '../leases/hold-lease.ts';
import type { HeldItem } from './claim-item.ts';

/** What was known of an item is being removed; the item itself is there. A moment later it can be begun with anew. */
export class RemovalUnderWay extends Error {
  override readonly name = 'RemovalUnderWay';
}

/**
 * Makes sure that a file's row stands behind an item before its document is made: it is by the row that a removal finds the document. False
 * where the item was removed after it was planned; asks the source where the rows do not say. Throws `RemovalUnderWay`.
 */
export async function mayIndex(ctx: Context, source: Connector, item: HeldItem, signal: AbortSignal): Promise<boolean> {
  if (item.file !== undefined && !item.file.isRemoved) return true;
  const ref = await orAborted(source.resolve({ signal }, item.sourceId), signal);
  if (ref === null) return false;
  if (item.file !== undefined) throw new RemovalUnderWay('What was known of the item is being removed.');
  await rememberItems(ctx.db, item, [ref]);
  return true;
}
