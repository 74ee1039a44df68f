import { type Caller, invalidRequest } from '@lectern/service-kit';
import type { Context } from '#context';
import { LIVE_STATES } from '#document-status';
import { FILTERED_COLUMNS, requirementOf } from '#documents/required';
import { readableByPrincipals } from '#groups/readable-by';

/** Documents per query. */
const BATCH = 1_000;

/**
 * Throws `invalid_request` with the documents that do not exist or that the caller cannot read:
 * both look the same, so the error reveals nothing. `named` are the documents
 * that a request names, by the path of each.
 */
export async function requireReadableDocuments(
  context: Context,
  caller: Caller,
  named: readonly (readonly [path: string, id: string])[],
): Promise<void> {
  const ids = [...new Set(named.map(([, id]) => id))];
  const readable = await readableByPrincipals(context, caller);
  const meetsFilters = requirementOf(caller);
  const known = new Set<string>();
  for (let at = 0; at < ids.length; at += BATCH) {
    const rows = await context.db.document.findMany({
      where: {
        id: { in: ids.slice(at, at + BATCH) },
        teamId: caller.teamId,
        status: { in: LIVE_STATES },
        ...(caller.scope.kind === 'all' ? {} : { collectionId: { in: [...caller.scope.ids] } }),
        ...readable,
      },
      select: FILTERED_COLUMNS,
    });
    for (const row of rows) if (meetsFilters?.(row) !== false) known.add(row.id);
  }
  const unknown = named.filter(([, id]) => !known.has(id));
  if (unknown.length === 0) return;
  throw invalidRequest(unknown.map(([path]) => ({ path, message: 'must be the id of a document that you can read' })));
}
