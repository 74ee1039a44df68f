import type { UpdateCollectionRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { changeModel } from '#collections/change-model';
import { chooseModel } from '#collections/collection-models';
import { toCollectionRecord } from '#collections/collection-record';
import { findCollection } from '#collections/find-collection';
import type { Context } from '#context';

/** Changes a collection's name, description or embedding model; what is left out stays. */
export const updateCollection = (context: Context) => async (request: UpdateCollectionRequest, call: ServiceCall) => {
  const { id } = await findCollection(context, call.caller, request.id);
  if (request.embeddingModel !== undefined)
    await changeModel(context, id, await chooseModel(context, request.embeddingModel, call.signal));
  const row = await context.db.collection.update({
    where: { id },
    data: {
      ...(request.name === undefined ? {} : { name: request.name }),
      ...(request.description === undefined ? {} : { description: request.description || null }),
    },
  });
  return toCollectionRecord(context, call.caller, row);
};
