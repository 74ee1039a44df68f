import type { ListFilesRequest, ListFilesResponse } from '@lectern/contracts';
import { AppError, pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import { findConnector } from '../connectors/find-connector.ts';
import type { Context } from '../context.ts';
import { toFileMessage } from '../files/to-message.ts';

export const listFiles =
  (ctx: Context) =>
  async (request: ListFilesRequest, { caller }: ServiceCall): Promise<ListFilesResponse> => {
    const { id: connectorId } = await findConnector(ctx, caller, request.connectorId);
    // Files are the connector's own books: they know no readers. The user's documents are what there is for a user.
    if (caller.userEmail !== undefined) {
      throw new AppError(
        'forbidden',
        'Files are not listed for a single user. List the connector’s documents instead.',
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
