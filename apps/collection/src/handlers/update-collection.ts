import type { UpdateCollectionRequest } from '@lectern/contracts';
import { requireRevision, type ServiceCall } from '@lectern/service-kit';
import { changeModel } from '#collections/change-model';
import { chooseModel } from '#collections/collection-models';
import { collectionRevision, toCollectionRecord } from '#collections/collection-record';
import { findCollection } from '#collections/find-collection';
import { lockCollection } from '#collections/lock-collection';
import type { Context } from '#context';

/** Changes a collection's name, description or embedding model; omitted fields do not change. */
export const updateCollection = (context: Context) => async (request: UpdateCollectionRequest, call: ServiceCall) => {
  const { id, embeddingModel } = await findCollection(context, call.caller, request.id);
  // Naming the current model again is not a change, even if that model is no longer configured.
  const requestedModel = request.embeddingModel === embeddingModel ? undefined : request.embeddingModel;
  const model = requestedModel === undefined ? undefined : await chooseModel(context, requestedModel, call.signal);
  const row = await context.db.$transaction(async (tx) => {
    requireRevision(request.precondition, collectionRevision(await lockCollection(tx, id)));
    if (model !== undefined) await changeModel(tx, id, model);
    return tx.collection.update({
      where: { id },
      data: {
        ...(request.name === undefined ? {} : { name: request.name }),
        ...(request.description === undefined ? {} : { description: request.description || null }),
      },
    });
  });
  return toCollectionRecord(context, call.caller, row);
};
