import type { IndexDocumentRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { toDocumentRecord } from '#documents/document-record';
import { findDocument } from '#documents/find-document';
import { storeContent } from '#documents/store-content';
import { indexDocument as indexStoredVersion } from '#indexing/index-document';

/** Stores a document's content and indexes it before it answers. */
export const indexDocument = (context: Context) => async (request: IndexDocumentRequest, call: ServiceCall) => {
  const { id, teamId } = await findDocument(context, call.caller, request.id);
  await storeContent(context, teamId, id, request);
  return toDocumentRecord(await indexStoredVersion(context, id, call.signal));
};
