import { z } from 'zod';
import { batchError } from '#batch-error';
import { batchBody, jsonBody, withoutBody } from '#body';
import {
  createdAt,
  deletedRecord,
  documentMetadata,
  EXAMPLE_TIME,
  exampleId,
  failure,
  idParam,
  idParams,
  integer,
  integerText,
  nullableTimestamp,
  ownId,
  pageQuery,
  principal,
  recordId,
  text,
  updatedAt,
  webUrl,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';

const status = z
  .enum(['pending', 'processing', 'indexed', 'failed', 'deleted'])
  .meta({ id: 'DocumentStatus', description: 'The status of the document.' });
export type DocumentStatusName = z.output<typeof status>;

const newDocumentBody = z
  .strictObject({
    title: z
      .string()
      .trim()
      .min(1)
      .max(1_000)
      .meta({ description: 'The title of the document.', examples: ['Leave'] }),
    content: z.string().regex(/\S/, 'must not be empty').meta({ description: 'The text of the document.' }),
    url: webUrl.optional().meta({ description: 'The http or https URL of the document.' }),
    metadata: documentMetadata.optional(),
    externalId: z.string().min(1).max(1_000).optional().meta({
      description: 'Your id of the document, unique in the collection. Send it again to replace the document.',
    }),
    principals: z.array(principal).min(1).max(1_000).optional().meta({
      description:
        'Who can read the document: `public`, `user:<email>`, `user:<source>:<id>` or `group:<source>:<id>`. Default: `public`.',
    }),
    source: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'The platform that the document comes from. Default: `api`.' }),
  })
  .meta({
    id: 'NewDocument',
    description: 'A document to create or to replace.',
    examples: [{ title: 'Leave', content: 'Thirty days a year.', externalId: 'leave', metadata: { author: 'Ada' } }],
  });

const metadata = z
  .looseObject({
    author: z.string().optional().meta({ description: 'The author of the document.' }),
    url: z.string().optional().meta({ description: 'The URL of the document.' }),
    pages: z.int().optional().meta({ description: 'The number of pages.' }),
  })
  .meta({ id: 'DocumentMetadata', description: 'Metadata from the request, the source and the document itself.' });

const title = text('The title of the document.', 'Leave');
const source = text('The platform that the document comes from.', 'upload');

/** The record of a document. */
export const documentSchema = z
  .object({
    id: ownId('document'),
    title,
    status,
    error: failure.nullable().meta({ description: 'Why the document could not be indexed. Null for other documents.' }),
    collection: recordId('collection'),
    collectionName: text('The name of the collection.', 'Handbook'),
    source,
    type: text('The type of the file or text.', 'pdf'),
    connector: z
      .string()
      .nullable()
      .meta({ description: 'The id of the connector that imported it, if there is one.' }),
    externalId: z.string().nullable().meta({ description: 'The id of the document at its source, if it has one.' }),
    url: z.string().nullable().meta({ description: 'The URL of the document, if it has one.' }),
    metadata,
    chunkCount: integer('The number of passages in the index.'),
    sizeBytes: z.int().nullable().meta({ description: 'The size of the file in bytes, if it is known.' }),
    createdAt,
    updatedAt,
    indexedAt: nullableTimestamp('When the document was last indexed. Null for never.'),
    principals: z.array(z.string()).nullable().meta({
      description: 'Who can read the document. Null for a publishable key and for a request with X-Service-User.',
    }),
  })
  .meta({
    id: 'Document',
    description: 'The record of a document, without its text.',
    examples: [
      {
        id: exampleId('document'),
        title: 'Leave',
        status: 'indexed',
        error: null,
        collection: exampleId('collection'),
        collectionName: 'Handbook',
        source: 'upload',
        type: 'pdf',
        connector: null,
        externalId: null,
        url: null,
        metadata: { author: 'Ada', pages: 2 },
        chunkCount: 4,
        sizeBytes: 9_000,
        createdAt: EXAMPLE_TIME,
        updatedAt: EXAMPLE_TIME,
        indexedAt: EXAMPLE_TIME,
        principals: ['public'],
      },
    ],
  });

const documentContentSchema = z
  .object({
    id: ownId('document'),
    title,
    content: text('The text of the document. Empty until the document has been read.'),
    status,
    collection: text('The name of the collection.', 'Handbook'),
    source,
    metadata,
  })
  .meta({
    id: 'DocumentContent',
    description: 'A document with its text.',
    examples: [
      {
        id: exampleId('document'),
        title: 'Leave',
        content: 'Thirty days a year.',
        status: 'indexed',
        collection: 'Handbook',
        source: 'upload',
        metadata: {},
      },
    ],
  });

const documentSummarySchema = z
  .object({ id: ownId('document'), title, summary: text('A summary of the text.'), metadata })
  .meta({
    id: 'DocumentSummary',
    description: 'A document with a summary of its text.',
    examples: [{ id: exampleId('document'), title: 'Leave', summary: 'How much leave there is.', metadata: {} }],
  });

