import { type FilterReadableRequest, type FilterReadableResponse, isId } from '@lectern/contracts';
import { invalidRequest, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { LIVE_STATES } from '#document-status';
import { FILTERED_COLUMNS, requirementOf } from '#documents/required';
import { readableByPrincipals } from '#groups/readable-by';

const MAX_IDS = 10_000;
/** Documents whose metadata is read at once. */
const BATCH = 200;

/** Returns the documents that the caller can read now, by the same rule as `findDocument`. */
export const filterReadable =
  (context: Context) =>
  async ({ ids }: FilterReadableRequest, { caller }: ServiceCall): Promise<FilterReadableResponse> => {
    if (ids.length > MAX_IDS) throw invalidRequest([{ path: 'ids', message: `must have at most ${MAX_IDS} items` }]);
    const known = [...new Set(ids)].filter((id) => isId('document', id));
    if (known.length === 0) return { ids: [] };
    const where = {
      teamId: caller.teamId,
      status: { in: LIVE_STATES },
      collection: { deletedAt: null },
      ...(caller.scope.kind === 'all' ? {} : { collectionId: { in: [...caller.scope.ids] } }),
      ...(await readableByPrincipals(context, caller)),
    };
    const meetsFilters = requirementOf(caller);
    if (meetsFilters === undefined) {
      const rows = await context.db.document.findMany({ where: { id: { in: known }, ...where }, select: { id: true } });
      return { ids: rows.map(({ id }) => id) };
    }
    const readable: string[] = [];
    for (let from = 0; from < known.length; from += BATCH) {
      const batch = { id: { in: known.slice(from, from + BATCH) }, ...where };
      const rows = await context.db.document.findMany({ where: batch, select: FILTERED_COLUMNS });
      readable.push(...rows.filter(meetsFilters).map(({ id }) => id));
    }
    return { ids: readable };
  };
