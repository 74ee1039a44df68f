import type { CreateCollectionRequest } from '@lectern/contracts';
import { createOnce, requireFullScope, type ServiceCall } from '@lectern/service-kit';
import { chooseModel } from '#collections/collection-models';
import { toCollectionRecord } from '#collections/collection-record';
import type { Context } from '#context';
import { teamModel } from '#search-models/choices';

/** Creates an empty collection in the caller's team. */
export const createCollection = (context: Context) => async (request: CreateCollectionRequest, call: ServiceCall) => {
  requireFullScope(call.caller, 'create collections');
  const { teamId } = call.caller;
  const requestedModel = request.embeddingModel ?? (await teamModel(context, teamId));
  const embeddingModel = await chooseModel(context, requestedModel, call.signal);
  const { name } = request;
  const description = request.description || null;
  const row = await createOnce({
    kind: 'collection',
    id: request.id,
    find: (id) => context.db.collection.findUnique({ where: { id, teamId } }),
    create: (id) => context.db.collection.create({ data: { id, teamId, name, description, embeddingModel } }),
  });
  return toCollectionRecord(context, call.caller, row);
};
