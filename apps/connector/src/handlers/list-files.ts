import type { ListFilesRequest, ListFilesResponse } from '@lectern/contracts';
import { AppError, isLimitedToOwn, pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import { findConnector } from '#connectors/connector';
import type { Context } from '#context';
import { toFileMessage } from '#files/files';

export const listFiles =
  (ctx: Context) =>
  async (request: ListFilesRequest, { caller }: ServiceCall): Promise<ListFilesResponse> => {
    const { id: connectorId } = await findConnector(ctx, caller, request.connectorId);
    // Files have no principals, so they cannot be filtered for an end user.
    if (isLimitedToOwn(caller)) {
      throw new AppError(
        'forbidden',
        'Files cannot be listed for an end user. List the connector’s documents instead.',
      );
    }
    const page = readPage(request.page);
    const where = { connectorId, removedAt: null };
    const [rows, total] = await Promise.all([
      ctx.db.file.findMany({ where, orderBy: { sourceId: 'asc' }, skip: page.skip, take: page.take }),
      ctx.db.file.count({ where }),
    ]);
    return { files: rows.map(toFileMessage), page: pageInfo(page, total) };
  };
