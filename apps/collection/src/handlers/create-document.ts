import { type CreateDocumentRequest, isId, toPrincipals } from '@lectern/contracts';
import { invalidRequest, type ServiceCall } from '@lectern/service-kit';
import { requireCollection } from '#collections/find-collection';
import type { Context } from '#context';
import { createDocument as createAndQueue } from '#documents/create-document';
import { toDocumentRecord } from '#documents/document-record';
import { documentTypeOf } from '#documents/document-type';

/** Returns the URL in the metadata, if there is one. */
const urlIn = (metadata: CreateDocumentRequest['metadata']): string | undefined =>
  typeof metadata?.url === 'string' ? metadata.url : undefined;

/** Creates a document from text and queues its indexing. */
export const createDocument = (context: Context) => async (request: CreateDocumentRequest, call: ServiceCall) => {
  if (request.id !== undefined && !isId('document', request.id)) {
    throw invalidRequest([{ path: 'id', message: 'must be the id of a document' }]);
  }
  await requireCollection(context, call.caller, request.collectionId);
  const row = await createAndQueue(context, {
    id: request.id,
    teamId: call.caller.teamId,
    collectionId: request.collectionId,
    title: request.title,
    content: request.content,
    type: documentTypeOf(request.content),
    url: request.url ?? urlIn(request.metadata),
    metadata: request.metadata,
    externalId: request.externalId,
    principals: request.principals.length === 0 ? undefined : toPrincipals(request.principals),
    source: request.source ?? 'api',
  });
  return toDocumentRecord(row, call.caller);
};