const share = (description: string) => z.number().min(0).max(1).meta({ description });

const pageWordSchema = z
  .object({
    start: integer('The offset of the word in the text.'),
    end: integer('The offset after the word.'),
    left: share('The left edge, as a share of the width of the page.'),
    top: share('The upper edge, as a share of the height of the page.'),
    right: share('The right edge, as a share of the width of the page.'),
    bottom: share('The lower edge, as a share of the height of the page.'),
  })
  .meta({ id: 'PageWord', description: 'A word of the text, and its place on the page.' });

const documentPageSchema = z
  .object({
    page: integer('The number of the page, starting at 1.'),
    width: z.number().meta({ description: 'The width of the page: in points for a PDF, in pixels for an image.' }),
    height: z.number().meta({ description: 'The height of the page, in the same unit.' }),
    start: integer('The offset in the text at which the page begins.'),
    end: integer('The offset after the page.'),
    words: z.array(pageWordSchema).meta({ description: 'The words of the requested part, in the order of the text.' }),
  })
  .meta({ id: 'PageWithWords', description: 'A page of a PDF, scan or image.' });

const documentPagesSchema = z
  .object({ pages: z.array(documentPageSchema).meta({ description: 'The pages, in their order. At most 10.' }) })
  .meta({
    id: 'DocumentPages',
    description: 'Pages of a document, with the places of the words.',
    examples: [
      {
        pages: [
          {
            page: 1,
            width: 612,
            height: 792,
            start: 0,
            end: 19,
            words: [{ start: 0, end: 6, left: 0.1176, top: 0.0833, right: 0.1752, bottom: 0.0972 }],
          },
        ],
      },
    ],
  });

const pageImageSchema = z
  .object({
    page: integer('The number of the page, starting at 1.'),
    mediaType: z.literal('image/png').meta({ description: 'The format of the image.' }),
    width: integer('The width of the image in pixels.'),
    height: integer('The height of the image in pixels.'),
    content: z.base64().meta({ description: 'The image, in Base64.' }),
  })
  .meta({
    id: 'PageImage',
    description: 'A page of a document as an image.',
    examples: [{ page: 1, mediaType: 'image/png', width: 1_240, height: 1_754, content: 'iVBORw0KGgo=' }],
  });

const batchResultSchema = z
  .object({
    status: z.enum(['created', 'updated', 'failed']).meta({
      id: 'DocumentBatchStatus',
      description: '`updated`: the document with this `externalId` was replaced. `failed`: nothing was stored.',
    }),
    id: z.string().nullable().meta({ description: 'The id of the document. Null if it failed.' }),
    externalId: z.string().nullable().meta({ description: 'Your id of the document, if you sent a valid one.' }),
    error: batchError('Why the document failed. Null for other documents.'),
  })
  .meta({ id: 'DocumentBatchResult', description: 'The result of one document of a batch.' });

const documentBatchSchema = z
  .object({
    created: integer('The number of created documents.'),
    updated: integer('The number of replaced documents.'),
    failed: integer('The number of documents that failed.'),
    results: z.array(batchResultSchema).meta({ description: 'One result per document, in the order of the request.' }),
  })
  .meta({
    id: 'DocumentBatch',
    description: 'The results of a batch of documents.',
    examples: [
      {
        created: 1,
        updated: 0,
        failed: 1,
        results: [
          { status: 'created', id: exampleId('document'), externalId: 'leave', error: null },
          {
            status: 'failed',
            id: null,
            externalId: 'travel',
            error: {
              code: 'invalid_request',
              message: 'title: is required',
              details: { issues: [{ path: 'title', message: 'is required' }] },
            },
          },
        ],
      },
    ],
  });

const documentListQuery = pageQuery.extend({
  status: status.optional().meta({ description: 'Only documents with this status.' }),
});

export type DocumentListQuery = z.output<typeof documentListQuery>;

export const listDocuments = operation({
  id: 'listDocuments',
  method: 'get',
  path: '/api/v1/collections/{id}/documents',
  summary: 'List documents',
  description: 'Lists the documents of a collection, newest first.',
  access: 'secret',
  params: idParams('collection'),
  query: documentListQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(documentSchema)),
});

export const createDocument = operation({
  id: 'createDocument',
  method: 'post',
  path: '/api/v1/collections/{id}/documents',
  summary: 'Create a document',
  description:
    'Creates a document from text and indexes it. A request with an existing `externalId` replaces that document and keeps the principals and metadata that the request omits.',
  access: 'secret',
  ofCollection: true,
  versioned: true,
  params: idParams('collection'),
  query: none,
  body: jsonBody(newDocumentBody, 'MAX_DOCUMENT_BYTES'),
  success: 201,
  response: one(documentSchema),
});

