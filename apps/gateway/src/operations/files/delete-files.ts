import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { deletedFilesSchema } from '#operations/files/view';

const body = z
  .strictObject({ files: z.array(z.string().min(1).max(1_024)).min(1).max(1_000) })
  .meta({ examples: [{ files: ['hr/leave.pdf'] }] });

export const deleteFiles = defineOperation({
  id: 'deleteFiles',
  method: 'delete',
  path: '/api/v1/connectors/{id}/files',
  summary: 'Delete files, by id or path, and their documents',
  access: 'secret',
  params: idParams('connector'),
  query: none,
  body: jsonBody(body, 'MAX_JSON_BYTES'),
  success: 200,
  answer: answers(deletedFilesSchema),
  handle: async (ctx, { params, body }, call) => {
    const request = { connectorId: params.id, files: body.files };
    const { deleted, notFound } = await ctx.clients.files.deleteFiles(request, onBehalfOf(call));
    return data({ deleted, notFound });
  },
});
