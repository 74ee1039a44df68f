import type { ListFilesRequest, ListFilesResponse } from '@lectern/contracts';
import { pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import { findConnector } from '../connectors/find-connector.ts';
import type { Context } from '../context.ts';
import { toFileMessage } from '../files/to-message.ts';

export const listFiles =
  (ctx: Context) =>
  async (request: ListFilesRequest, { caller }: ServiceCall): Promise<ListFilesResponse> => {
    const { id: connectorId } = await findConnector(ctx, caller, request.connectorId);
    const page = readPage(request.page);
    const where = { connectorId, removedAt: null };
    const [rows, total] = await Promise.all([
      ctx.db.file.findMany({ where, orderBy: { sourceId: 'asc' }, skip: page.skip, take: page.take }),
      ctx.db.file.count({ where }),
    ]);
    return { files: rows.map(toFileMessage), page: pageInfo(page, total) };
  };
