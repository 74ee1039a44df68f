import { onBehalfOf, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import type { LearnedSpaces } from '#search/learned-leg';
import { loadSpace } from '#search/load-space';

/**
 * Whose documents a call searches. Collections are resolved for each request, so that a deletion or a change of scope counts at once; requests of one
 * caller that wait at the same time for the same collections are told by one call, which began after all of them.
 */
export async function reachOf(context: Context, collectionIds: readonly string[], call: ServiceCall) {
  const { collections, spaces, principals } = await context.collections.resolveCollections(
    { ids: [...new Set(collectionIds)] },
    onBehalfOf(call),
  );
  const spacesByModel = new Map(spaces.map(({ embeddingModel, ids }) => [embeddingModel, ids]));
  const learned: LearnedSpaces = {
    idsOf: (model) => spacesByModel.get(model),
    encoder: (id) => context.spaces.get(id, () => loadSpace(context, id, call)),
  };
  return { team: call.caller.teamId, collections, spaces: learned, principals: principals?.values };
}
