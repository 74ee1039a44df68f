import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation } from '#http/operation';
import { idParams } from '#http/path-params';
import { documentListQuery, listRequest } from '#operations/documents/list-query';
import { documentRecord, documentRecordSchema } from '#operations/documents/view';

export const listConnectorDocuments = defineOperation({
  id: 'listConnectorDocuments',
  method: 'get',
  path: '/api/v1/connectors/{id}/documents',
  summary: 'List the documents of a connector, newest first',
  access: 'secret',
  params: idParams('connector'),
  query: documentListQuery,
  body: noBody,
  success: 200,
  answer: answersPage(z.array(documentRecordSchema)),
  handle: async (ctx, { params, query }, call) => {
    // Documents know their connector by its id alone; that there is one, and that the caller reaches it, is checked here.
    const { id } = await ctx.clients.connectors.getConnector(params, onBehalfOf(call));
    const request = { ...listRequest(query), connectorId: id };
    const answer = await ctx.clients.documents.listDocuments(request, onBehalfOf(call));
    return page(answer.documents.map(documentRecord), answer.page);
  },
});
