import { type IndexDocumentRequest, toPrincipals } from '@lectern/contracts';
import { isNarrowedByPrincipals, notFound, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { requirePages } from '#documents/document-pages';
import { toDocumentRecord } from '#documents/document-record';
import { findDocument } from '#documents/find-document';
import { connectorGroupsIn, noteMissingGroups } from '#groups/note-missing-groups';
import { indexVersion } from '#indexing/index-document';

/** Stores a document's content and indexes it before it returns. */
export const indexDocument = (context: Context) => async (request: IndexDocumentRequest, call: ServiceCall) => {
  const { caller } = call;
  requirePages(request.pages, request.content);
  const principals = toPrincipals(request.principals);
  const isRestricted = caller.scope.kind !== 'all' || isNarrowedByPrincipals(caller);
  // A sync calls this for each item, mostly without groups. Then the write itself checks the rest.
  if (isRestricted || connectorGroupsIn(principals).length > 0) {
    const { connectorId } = await findDocument(context, caller, request.id);
    if (connectorId !== null) await noteMissingGroups(context.db, { connectorId, renew: false }, principals);
  }
  const row = await context.storeContent({ ...request, teamId: caller.teamId, principals });
  if (row === undefined) throw notFound('document', request.id);
  return toDocumentRecord(await indexVersion(context, row, request.content, call.signal), caller);
};
