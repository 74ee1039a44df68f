import { onBehalfOf } from '@lectern/service-kit';
import type { Context } from '#context';
import type { KeyedCall } from '#http/operation';
import { MAX_LIMIT } from '#http/paging';

/** A collection with more connectors than this many hundreds names only the newest of them. */
const MAX_PAGES = 20;

/** The ids of the connectors that feed a collection, newest first. */
export async function connectorIds(ctx: Context, collectionId: string, call: KeyedCall): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const request = { collectionId, page: { page, limit: MAX_LIMIT } };
    const answer = await ctx.clients.connectors.listConnectors(request, onBehalfOf(call));
    ids.push(...answer.connectors.map(({ id }) => id));
    if (answer.page?.hasMore !== true) break;
  }
  return ids;
}
