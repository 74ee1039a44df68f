import { searchModels } from '@lectern/api-spec';
import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/api-response';
import { searchModelRecord } from '#operations/search-models/mapping';
import { route } from '#pipeline/operation';

export const searchModelRoutes = [
  route(searchModels.listSearchModels, async (ctx, _input, call) => {
    const { models } = await ctx.clients.searchModels.listSearchModels({}, onBehalfOf(call));
    return data(models.map(searchModelRecord));
  }),

  route(searchModels.useSearchModel, async (ctx, { params }, call) =>
    data(searchModelRecord(await ctx.clients.searchModels.useSearchModel(params, onBehalfOf(call)))),
  ),
];
