import { type IndexItemRequest, toPrincipals } from '@lectern/contracts';
import { notFound, requireInScope, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { requirePages } from '#documents/document-pages';
import { toDocumentRecord } from '#documents/document-record';
import { noteMissingGroups } from '#groups/note-missing-groups';
import { indexVersion } from '#indexing/index-document';

/**
 * Stores the content of a connector's item, creates its document if it does not exist, and indexes
 * it before it returns.
 */
export const indexItem = (context: Context) => async (request: IndexItemRequest, call: ServiceCall) => {
  requireInScope(call.caller, request.collectionId);
  requirePages(request.pages, request.content);
  const principals = toPrincipals(request.principals);
  await noteMissingGroups(context.db, { connectorId: request.connectorId, renew: false }, principals);
  const row = await context.storeItem({
    ...request,
    principals,
    teamId: call.caller.teamId,
  });
  if (row === undefined) throw notFound('collection', request.collectionId);
  return toDocumentRecord(await indexVersion(context, row, request.content, call.signal), call.caller);
};
