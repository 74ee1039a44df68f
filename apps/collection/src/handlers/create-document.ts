import {
  type CreateDocumentRequest,
  type CreateDocumentsRequest,
  type CreateDocumentsResponse_Result,
  isId,
  toPrincipals,
} from '@lectern/contracts';
import { invalidRequest, type ServiceCall, toAppError } from '@lectern/service-kit';
import { requireCollection } from '#collections/find-collection';
import type { Context } from '#context';
import { createDocument as createAndQueue } from '#documents/create-document';
import { toDocumentRecord } from '#documents/document-record';
import { documentTypeOf } from '#documents/document-type';
import type { NewDocument } from '#documents/insert-documents';

/** Returns the URL in the metadata, if there is one. */
const urlIn = (metadata: CreateDocumentRequest['metadata']): string | undefined =>
  typeof metadata?.url === 'string' ? metadata.url : undefined;

function toNewDocument(request: CreateDocumentRequest, collectionId: string, { caller }: ServiceCall): NewDocument {
  if (request.id !== undefined && !isId('document', request.id)) {
    throw invalidRequest([{ path: 'id', message: 'must be the id of a document' }]);
  }
  return {
    id: request.id,
    teamId: caller.teamId,
    collectionId,
    title: request.title,
    content: request.content,
    type: documentTypeOf(request.content),
    url: request.url ?? urlIn(request.metadata),
    metadata: request.metadata,
    externalId: request.externalId,
    principals: request.principals.length === 0 ? undefined : toPrincipals(request.principals),
    source: request.source ?? 'api',
  };
}

/** Creates a document from text and queues its indexing. */
export const createDocument = (context: Context) => async (request: CreateDocumentRequest, call: ServiceCall) => {
  const newDocument = toNewDocument(request, request.collectionId, call);
  await requireCollection(context, call.caller, request.collectionId);
  return toDocumentRecord(await createAndQueue(context, newDocument), call.caller);
};

/** Errors that concern all documents of a call. */
const COMMON_ERRORS: ReadonlySet<string> = new Set(['unavailable', 'timeout', 'cancelled', 'not_found']);

/** Creates documents from texts, stored together, and queues their indexing. */
export const createDocuments =
  (context: Context) =>
  async ({ collectionId, documents }: CreateDocumentsRequest, call: ServiceCall) => {
    await requireCollection(context, call.caller, collectionId);
    const create = async (request: CreateDocumentRequest): Promise<CreateDocumentsResponse_Result> => {
      try {
        const { id, version } = await createAndQueue(context, toNewDocument(request, collectionId, call));
        return { id, updated: version > 1, error: undefined };
      } catch (error) {
        const { code, message } = toAppError(error);
        if (COMMON_ERRORS.has(code)) throw error;
        if (code === 'internal_error') context.log.error({ err: error }, 'could not create a document of a batch');
        return { id: '', updated: false, error: { code, message } };
      }
    };
    return { results: await Promise.all(documents.map(create)) };
  };
