import { type Caller, requiredFilter } from '@lectern/service-kit';
import type { Counts } from '@lectern/vector-store';
import { modelsOf } from '#collections/collection-models';
import type { Context } from '#context';
import type { Collection } from '#gen/prisma/client';
import { principalsOfCaller } from '#groups/principals-of-user';

/** Counts the indexed documents of a collection that a user token with filters can read. */
export async function countRequired(
  context: Context,
  caller: Caller,
  collection: Pick<Collection, 'id' | 'embeddingModel' | 'previousModels'>,
): Promise<Counts> {
  const scope = {
    team: caller.teamId,
    collections: [collection.id],
    principals: await principalsOfCaller(context, caller),
    required: requiredFilter(caller),
  };
  const counts = await Promise.all(modelsOf(collection).map((model) => context.store.count(model, scope)));
  const sum = (name: keyof Counts) => counts.reduce((total, count) => total + count[name], 0);
  return { documents: sum('documents'), passages: sum('passages') };
}
