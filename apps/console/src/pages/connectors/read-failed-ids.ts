import { lectern } from '#api/lectern.ts';

/** The API's maximum page size. */
const PAGE_SIZE = 100;
/** The API's maximum length of `file_filter`. */
const MAX_PAGES = 100;

/** Reads the ids at the source of a connector's failed documents. */
export async function readFailedIds(connectorId: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { page, limit: PAGE_SIZE, status: 'failed' } as const;
    const { items, hasMore } = await lectern().documents.ofConnector(connectorId, query);
    ids.push(...items.flatMap(({ externalId }) => externalId ?? []));
    if (!hasMore) break;
  }
  return ids;
}
