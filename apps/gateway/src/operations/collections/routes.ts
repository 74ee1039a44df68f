import { collections, fields } from '@lectern/api-spec';
import type { Collection } from '@lectern/contracts';
import { idOf, onBehalfOf } from '@lectern/service-kit';
import type { Context } from '#context';
import { data, page, recordData } from '#http/api-response';
import { dropCollectionFromScopes } from '#keys/pair-store';
import { collectionItem, collectionRecord, collectionStats } from '#operations/collections/mapping';
import { orEmpty } from '#operations/convert';
import { type KeyedCall, route } from '#pipeline/operation';

/** Pages of connectors to read. A record lists only the newest connectors beyond that. */
const MAX_PAGES = 20;

/** Returns the ids of the connectors that fill a collection, newest first. */
async function connectorIds(ctx: Context, collectionId: string, call: KeyedCall): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= MAX_PAGES; number += 1) {
    const request = { collectionId, page: { page: number, limit: fields.MAX_LIMIT } };
    const response = await ctx.clients.connectors.listConnectors(request, onBehalfOf(call));
    ids.push(...response.connectors.map(({ id }) => id));
    if (response.page?.hasMore !== true) break;
  }
  return ids;
}

const recordOf = async (ctx: Context, collection: Collection, call: KeyedCall) =>
  collectionRecord(collection, await connectorIds(ctx, collection.id, call));

export const collectionRoutes = [
  route(collections.listCollections, async (ctx, { query }, call) => {
    const response = await ctx.clients.collections.listCollections({ page: query }, onBehalfOf(call));
    return page(response.collections.map(collectionItem), response.page);
  }),

  route(collections.createCollection, async (ctx, { body }, call) => {
    const request = { ...body, id: idOf('collection', call.seed) };
    const collection = await ctx.clients.collections.createCollection(request, onBehalfOf(call));
    return recordData(collectionRecord(collection, []), collection.revision);
  }),

  route(collections.getCollection, async (ctx, { params }, call) => {
    const collection = await ctx.clients.collections.getCollection(params, onBehalfOf(call));
    return recordData(await recordOf(ctx, collection, call), collection.revision);
  }),

  route(
    collections.updateCollection,
    async (ctx, { params, body: { description, ...body } }, call) => {
      const request = { ...params, ...body, description: orEmpty(description), precondition: call.ifMatch };
      const collection = await ctx.clients.collections.updateCollection(request, onBehalfOf(call));
      return recordData(await recordOf(ctx, collection, call), collection.revision);
    },
    {
      current: async (ctx, params, call) => {
        const collection = await ctx.clients.collections.getCollection(params, onBehalfOf(call));
        return { record: await recordOf(ctx, collection, call), revision: collection.revision };
      },
    },
  ),

  route(collections.deleteCollection, async (ctx, { params }, call) => {
    const request = { ...params, precondition: call.ifMatch };
    const { id } = await ctx.clients.collections.deleteCollection(request, onBehalfOf(call));
    await dropCollectionFromScopes(ctx.db, call.caller.teamId, id);
    return data({ id, deleted: true });
  }),

  route(collections.refreshStats, async (ctx, { params }, call) =>
    data(collectionStats(await ctx.clients.collections.refreshStats(params, onBehalfOf(call)))),
  ),
];
