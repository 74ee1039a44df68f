import { notFound, onBehalfOf } from '@lectern/service-kit';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { connectorDocumentParams } from '#operations/connector-documents/params';
import { documentRecord, documentRecordSchema } from '#operations/documents/view';

export const getConnectorDocument = defineOperation({
  id: 'getConnectorDocument',
  method: 'get',
  path: '/api/v1/connectors/{id}/documents/{documentId}',
  summary: "Get the record of a connector's document",
  access: 'secret',
  versioned: true,
  params: connectorDocumentParams,
  query: none,
  body: noBody,
  success: 200,
  answer: answers(documentRecordSchema),
  handle: async (ctx, { params: { id, documentId } }, call) => {
    const document = await ctx.clients.documents.getDocument({ id: documentId }, onBehalfOf(call));
    if (document.connectorId !== id) throw notFound('document', documentId);
    return recordData(documentRecord(document), document.revision);
  },
});
