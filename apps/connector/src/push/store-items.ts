import { refOfItem } from '@lectern/connectors';
import { discardBlobs } from '#files/blobs';
import { storeListedFiles } from '#files/files';
import type { Connector, Prisma } from '#gen/prisma/client';
import { type StoredState, storeStates } from '#push/item-rows';
import { addSentItems, type SentChange } from '#sync/store/new-items';

/** Returns what the sync job has to do about an item. */
function jobChange(id: string, before: StoredState | undefined, after: StoredState): SentChange | undefined {
  const { content, principals } = after;
  if (content === undefined) {
    const was = before?.content?.value;
    return was === undefined ? undefined : { ref: refOfItem({ id, ...was }), action: 'delete' };
  }
  const isSame =
    content.revision === before?.content?.revision && principals?.revision === before?.principals?.revision;
  return isSame ? undefined : { ref: refOfItem({ id, ...content.value }), action: 'index' };
}

/** Discards the contents that no item refers to any longer. */
async function discardReplaced(
  tx: Prisma.TransactionClient,
  before: ReadonlyMap<string, StoredState>,
  after: ReadonlyMap<string, StoredState>,
): Promise<void> {
  const keyOf = (state: StoredState | undefined) => state?.content?.value.blobKey ?? null;
  const replaced = [...after].flatMap(([id, state]) => {
    const blobKey = keyOf(before.get(id));
    return blobKey === null || blobKey === keyOf(state) ? [] : [{ blobKey }];
  });
  await discardBlobs(tx, replaced);
}

/**
 * Stores new states of items, and the job's items that bring them into the index. The caller has
 * locked the connector. Returns the job's id.
 */
export async function storeItems(
  tx: Prisma.TransactionClient,
  connector: Pick<Connector, 'id' | 'teamId'>,
  before: ReadonlyMap<string, StoredState>,
  after: ReadonlyMap<string, StoredState>,
): Promise<string | undefined> {
  await discardReplaced(tx, before, after);
  await storeStates(tx, connector.id, after);
  const changes = [...after].flatMap(([id, state]) => jobChange(id, before.get(id), state) ?? []);
  if (changes.length === 0) return undefined;
  const jobId = await addSentItems(tx, connector, changes, 'auto');
  const refs = changes.filter(({ action }) => action === 'index').map(({ ref }) => ref);
  await storeListedFiles(tx, { teamId: connector.teamId, connectorId: connector.id }, refs);
  return jobId;
}
