import { type Document, type DocumentContent, DocumentStatus, type DocumentSummary } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import { z } from 'zod';
import { timestamp } from '#http/answer-schema';
import { enumText, enumTexts } from '#http/enum-text';
import { time } from '#http/time';

/** The metadata that was given or read, and the document's address where it has one. */
const metadataOf = ({ metadata, url }: Document) => ({ ...metadata, ...(url === undefined ? {} : { url }) });

/** A document's record, without its content. */
export function documentRecord(document: Document) {
  return {
    id: document.id,
    title: document.title,
    status: enumText(DocumentStatus, document.status),
    error: document.error === undefined ? null : { code: document.error.code, message: document.error.message },
    collection: document.collectionId,
    collectionName: document.collectionName,
    source: document.source,
    type: document.type,
    connector: document.connectorId ?? null,
    externalId: document.externalId ?? null,
    url: document.url ?? null,
    metadata: metadataOf(document),
    chunkCount: document.chunkCount,
    sizeBytes: document.sizeBytes,
    createdAt: time(document.createdAt),
    updatedAt: time(document.updatedAt),
    indexedAt: time(document.indexedAt),
    principals: document.principals?.values ?? null,
  };
}

function required(document: Document | undefined): Document {
  if (document === undefined) throw new AppError('internal_error', 'Something went wrong on our side.');
  return document;
}

/** A document with its text. Here `collection` is the collection's name, as the contract has it. */
export function documentContent({ document: given, content }: DocumentContent) {
  const document = required(given);
  return {
    id: document.id,
    title: document.title,
    content,
    status: enumText(DocumentStatus, document.status),
    collection: document.collectionName,
    source: document.source,
    metadata: metadataOf(document),
  };
}

export function documentSummary({ document: given, summary }: DocumentSummary) {
  const document = required(given);
  return { id: document.id, title: document.title, summary, metadata: metadataOf(document) };
}

export const documentStatus = z.enum(enumTexts(DocumentStatus));

/** What was given or read of a document; `author`, `url` and `pages` have a type. */
const metadata = z.looseObject({
  author: z.string().optional(),
  url: z.string().optional(),
  pages: z.int().optional(),
});

const ID_EXAMPLE = 'doc_01h455vb4pex5vsknk084sn02q';
const AT_EXAMPLE = '2026-11-21T10:00:00.000Z';

export const documentRecordSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    status: documentStatus,
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why it could not be indexed' }),
    collection: z.string().meta({ description: "The collection's id" }),
    collectionName: z.string(),
    source: z.string().meta({ description: 'The platform it came from' }),
    type: z.string(),
    connector: z.string().nullable(),
    externalId: z.string().nullable(),
    url: z.string().nullable(),
    metadata,
    chunkCount: z.int(),
    sizeBytes: z.int().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    indexedAt: timestamp.nullable(),
    principals: z.array(z.string()).nullable().meta({
      description: 'Who may read the document; null for a publishable key and for a request with X-Service-User',
    }),
  })
  .meta({
    id: 'Document',
    description: "A document's record, without its text",
    examples: [
      {
        id: ID_EXAMPLE,
        title: 'Leave',
        status: 'indexed',
        error: null,
        collection: 'col_01h455vb4pex5vsknk084sn02q',
        collectionName: 'Handbook',
        source: 'upload',
        type: 'pdf',
        connector: null,
        externalId: null,
        url: null,
        metadata: { author: 'Ada', pages: 2 },
        chunkCount: 4,
        sizeBytes: 9_000,
        createdAt: AT_EXAMPLE,
        updatedAt: AT_EXAMPLE,
        indexedAt: AT_EXAMPLE,
        principals: ['public'],
      },
    ],
  });

export const documentContentSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    content: z.string().meta({ description: 'The whole text; empty while it is not read yet' }),
    status: documentStatus,
    collection: z.string().meta({ description: "The collection's name" }),
    source: z.string(),
    metadata,
  })
  .meta({
    id: 'DocumentContent',
    examples: [
      {
        id: ID_EXAMPLE,
        title: 'Leave',
        content: 'Thirty days a year.',
        status: 'indexed',
        collection: 'Handbook',
        source: 'upload',
        metadata: {},
      },
    ],
  });

export const documentSummarySchema = z
  .object({ id: z.string(), title: z.string(), summary: z.string(), metadata })
  .meta({
    id: 'DocumentSummary',
    examples: [{ id: ID_EXAMPLE, title: 'Leave', summary: 'How much leave there is.', metadata: {} }],
  });
