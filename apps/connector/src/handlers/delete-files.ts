import type { DeleteFilesRequest, DeleteFilesResponse } from '@lectern/contracts';
import { invalidRequest, type ServiceCall } from '@lectern/service-kit';
import { findConnector } from '#connectors/connector';
import { requireWritable } from '#connectors/settings';
import type { Context } from '#context';
import { deleteFiles as deleteConnectorFiles } from '#uploads/delete-files';

export const deleteFiles =
  (ctx: Context) =>
  async (request: DeleteFilesRequest, call: ServiceCall): Promise<DeleteFilesResponse> => {
    const { files } = request;
    const maxFiles = ctx.config.MAX_FILES_PER_UPLOAD;
    if (files.length === 0) throw invalidRequest([{ path: 'files', message: 'must name at least one file' }]);
    if (files.length > maxFiles)
      throw invalidRequest([{ path: 'files', message: `must not name more than ${maxFiles} files` }]);
    const connector = await findConnector(ctx, call.caller, request.connectorId);
    requireWritable(ctx, connector);
    const { deleted, notFound } = await deleteConnectorFiles(ctx, connector.id, files, call.signal);
    return { deleted: [...deleted], notFound: [...notFound] };
  };
