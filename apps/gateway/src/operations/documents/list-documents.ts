import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation } from '#http/operation';
import { idParams } from '#http/path-params';
import { documentListQuery, listRequest } from '#operations/documents/list-query';
import { documentRecord, documentRecordSchema } from '#operations/documents/view';

export const listDocuments = defineOperation({
  id: 'listDocuments',
  method: 'get',
  path: '/api/v1/collections/{id}/documents',
  summary: 'List the documents of a collection, newest first',
  access: 'secret',
  params: idParams('collection'),
  query: documentListQuery,
  body: noBody,
  success: 200,
  answer: answersPage(z.array(documentRecordSchema)),
  handle: async (ctx, { params, query }, call) => {
    const request = { ...listRequest(query), collectionId: params.id };
    const answer = await ctx.clients.documents.listDocuments(request, onBehalfOf(call));
    return page(answer.documents.map(documentRecord), answer.page);
  },
});
