import { type FilterReadableRequest, type FilterReadableResponse, isId } from '@lectern/contracts';
import { invalidRequest, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { LIVE_STATES } from '#document-status';
import { readableBy } from '#groups/readable-by';

const MAX_IDS = 10_000;

/** Returns the documents that the caller can read now, by the same rule as `findDocument`. */
export const filterReadable =
  (context: Context) =>
  async ({ ids }: FilterReadableRequest, { caller }: ServiceCall): Promise<FilterReadableResponse> => {
    if (ids.length > MAX_IDS) throw invalidRequest([{ path: 'ids', message: `must have at most ${MAX_IDS} items` }]);
    const known = [...new Set(ids)].filter((id) => isId('document', id));
    if (known.length === 0) return { ids: [] };
    const rows = await context.db.document.findMany({
      where: {
        id: { in: known },
        teamId: caller.teamId,
        status: { in: LIVE_STATES },
        collection: { deletedAt: null },
        ...(caller.scope.kind === 'all' ? {} : { collectionId: { in: [...caller.scope.ids] } }),
        ...(await readableBy(context, caller)),
      },
      select: { id: true },
    });
    return { ids: rows.map(({ id }) => id) };
  };
