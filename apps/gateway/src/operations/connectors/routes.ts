import { connectors } from '@lectern/api-spec';
import { idOf, onBehalfOf } from '@lectern/service-kit';
import { data, page, recordData } from '#http/api-response';
import { connectionReport, connectorRecord } from '#operations/connectors/mapping';
import { route } from '#pipeline/operation';

export const connectorRoutes = [
  route(connectors.listConnectors, async (ctx, { query }, call) => {
    const response = await ctx.clients.connectors.listConnectors({ page: query }, onBehalfOf(call));
    return page(response.connectors.map(connectorRecord), response.page);
  }),

  route(connectors.createConnector, async (ctx, { body: { collection, ...body } }, call) => {
    const request = { ...body, collectionId: collection, id: idOf('connector', call.seed) };
    const connector = await ctx.clients.connectors.createConnector(request, onBehalfOf(call));
    return recordData(connectorRecord(connector), connector.revision);
  }),

  route(connectors.getConnector, async (ctx, { params }, call) => {
    const connector = await ctx.clients.connectors.getConnector(params, onBehalfOf(call));
    return recordData(connectorRecord(connector), connector.revision);
  }),

  route(
    connectors.updateConnector,
    async (ctx, { params, body }, call) => {
      const request = { ...params, ...body, precondition: call.ifMatch };
      const connector = await ctx.clients.connectors.updateConnector(request, onBehalfOf(call));
      return recordData(connectorRecord(connector), connector.revision);
    },
    {
      current: async (ctx, params, call) => {
        const connector = await ctx.clients.connectors.getConnector(params, onBehalfOf(call));
        return { record: connectorRecord(connector), revision: connector.revision };
      },
    },
  ),

  route(connectors.deleteConnector, async (ctx, { params, query }, call) => {
    const request = { ...params, keepDocuments: query.keepDocuments ?? false, precondition: call.ifMatch };
    const { id } = await ctx.clients.connectors.deleteConnector(request, onBehalfOf(call));
    return data({ id, deleted: true });
  }),

  route(connectors.testConnector, async (ctx, { params }, call) =>
    data(connectionReport(await ctx.clients.connectors.testConnector(params, onBehalfOf(call)))),
  ),

  route(connectors.testSettings, async (ctx, { body }, call) =>
    data(connectionReport(await ctx.clients.connectors.testSettings(body, onBehalfOf(call)))),
  ),
];
