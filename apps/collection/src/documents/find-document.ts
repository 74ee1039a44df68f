import { isId } from '@lectern/contracts';
import { type Caller, notFound, requireInScope } from '@lectern/service-kit';
import type { Context } from '#context';
import { LIVE_STATES } from '#document-status';
import { type DocumentWithCollection, WITH_COLLECTION } from '#documents/document-record';
import { requirementOf } from '#documents/required';
import { readableByPrincipals } from '#groups/readable-by';

/**
 * Returns a live document of the caller's team. Throws `not_found` if it does not exist, the end user
 * cannot read it or it does not meet the filters of a user token, and `forbidden` if its collection is outside the key's scope.
 */
export async function findDocument(context: Context, caller: Caller, id: string): Promise<DocumentWithCollection> {
  const row = isId('document', id)
    ? await context.db.document.findFirst({
        where: {
          id,
          teamId: caller.teamId,
          status: { in: LIVE_STATES },
          ...(await readableByPrincipals(context, caller)),
        },
        include: WITH_COLLECTION,
      })
    : null;
  const meetsFilters = requirementOf(caller);
  if (row === null || meetsFilters?.(row) === false) throw notFound('document', id);
  requireInScope(caller, row.collectionId);
  return row;
}
