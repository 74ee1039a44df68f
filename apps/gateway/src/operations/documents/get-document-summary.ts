import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { documentSummary, documentSummarySchema } from '#operations/documents/view';

export const getDocumentSummary = defineOperation({
  id: 'getDocumentSummary',
  method: 'get',
  path: '/api/v1/documents/{id}/summary',
  summary: "Get a document's summary",
  access: 'publishable',
  params: idParams('document'),
  query: none,
  body: noBody,
  success: 200,
  answer: answers(documentSummarySchema),
  handle: async (ctx, { params }, call) => {
    const summary = await ctx.clients.documents.getDocumentSummary(params, onBehalfOf(call));
    return data(documentSummary(summary));
  },
});
