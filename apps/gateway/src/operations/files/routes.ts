import { files } from '@lectern/api-spec';
import type { UploadFilesRequest } from '@lectern/contracts';
import { onBehalfOf } from '@lectern/service-kit';
import { data, page } from '#http/api-response';
import type { UploadPart } from '#http/body/upload-part';
import { sourceFile, uploadedFile, uploadMessage } from '#operations/files/mapping';
import { route } from '#pipeline/operation';

async function* uploadMessages(
  connectorId: string,
  parts: AsyncIterable<UploadPart>,
): AsyncGenerator<UploadFilesRequest> {
  yield { part: { $case: 'open', value: { connectorId, metadata: undefined } } };
  for await (const part of parts) yield uploadMessage(part);
  yield { part: { $case: 'end', value: {} } };
}

export const fileRoutes = [
  route(files.listFiles, async (ctx, { params, query }, call) => {
    const request = { connectorId: params.id, page: query };
    const response = await ctx.clients.files.listFiles(request, onBehalfOf(call));
    return page(response.files.map(sourceFile), response.page);
  }),

  route(files.deleteFiles, async (ctx, { params, body }, call) => {
    const request = { connectorId: params.id, files: body.files };
    const { deleted, notFound } = await ctx.clients.files.deleteFiles(request, onBehalfOf(call));
    return data({ deleted, notFound });
  }),

  route(files.uploadFiles, async (ctx, { params, body: upload }, call) => {
    try {
      const response = await ctx.clients.files.uploadFiles(uploadMessages(params.id, upload.parts), onBehalfOf(call));
      return data({ files: response.files.map(uploadedFile), jobId: response.jobId });
    } finally {
      upload.close();
    }
  }),
];