export const createDocuments = operation({
  id: 'createDocuments',
  method: 'post',
  path: '/api/v1/collections/{id}/documents/batch',
  summary: 'Create up to 100 documents',
  description:
    'Creates and indexes documents in their order, each like a request for a single document. An invalid document fails alone, with the error that the single request returns. The status is 200 even if documents failed; `failed` counts them. If the whole request fails (400, 413, 503, …), some documents can be stored; send it again with the same `Idempotency-Key`, or with an `externalId` for each document. The batch counts as one request of the rate limit. Its body has the size limits of one document.',
  access: 'secret',
  ofCollection: true,
  params: idParams('collection'),
  query: none,
  body: batchBody(newDocumentBody, {
    field: 'documents',
    description: 'The documents.',
    maxItems: 100,
    limit: 'MAX_DOCUMENT_BYTES',
  }),
  success: 200,
  response: one(documentBatchSchema),
});

export const getDocument = operation({
  id: 'getDocument',
  method: 'get',
  path: '/api/v1/documents/{id}',
  summary: 'Get a document',
  description: 'Returns the record of a document, without its text.',
  access: 'publishable',
  versioned: true,
  params: idParams('document'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(documentSchema),
});

export const deleteDocument = operation({
  id: 'deleteDocument',
  method: 'delete',
  path: '/api/v1/documents/{id}',
  summary: 'Delete a document',
  description: 'Deletes a document and its embeddings.',
  access: 'secret',
  versioned: true,
  params: idParams('document'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

export const getDocumentContent = operation({
  id: 'getDocumentContent',
  method: 'get',
  path: '/api/v1/documents/{id}/content',
  summary: 'Get the text of a document',
  description: 'Returns a document with its text. `collection` is the name of the collection here, not its id.',
  access: 'publishable',
  params: idParams('document'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(documentContentSchema),
});

export const getDocumentSummary = operation({
  id: 'getDocumentSummary',
  method: 'get',
  path: '/api/v1/documents/{id}/summary',
  summary: 'Get the summary of a document',
  description: 'Returns a document with a summary of its text.',
  access: 'publishable',
  params: idParams('document'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(documentSummarySchema),
});

const MAX_OFFSET = 2 ** 31 - 1;

export const getDocumentPages = operation({
  id: 'getDocumentPages',
  method: 'get',
  path: '/api/v1/documents/{id}/pages',
  summary: 'Get the places of words on pages',
  description:
    'Returns the pages of a PDF, scan or image that contain a part of the text, and where the words of that part are on them, so that a citation can be shown on the page. Offsets count UTF-16 units of the text of the document, as those of search results and sources do. At most 10 pages are returned; continue with the `end` of the last one as `start`. The list is empty for documents without pages, and for documents that an earlier version of Lectern indexed: sync the connector with the mode `full` to index them again.',
  access: 'publishable',
  params: idParams('document'),
  query: z.object({
    start: integerText(0, MAX_OFFSET)
      .optional()
      .meta({ description: 'The offset at which the part of the text begins. Default: 0.' }),
    end: integerText(0, MAX_OFFSET)
      .optional()
      .meta({ description: 'The offset after the part. Default: the end of the text.' }),
  }),
  body: withoutBody,
  success: 200,
  response: one(documentPagesSchema),
});

export const getPageImage = operation({
  id: 'getPageImage',
  method: 'get',
  path: '/api/v1/documents/{id}/page-image',
  summary: 'Get a page as an image',
  description:
    'Renders a page of an uploaded PDF, scan or image as a PNG. A document whose file Lectern does not store has no image: only the files of connectors of the type `upload` are stored.',
  access: 'publishable',
  params: idParams('document'),
  query: z.object({
    number: integerText(1, 1_000_000).default(1).meta({ description: 'The number of the page.' }),
  }),
  body: withoutBody,
  success: 200,
  response: one(pageImageSchema),
});

// Documents of a connector

const connectorDocumentParams = z.object({ id: idParam('connector'), documentId: idParam('document') });

export const listConnectorDocuments = operation({
  id: 'listConnectorDocuments',
  method: 'get',
  path: '/api/v1/connectors/{id}/documents',
  summary: 'List the documents of a connector',
  description: 'Lists the documents that a connector imported, newest first.',
  access: 'secret',
  params: idParams('connector'),
  query: documentListQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(documentSchema)),
});

export const getConnectorDocument = operation({
  id: 'getConnectorDocument',
  method: 'get',
  path: '/api/v1/connectors/{id}/documents/{documentId}',
  summary: 'Get a document of a connector',
  description: 'Returns the record of a document that the connector imported.',
  access: 'secret',
  versioned: true,
  params: connectorDocumentParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(documentSchema),
});

export const deleteConnectorDocument = operation({
  id: 'deleteConnectorDocument',
  method: 'delete',
  path: '/api/v1/connectors/{id}/documents/{documentId}',
  summary: 'Delete a document of a connector',
  description: 'Deletes a document that the connector imported. A later full sync can import it again.',
  access: 'secret',
  versioned: true,
  params: connectorDocumentParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});
