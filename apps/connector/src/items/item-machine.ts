import type { ItemStage, Prisma } from '#gen/prisma/client';
import { defineMachine } from '../state/machine.ts';

/**
 * The way of an item through its job. A worker that takes it up begins at `planned` again, whatever an earlier one reached; so does a
 * file that is sent anew while its job is active. Stages that pass quickly are not written, so they may be left out. An item that is cancelled
 * while its document is being written ends as what was written.
 */
export const itemMachine = defineMachine<ItemStage>({
  planned: ['planned', 'collected', 'parsed', 'indexed', 'skipped', 'deleted', 'failed', 'cancelled'],
  collected: ['planned', 'collected', 'parsed', 'indexed', 'skipped', 'deleted', 'failed', 'cancelled'],
  parsed: ['planned', 'parsed', 'indexed', 'skipped', 'deleted', 'failed', 'cancelled'],
  indexed: ['planned'],
  skipped: ['planned'],
  deleted: ['planned'],
  failed: ['planned'],
  cancelled: ['indexed', 'deleted'],
});

/** The stages in which work on an item is left. */
export const OPEN_STAGES: ItemStage[] = ['planned', 'collected', 'parsed'];

/** Which item, and by whose right: a worker whose lease or round is over moves nothing. */
export interface ItemHold {
  readonly id: string;
  readonly leaseToken: string;
  readonly round: number;
}

/** Makes a move if it is legal from the stage that the row is in and the worker still holds the item; false otherwise. */
export async function moveItem(
  tx: Prisma.TransactionClient,
  { id, leaseToken, round }: ItemHold,
  to: ItemStage,
  data: Prisma.SyncItemUpdateManyMutationInput = {},
): Promise<boolean> {
  const { count } = await tx.syncItem.updateMany({
    where: { id, leaseToken, round, stage: { in: itemMachine.before(to) } },
    data: { ...data, stage: to },
  });
  return count === 1;
}
