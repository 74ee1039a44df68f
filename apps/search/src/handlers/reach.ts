import { onBehalfOf, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { principalsOf } from '#search/principals';

/** Whose documents a call searches. Collections are resolved for each request, so that a deletion or a change of scope counts at once. */
export async function reachOf(context: Context, collectionIds: readonly string[], call: ServiceCall) {
  const { collections } = await context.collections.resolveCollections(
    { ids: [...new Set(collectionIds)] },
    onBehalfOf(call),
  );
  return { team: call.caller.teamId, collections, principals: principalsOf(call.caller.userEmail) };
}
