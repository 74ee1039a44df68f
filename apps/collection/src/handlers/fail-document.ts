import type { FailDocumentRequest } from '@lectern/contracts';
import { invalidRequest, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { toDocumentRecord } from '#documents/document-record';
import { failDocument as markFailed } from '#documents/fail-document';
import { findDocument } from '#documents/find-document';

/** Marks a document `failed`. */
export const failDocument = (context: Context) => async (request: FailDocumentRequest, call: ServiceCall) => {
  const { id, teamId } = await findDocument(context, call.caller, request.id);
  if (request.error === undefined) throw invalidRequest([{ path: 'error', message: 'is required' }]);
  await markFailed(context, teamId, id, request.error);
  return toDocumentRecord(await findDocument(context, call.caller, id), call.caller);
};
