import type { ListSearchModelsRequest } from '@lectern/contracts';
import { requireFullScope, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { searchModelRecords } from '#search-models/search-model-record';

/** Lists the embedding models that the caller's team can choose. */
export const listSearchModels = (context: Context) => async (_request: ListSearchModelsRequest, call: ServiceCall) => {
  requireFullScope(call.caller, 'list search models');
  return { models: await searchModelRecords(context, call.caller.teamId) };
};
