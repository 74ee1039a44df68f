import type { GetItemRequest, PushedItem } from '@lectern/contracts';
import { notFound, type ServiceCall } from '@lectern/service-kit';
import { findConnector } from '#connectors/connector';
import { requirePushable } from '#connectors/settings';
import type { Context } from '#context';
import { viewItems } from '#push/item-view';

export const getItem =
  (ctx: Context) =>
  async ({ connectorId, id }: GetItemRequest, { caller }: ServiceCall): Promise<PushedItem> => {
    requirePushable(ctx, await findConnector(ctx, caller, connectorId));
    const row = await ctx.db.pushedItem.findUnique({ where: { connectorId_itemId: { connectorId, itemId: id } } });
    const [item] = row === null ? [] : await viewItems(ctx, connectorId, [row]);
    if (item === undefined) throw notFound('item', id);
    return item;
  };
