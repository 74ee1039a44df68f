import type { UploadFilesRequest } from '@lectern/contracts';
import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { multipartBody } from '#http/body/multipart-body';
import type { UploadPart } from '#http/body/upload-part';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { uploadedFile, uploadSchema } from '#operations/files/view';

function message(part: UploadPart): UploadFilesRequest {
  switch (part.kind) {
    case 'file':
      return { part: { $case: 'file', value: { path: part.path, mimeType: part.mimeType } } };
    case 'bytes':
      return { part: { $case: 'chunk', value: part.bytes } };
    case 'metadata':
      return { part: { $case: 'metadata', value: { ...part.metadata } } };
  }
}

async function* messages(connectorId: string, parts: AsyncIterable<UploadPart>): AsyncGenerator<UploadFilesRequest> {
  yield { part: { $case: 'open', value: { connectorId, metadata: undefined } } };
  for await (const part of parts) yield message(part);
  yield { part: { $case: 'end', value: {} } };
}

export const uploadFiles = defineOperation({
  id: 'uploadFiles',
  method: 'post',
  path: '/api/v1/connectors/{id}/files/upload',
  summary: 'Upload files and start a sync job over them',
  access: 'secret',
  params: idParams('connector'),
  query: none,
  body: multipartBody,
  success: 202,
  answer: answers(uploadSchema),
  handle: async (ctx, { params, body: upload }, call) => {
    try {
      const answer = await ctx.clients.files.uploadFiles(messages(params.id, upload.parts), onBehalfOf(call));
      return data({ files: answer.files.map(uploadedFile), jobId: answer.jobId });
    } finally {
      upload.close();
    }
  },
});
