import { idOf, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { documentMetadata } from '#http/document-metadata';
import { principal, webAddress } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { documentRecord, documentRecordSchema } from '#operations/documents/view';

const body = z
  .strictObject({
    title: z.string().trim().min(1).max(1_000),
    content: z.string().regex(/\S/, 'must not be empty'),
    url: webAddress.optional(),
    metadata: documentMetadata.optional(),
    externalId: z.string().min(1).max(1_000).optional(),
    principals: z.array(principal).min(1).max(1_000).optional(),
    source: z.string().min(1).max(100).optional(),
  })
  .meta({
    examples: [{ title: 'Leave', content: 'Thirty days a year.', externalId: 'leave', metadata: { author: 'Ada' } }],
  });

export const createDocument = defineOperation({
  id: 'createDocument',
  method: 'post',
  path: '/api/v1/collections/{id}/documents',
  summary:
    'Create a document from text and index it. A request with an existing externalId replaces that document and keeps the principals and metadata that the request omits',
  access: 'secret',
  ofCollection: true,
  versioned: true,
  params: idParams('collection'),
  query: none,
  body: jsonBody(body, 'MAX_DOCUMENT_BYTES'),
  success: 201,
  answer: answers(documentRecordSchema),
  handle: async (ctx, { params, body }, call) => {
    const request = {
      ...body,
      principals: body.principals ?? [],
      collectionId: params.id,
      id: idOf('document', call.seed),
    };
    const document = await ctx.clients.documents.createDocument(request, onBehalfOf(call));
    return recordData(documentRecord(document), document.revision);
  },
});
