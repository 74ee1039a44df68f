import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { documentContent, documentContentSchema } from '#operations/documents/view';

export const getDocumentContent = defineOperation({
  id: 'getDocumentContent',
  method: 'get',
  path: '/api/v1/documents/{id}/content',
  summary: 'Get a document with its text',
  access: 'publishable',
  params: idParams('document'),
  query: none,
  body: noBody,
  success: 200,
  answer: answers(documentContentSchema),
  handle: async (ctx, { params }, call) => {
    const content = await ctx.clients.documents.getDocumentContent(params, onBehalfOf(call));
    return data(documentContent(content));
  },
});
