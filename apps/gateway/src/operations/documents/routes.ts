import { documents } from '@lectern/api-spec';
import { idOf, notFound, onBehalfOf, seedOfItem } from '@lectern/service-kit';
import { data, page, recordData } from '#http/api-response';
import {
  batchResults,
  documentContent,
  documentRecord,
  documentSummary,
  listRequest,
} from '#operations/documents/mapping';
import { route } from '#pipeline/operation';

export const documentRoutes = [
  route(documents.listDocuments, async (ctx, { params, query }, call) => {
    const request = { ...listRequest(query), collectionId: params.id };
    const response = await ctx.clients.documents.listDocuments(request, onBehalfOf(call));
    return page(response.documents.map(documentRecord), response.page);
  }),

  route(documents.createDocument, async (ctx, { params, body }, call) => {
    const principals = body.principals ?? [];
    const request = { ...body, principals, collectionId: params.id, id: idOf('document', call.seed) };
    const document = await ctx.clients.documents.createDocument(request, onBehalfOf(call));
    return recordData(documentRecord(document), document.revision);
  }),

  route(documents.createDocuments, async (ctx, { params, body }, call) => {
    const valid = body.flatMap((item, index) =>
      item.error === undefined
        ? [
            {
              ...item.value,
              principals: item.value.principals ?? [],
              id: idOf('document', seedOfItem(call.seed, index)),
            },
          ]
        : [],
    );
    const request = { collectionId: params.id, documents: valid };
    const { results } = await ctx.clients.documents.createDocuments(request, onBehalfOf(call));
    return data(batchResults(body, results));
  }),

  route(documents.getDocument, async (ctx, { params }, call) => {
    const document = await ctx.clients.documents.getDocument(params, onBehalfOf(call));
    return recordData(documentRecord(document), document.revision);
  }),

  route(documents.deleteDocument, async (ctx, { params }, call) => {
    const request = { ...params, precondition: call.ifMatch };
    const { id } = await ctx.clients.documents.deleteDocument(request, onBehalfOf(call));
    return data({ id, deleted: true });
  }),

  route(documents.getDocumentContent, async (ctx, { params }, call) =>
    data(documentContent(await ctx.clients.documents.getDocumentContent(params, onBehalfOf(call)))),
  ),

  route(documents.getDocumentSummary, async (ctx, { params }, call) =>
    data(documentSummary(await ctx.clients.documents.getDocumentSummary(params, onBehalfOf(call)))),
  ),

  route(documents.getDocumentPages, async (ctx, { params, query }, call) =>
    data(await ctx.clients.documents.getDocumentPages({ ...params, ...query }, onBehalfOf(call))),
  ),

  route(documents.getPageImage, async (ctx, { params, query }, call) => {
    const page = query.number;
    const request = { documentId: params.id, page };
    const { content, width, height } = await ctx.clients.files.getPageImage(request, onBehalfOf(call));
    const image = { page, mediaType: 'image/png', width, height, content: content.toString('base64') };
    return data(image);
  }),

  route(documents.listConnectorDocuments, async (ctx, { params, query }, call) => {
    // The collection service knows only the id, so the connector service checks existence and
    // access.
    const { id } = await ctx.clients.connectors.getConnector(params, onBehalfOf(call));
    const request = { ...listRequest(query), connectorId: id };
    const response = await ctx.clients.documents.listDocuments(request, onBehalfOf(call));
    return page(response.documents.map(documentRecord), response.page);
  }),

  route(documents.getConnectorDocument, async (ctx, { params: { id, documentId } }, call) => {
    const document = await ctx.clients.documents.getDocument({ id: documentId }, onBehalfOf(call));
    if (document.connectorId !== id) throw notFound('document', documentId);
    return recordData(documentRecord(document), document.revision);
  }),

  route(documents.deleteConnectorDocument, async (ctx, { params }, call) => {
    const request = { connectorId: params.id, documentId: params.documentId, precondition: call.ifMatch };
    const { id } = await ctx.clients.connectors.deleteConnectorDocument(request, onBehalfOf(call));
    return data({ id, deleted: true });
  }),
];
