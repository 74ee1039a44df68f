import type { ListItemsRequest, ListItemsResponse } from '@lectern/contracts';
import { pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import { findConnector } from '#connectors/connector';
import { requirePushable } from '#connectors/settings';
import type { Context } from '#context';
import { viewItems } from '#push/item-view';

export const listItems =
  (ctx: Context) =>
  async (request: ListItemsRequest, { caller }: ServiceCall): Promise<ListItemsResponse> => {
    const connector = await findConnector(ctx, caller, request.connectorId);
    requirePushable(ctx, connector);
    const page = readPage(request.page);
    const where = { connectorId: connector.id, contentRevision: { not: null } };
    const [rows, total] = await Promise.all([
      ctx.db.pushedItem.findMany({ where, orderBy: { itemId: 'asc' }, skip: page.skip, take: page.take }),
      ctx.db.pushedItem.count({ where }),
    ]);
    return { items: await viewItems(ctx, connector.id, rows), page: pageInfo(page, total) };
  };
