import type { documents } from '@lectern/api-spec';
import {
  type CreateDocumentsResponse_Result,
  type Document,
  type DocumentContent,
  DocumentStatus,
  type DocumentSummary,
  type ListDocumentsRequest,
} from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import type { BodyOf } from '#http/body/reader';
import { enumText, time } from '#operations/convert';

/** The metadata of a document, with its URL if it has one. */
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

function requireDocument(document: Document | undefined): Document {
  if (document === undefined) throw new AppError('internal_error', 'The collection service returned no document.');
  return document;
}

type NewDocuments = BodyOf<(typeof documents.createDocuments)['body']>;

function batchResult(item: NewDocuments[number], result: CreateDocumentsResponse_Result | undefined) {
  const failed = (externalId: unknown, error: object) => ({
    status: 'failed' as const,
    id: null,
    externalId: typeof externalId === 'string' ? externalId : null,
    error,
  });
  if (item.error !== undefined) return failed(Object(item.sent).externalId, item.error);
  const { externalId } = item.value;
  if (result === undefined) throw new AppError('internal_error', 'The collection service returned too few results.');
  if (result.error !== undefined) return failed(externalId, { code: result.error.code, message: result.error.message });
  const status = result.updated ? ('updated' as const) : ('created' as const);
  return { status, id: result.id, externalId: externalId ?? null, error: null };
}

/** The results of a batch. The collection service returned those of the valid documents. */
export function batchResults(items: NewDocuments, stored: readonly CreateDocumentsResponse_Result[]) {
  const returned = stored.values();
  const results = items.map((item) => batchResult(item, item.error === undefined ? returned.next().value : undefined));
  const count = (status: string) => results.filter((result) => result.status === status).length;
  return { created: count('created'), updated: count('updated'), failed: count('failed'), results };
}

/** A document with its text. `collection` is the name of the collection here. */
export function documentContent(response: DocumentContent) {
  const document = requireDocument(response.document);
  return {
    id: document.id,
    title: document.title,
    content: response.content,
    status: enumText(DocumentStatus, document.status),
    collection: document.collectionName,
    source: document.source,
    metadata: metadataOf(document),
  };
}

/** A document with a summary of its text. */
export function documentSummary({ document: found, summary }: DocumentSummary) {
  const document = requireDocument(found);
  return { id: document.id, title: document.title, summary, metadata: metadataOf(document) };
}

const STATUSES = {
  pending: DocumentStatus.PENDING,
  processing: DocumentStatus.PROCESSING,
  indexed: DocumentStatus.INDEXED,
  failed: DocumentStatus.FAILED,
  deleted: DocumentStatus.DELETED,
} as const;

/** The request for a list of documents, without its collection or connector. */
export function listRequest({
  status,
  ...page
}: documents.DocumentListQuery): Pick<ListDocumentsRequest, 'page' | 'status'> {
  return { page, status: status === undefined ? undefined : STATUSES[status] };
}
