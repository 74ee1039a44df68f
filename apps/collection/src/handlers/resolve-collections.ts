import type { ResolveCollectionsRequest } from '@lectern/contracts';
import { isId, notFound, requireReach, type ServiceCall } from '@lectern/service-kit';
import { reachableCollections } from '#collections/find-collection';
import type { Context } from '#context';

const FIELDS = { id: true, name: true, embeddingModel: true } as const;

/** The collections that a search may look into: those named, each checked, or all that the caller reaches. */
export const resolveCollections =
  (context: Context) => async (request: ResolveCollectionsRequest, call: ServiceCall) => {
    const { caller } = call;
    if (request.ids.length === 0) {
      const collections = await context.db.collection.findMany({ where: reachableCollections(caller), select: FIELDS });
      return { collections };
    }
    const ids = request.ids.filter((id) => isId('collection', id));
    const collections = await context.db.collection.findMany({
      where: { id: { in: ids }, teamId: caller.teamId, deletedAt: null },
      select: FIELDS,
    });
    const known = new Set(collections.map(({ id }) => id));
    for (const id of request.ids) if (!known.has(id)) throw notFound('collection', id);
    for (const id of known) requireReach(caller, id);
    return { collections };
  };
