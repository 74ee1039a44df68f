import type { Context } from '../context.ts';
import { LeaseLost } from '../leases/hold-lease.ts';
import type { HeldItem } from './claim-item.ts';
import type { Outcome } from './index-item.ts';
import { moveItem } from './item-machine.ts';

const RELEASED = { leaseToken: null, leaseUntil: null, errorCode: null, errorMessage: null };

/** Writes an item's outcome, and what it says of the file, at once. Throws `LeaseLost` where the item is not held any more. */
export async function finishItem(ctx: Context, item: HeldItem, outcome: Outcome): Promise<void> {
  const { connectorId, sourceId } = item;
  // A skipped item counts as neither fetched nor read.
  const reached = outcome.stage === 'skipped' ? { collected: false, parsed: false } : {};
  await ctx.db.$transaction(async (tx) => {
    const moved = await moveItem(tx, item, outcome.stage, { ...RELEASED, ...reached });
    if (!moved) throw new LeaseLost('The item is not held any more.');
    const where = { connectorId, sourceId, removedAt: null };
    if (outcome.stage === 'indexed') {
      const { version: indexedVersion, checksum, mimeType, sizeBytes } = outcome;
      await tx.file.updateMany({ where, data: { status: 'indexed', indexedVersion, checksum, mimeType, sizeBytes } });
    }
    // An item that is skipped has what its last sync gave it, or a document that somebody deleted.
    if (outcome.stage === 'skipped') {
      await tx.file.updateMany({ where: { ...where, status: 'processing' }, data: { status: 'indexed' } });
    }
  });
}

/** Ends an item as failed, in words for the person whose file it is. */
export async function failItem(
  ctx: Context,
  item: HeldItem,
  error: { readonly code: string; readonly message: string },
): Promise<void> {
  const { connectorId, sourceId } = item;
  await ctx.db.$transaction(async (tx) => {
    const data = { leaseToken: null, leaseUntil: null, errorCode: error.code, errorMessage: error.message };
    if (!(await moveItem(tx, item, 'failed', data))) throw new LeaseLost('The item is not held any more.');
    if (item.action === 'delete') return;
    await tx.file.updateMany({
      where: { connectorId, sourceId, removedAt: null },
      data: { status: 'failed', indexedVersion: null },
    });
  });
}
