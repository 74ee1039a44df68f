import { call, callPage } from '#api/request.ts';
import type { CollectionRecord, Connector } from '#api/types.ts';

const PAGE = 100;
const MAX_PAGES = 20;

/** The connector that takes a collection's uploads; made at the first one. */
export async function uploadConnector(collection: CollectionRecord): Promise<string> {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, meta } = await callPage<readonly Connector[]>('GET', '/api/v1/connectors', {
      query: { page, limit: PAGE },
    });
    const found = items.find(({ type, collection: id }) => type === 'upload' && id === collection.id);
    if (found !== undefined) return found.id;
    if (!meta.hasMore) break;
  }
  const body = { name: `Files of ${collection.name}`.slice(0, 200), type: 'upload', collection: collection.id };
  return (await call<Connector>('POST', '/api/v1/connectors', { body })).id;
}
