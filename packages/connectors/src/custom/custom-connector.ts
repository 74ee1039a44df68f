import { BlobNotFoundError } from '#blobs/blob-store';
import type { Connector } from '#connector';
import type { StoredItem } from '#custom/item-catalog';
import type { ConnectorHost } from '#host';
import type { SourceEvent, SourceRef } from '#source';
import { SourceError } from '#source-error';

const PAGE = 200;

/** Converts a pushed item to an item of a listing. */
export function refOfItem(item: Omit<StoredItem, 'blobKey' | 'principals'>): SourceRef {
  const { id, version, title, url, author, sizeBytes, mimeType, updatedAt } = item;
  return { id, path: id, version, title, url, author, sizeBytes, mimeType, updatedAt };
}

const gone = (id: string, cause?: unknown) => new SourceError('gone', `The item ${id} was deleted.`, { cause });

/**
 * Opens the source of pushed items. The connector service stores changes, because it adds them to a
 * job in the same transaction, so this connector has no `put` and `remove`.
 */
export function openCustom(
  { items, blobs }: Pick<ConnectorHost, 'blobs' | 'items'>,
  defaultPrincipals: readonly string[],
): Connector {
  return {
    test: async () => [{ name: 'storage', ok: true, message: 'Lectern stores the items that you push.' }],
    permissionsAreCheap: true,
    async *list(call, from): AsyncGenerator<SourceEvent, void, void> {
      let after = from;
      for (;;) {
        call.signal.throwIfAborted();
        const page = await items.page(after, PAGE);
        for (const item of page) yield { type: 'item', ref: refOfItem(item) };
        after = page.at(-1)?.id;
        if (after === undefined) break;
        yield { type: 'checkpoint', at: after };
      }
      yield { type: 'complete', authoritative: true };
    },
    resolve: async (_call, id) => {
      const item = await items.find(id);
      return item === undefined ? null : refOfItem(item);
    },
    fetch: async (call, { id }) => {
      const item = await items.find(id);
      if (item === undefined) throw gone(id);
      const { blobKey, version, fileName, metadata } = item;
      try {
        return { body: await blobs.open(blobKey, call.signal), version, fileName, metadata };
      } catch (error) {
        if (!(error instanceof BlobNotFoundError)) throw error;
        // Replaced or deleted between the two reads.
        const now = await items.find(id);
        if (now === undefined) throw gone(id, error);
        const message =
          now.blobKey === blobKey
            ? `The stored content of the item ${id} is missing. Push the item again with a new revision.`
            : `The item ${id} was replaced while it was read. Try again.`;
        throw new SourceError(now.blobKey === blobKey ? 'invalid' : 'transient', message, { cause: error });
      }
    },
    async *permissions(_call, refs) {
      for (const { id } of refs) {
        const item = await items.find(id);
        if (item !== undefined) yield { id, principals: item.principals ?? defaultPrincipals };
      }
    },
  };
}
