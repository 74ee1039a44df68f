import { lockConnector } from '#connectors/connector';
import type { Context } from '#context';
import type { Connector } from '#gen/prisma/client';
import { readStates, type StoredState } from '#push/item-rows';
import { applyChange, revisionOf } from '#push/item-state';
import { storeItems } from '#push/store-items';

/** A deletion without a revision deletes what is stored: any newer put restores the item. */
const deletedNow = (state: StoredState): StoredState => ({ deleted: revisionOf(state) });

/**
 * Deletes an item. Returns undefined if it does not exist; `deleted` is false if a newer revision is
 * stored.
 */
export function deleteItem(
  ctx: Context,
  connector: Pick<Connector, 'id' | 'teamId'>,
  { id, revision }: { readonly id: string; readonly revision?: number | undefined },
): Promise<{ readonly deleted: boolean; readonly jobId: string | undefined } | undefined> {
  return ctx.db.$transaction(async (tx) => {
    await lockConnector(tx, connector.id);
    const before = await readStates(tx, connector.id, [id]);
    const stored = before.get(id);
    if (stored?.content === undefined) return undefined;
    const state =
      revision === undefined ? deletedNow(stored) : applyChange(stored, { action: 'delete', revision }).state;
    const jobId = await storeItems(tx, connector, before, new Map([[id, state]]));
    return { deleted: state.content === undefined, jobId };
  });
}
