import type { ListConnectorsRequest, ListConnectorsResponse } from '@lectern/contracts';
import { pageInfo, readPage, requireInScope, type ServiceCall } from '@lectern/service-kit';
import { toConnectorMessage, WITH_SECRET } from '#connectors/connector';
import type { Context } from '#context';

export const listConnectors =
  (ctx: Context) =>
  async (request: ListConnectorsRequest, { caller }: ServiceCall): Promise<ListConnectorsResponse> => {
    const { collectionId } = request;
    if (collectionId !== undefined) requireInScope(caller, collectionId);
    const page = readPage(request.page);
    const where = {
      teamId: caller.teamId,
      AND: [
        caller.scope.kind === 'all' ? {} : { collectionId: { in: [...caller.scope.ids] } },
        collectionId === undefined ? {} : { collectionId },
      ],
    };
    const [rows, total] = await Promise.all([
      ctx.db.connector.findMany({
        where,
        include: WITH_SECRET,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip: page.skip,
        take: page.take,
      }),
      ctx.db.connector.count({ where }),
    ]);
    return { connectors: rows.map((row) => toConnectorMessage(row, caller)), page: pageInfo(page, total) };
  };
