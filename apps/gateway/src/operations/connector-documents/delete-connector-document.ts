import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers, deletedRecord } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { connectorDocumentParams } from '#operations/connector-documents/params';

export const deleteConnectorDocument = defineOperation({
  id: 'deleteConnectorDocument',
  method: 'delete',
  path: '/api/v1/connectors/{id}/documents/{documentId}',
  summary: "Delete a connector's document",
  access: 'secret',
  versioned: true,
  params: connectorDocumentParams,
  query: none,
  body: noBody,
  success: 200,
  answer: answers(deletedRecord),
  handle: async (ctx, { params }, call) => {
    const request = { connectorId: params.id, documentId: params.documentId, precondition: call.ifMatch };
    const { id } = await ctx.clients.connectors.deleteConnectorDocument(request, onBehalfOf(call));
    return data({ id, deleted: true });
  },
});
