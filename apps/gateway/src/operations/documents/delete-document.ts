import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers, deletedRecord } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';

export const deleteDocument = defineOperation({
  id: 'deleteDocument',
  method: 'delete',
  path: '/api/v1/documents/{id}',
  summary: 'Delete a document',
  access: 'secret',
  versioned: true,
  params: idParams('document'),
  query: none,
  body: noBody,
  success: 200,
  answer: answers(deletedRecord),
  handle: async (ctx, { params }, call) => {
    const { id } = await ctx.clients.documents.deleteDocument(
      { ...params, precondition: call.ifMatch },
      onBehalfOf(call),
    );
    return data({ id, deleted: true });
  },
});
