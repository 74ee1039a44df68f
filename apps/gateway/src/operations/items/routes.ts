import { items } from '@lectern/api-spec';
import { idOf, onBehalfOf } from '@lectern/service-kit';
import { data, page } from '#http/api-response';
import { itemDeletion, pushedItem, pushRequest, pushResults, snapshotRecord } from '#operations/items/mapping';
import { route } from '#pipeline/operation';

export const itemRoutes = [
  route(items.pushItems, async (ctx, { params, query, body }, call) => {
    const request = { ...pushRequest(body), connectorId: params.id, snapshotId: query.snapshot };
    return data(pushResults(body, await ctx.clients.items.pushItems(request, onBehalfOf(call))));
  }),

  route(items.listItems, async (ctx, { params, query }, call) => {
    const response = await ctx.clients.items.listItems({ connectorId: params.id, page: query }, onBehalfOf(call));
    return page(response.items.map(pushedItem), response.page);
  }),

  route(items.getItem, async (ctx, { params: { id, itemId } }, call) =>
    data(pushedItem(await ctx.clients.items.getItem({ connectorId: id, id: itemId }, onBehalfOf(call)))),
  ),

  route(items.deleteItem, async (ctx, { params: { id, itemId }, query }, call) => {
    const request = { connectorId: id, id: itemId, revision: query.revision };
    return data(itemDeletion(itemId, await ctx.clients.items.deleteItem(request, onBehalfOf(call))));
  }),

  route(items.startSnapshot, async (ctx, { params }, call) => {
    const request = { connectorId: params.id, id: idOf('snapshot', call.seed) };
    return data(snapshotRecord(await ctx.clients.items.startSnapshot(request, onBehalfOf(call))));
  }),

  route(items.getSnapshot, async (ctx, { params: { id: connectorId, snapshotId } }, call) =>
    data(snapshotRecord(await ctx.clients.items.getSnapshot({ connectorId, snapshotId }, onBehalfOf(call)))),
  ),

  route(items.completeSnapshot, async (ctx, { params: { id: connectorId, snapshotId }, body }, call) => {
    const request = { connectorId, snapshotId, confirmDeletions: body.confirmDeletions };
    return data(snapshotRecord(await ctx.clients.items.completeSnapshot(request, onBehalfOf(call))));
  }),

  route(items.cancelSnapshot, async (ctx, { params: { id: connectorId, snapshotId } }, call) =>
    data(snapshotRecord(await ctx.clients.items.cancelSnapshot({ connectorId, snapshotId }, onBehalfOf(call)))),
  ),
];
