import type { ResolveCollectionsResponse } from '@lectern/contracts';
import { onBehalfOf, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import type { LearnedSpaces } from '#search/learned-leg';
import { loadSpace } from '#search/load-space';

/** Whose documents a call searches. */
export type Reach = ReturnType<typeof reachOf>;

/**
 * Searches what the caller reaches. Collections are resolved for each request, so that a deletion or a change of scope counts at once; requests of one
 * caller that wait at the same time for the same collections are told by one call, which began after all of them. Meanwhile the search begins by what
 * was reached the last time, and counts where that is still so.
 */
export async function withinReach<Result>(
  context: Context,
  collectionIds: readonly string[],
  call: ServiceCall,
  search: (reach: Reach) => Promise<Result>,
): Promise<Result> {
  const ids = [...new Set(collectionIds)];
  const { metadata } = onBehalfOf(call);
  const key = JSON.stringify([call.caller, ids]);
  const resolve = () => context.shareResolved(key, () => context.collections.resolveCollections({ ids }, { metadata }));
  const work = (resolved: ResolveCollectionsResponse) => {
    call.signal.throwIfAborted();
    return search(reachOf(context, resolved, call));
  };
  // A reranker is shown passages, which may be somebody else's service: nothing goes there before the reach is known.
  if (context.reranker) return work(await resolve());
  return context.searchAhead(key, resolve, work);
}

function reachOf(context: Context, { collections, spaces, principals }: ResolveCollectionsResponse, call: ServiceCall) {
  const spacesByModel = new Map(spaces.map(({ embeddingModel, ids }) => [embeddingModel, ids]));
  const learned: LearnedSpaces = {
    idsOf: (model) => spacesByModel.get(model),
    encoder: (id) => context.spaces.get(id, () => loadSpace(context, id, call)),
  };
  return { team: call.caller.teamId, collections, spaces: learned, principals: principals?.values };
}
