import type { CreateCollectionRequest } from '@lectern/contracts';
import { newId, requireFullScope, type ServiceCall } from '@lectern/service-kit';
import { chooseModel } from '#collections/collection-models';
import { toCollectionRecord } from '#collections/collection-record';
import type { Context } from '#context';

/** Makes an empty collection of the caller's team. */
export const createCollection = (context: Context) => async (request: CreateCollectionRequest, call: ServiceCall) => {
  requireFullScope(call.caller, 'create collections');
  const row = await context.db.collection.create({
    data: {
      id: newId('collection'),
      teamId: call.caller.teamId,
      name: request.name,
      description: request.description || null,
      embeddingModel: await chooseModel(context, request.embeddingModel, call.signal),
    },
  });
  return toCollectionRecord(context, call.caller, row);
};
