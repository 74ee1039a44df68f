import { onBehalfOf } from '@lectern/service-kit';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { documentRecord, documentRecordSchema } from '#operations/documents/view';

export const getDocument = defineOperation({
  id: 'getDocument',
  method: 'get',
  path: '/api/v1/documents/{id}',
  summary: "Get a document's record",
  access: 'publishable',
  versioned: true,
  params: idParams('document'),
  query: none,
  body: noBody,
  success: 200,
  answer: answers(documentRecordSchema),
  handle: async (ctx, { params }, call) => {
    const document = await ctx.clients.documents.getDocument(params, onBehalfOf(call));
    return recordData(documentRecord(document), document.revision);
  },
});
