import { modelEndpoints as spec } from '@lectern/api-spec';
import { idOf, onBehalfOf } from '@lectern/service-kit';
import { data, page, recordData } from '#http/api-response';
import { orEmpty } from '#operations/convert';
import { endpointRecord, endpointReport, requestedModels } from '#operations/model-endpoints/mapping';
import { route } from '#pipeline/operation';

export const modelEndpointRoutes = [
  route(spec.listModelEndpoints, async (ctx, { query }, call) => {
    const response = await ctx.clients.modelEndpoints.listModelEndpoints({ page: query }, onBehalfOf(call));
    return page(response.endpoints.map(endpointRecord), response.page);
  }),

  route(spec.createModelEndpoint, async (ctx, { body: { url, models, ...body } }, call) => {
    const id = idOf('model_endpoint', call.seed);
    const request = { ...body, id, url: url ?? undefined, models: requestedModels(models) };
    const endpoint = await ctx.clients.modelEndpoints.createModelEndpoint(request, onBehalfOf(call));
    return recordData(endpointRecord(endpoint), endpoint.revision);
  }),

  route(spec.testModelEndpoint, async (ctx, { body: { url, ...body } }, call) => {
    const request = { ...body, url: orEmpty(url) };
    return data(endpointReport(await ctx.clients.modelEndpoints.testModelEndpoint(request, onBehalfOf(call))));
  }),

  route(spec.getModelEndpoint, async (ctx, { params }, call) => {
    const endpoint = await ctx.clients.modelEndpoints.getModelEndpoint(params, onBehalfOf(call));
    return recordData(endpointRecord(endpoint), endpoint.revision);
  }),

  route(
    spec.updateModelEndpoint,
    async (ctx, { params, body: { url, key, models, name } }, call) => {
      const given = models === undefined ? undefined : { models: requestedModels(models) };
      const request = {
        ...params,
        name,
        url: orEmpty(url),
        key: orEmpty(key),
        models: given,
        precondition: call.ifMatch,
      };
      const endpoint = await ctx.clients.modelEndpoints.updateModelEndpoint(request, onBehalfOf(call));
      return recordData(endpointRecord(endpoint), endpoint.revision);
    },
    {
      current: async (ctx, params, call) => {
        const endpoint = await ctx.clients.modelEndpoints.getModelEndpoint(params, onBehalfOf(call));
        return { record: endpointRecord(endpoint), revision: endpoint.revision };
      },
    },
  ),

  route(spec.deleteModelEndpoint, async (ctx, { params }, call) => {
    const request = { ...params, precondition: call.ifMatch };
    const { id } = await ctx.clients.modelEndpoints.deleteModelEndpoint(request, onBehalfOf(call));
    return data({ id, deleted: true });
  }),

  route(spec.getModelSettings, async (ctx, _input, call) => {
    const { defaultModel } = await ctx.clients.modelEndpoints.getModelSettings({}, onBehalfOf(call));
    return data({ defaultModel: defaultModel ?? null });
  }),

  route(spec.updateModelSettings, async (ctx, { body }, call) => {
    const request = { defaultModel: body.defaultModel ?? undefined };
    const { defaultModel } = await ctx.clients.modelEndpoints.setModelSettings(request, onBehalfOf(call));
    return data({ defaultModel: defaultModel ?? null });
  }),
];
