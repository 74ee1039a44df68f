import { toolServers } from '@lectern/api-spec';
import { idOf, onBehalfOf } from '@lectern/service-kit';
import { data, page, recordData } from '#http/api-response';
import { orEmpty } from '#operations/convert';
import { serverRecord, serverReport, toolRecord } from '#operations/tool-servers/mapping';
import { route } from '#pipeline/operation';

export const toolServerRoutes = [
  route(toolServers.listToolServers, async (ctx, { query }, call) => {
    const response = await ctx.clients.toolServers.listToolServers({ page: query }, onBehalfOf(call));
    return page(response.servers.map(serverRecord), response.page);
  }),

  route(toolServers.createToolServer, async (ctx, { body }, call) => {
    const request = { ...body, id: idOf('tool_server', call.seed) };
    const server = await ctx.clients.toolServers.createToolServer(request, onBehalfOf(call));
    return recordData(serverRecord(server), server.revision);
  }),

  route(toolServers.getToolServer, async (ctx, { params }, call) => {
    const server = await ctx.clients.toolServers.getToolServer(params, onBehalfOf(call));
    return recordData(serverRecord(server), server.revision);
  }),

  route(
    toolServers.updateToolServer,
    async (ctx, { params, body: { documentUrl, ...body } }, call) => {
      const request = { ...params, ...body, documentUrl: orEmpty(documentUrl), precondition: call.ifMatch };
      const server = await ctx.clients.toolServers.updateToolServer(request, onBehalfOf(call));
      return recordData(serverRecord(server), server.revision);
    },
    {
      current: async (ctx, params, call) => {
        const server = await ctx.clients.toolServers.getToolServer(params, onBehalfOf(call));
        return { record: serverRecord(server), revision: server.revision };
      },
    },
  ),

  route(toolServers.deleteToolServer, async (ctx, { params }, call) => {
    const request = { ...params, precondition: call.ifMatch };
    const { id } = await ctx.clients.toolServers.deleteToolServer(request, onBehalfOf(call));
    return data({ id, deleted: true });
  }),

  route(toolServers.refreshTools, async (ctx, { params }, call) =>
    data(serverRecord(await ctx.clients.toolServers.refreshTools(params, onBehalfOf(call)))),
  ),

  route(toolServers.testToolServer, async (ctx, { params }, call) =>
    data(serverReport(await ctx.clients.toolServers.testToolServer(params, onBehalfOf(call)))),
  ),

  route(toolServers.listServerTools, async (ctx, { params, query }, call) => {
    const request = { serverId: params.id, page: query };
    const response = await ctx.clients.toolServers.listServerTools(request, onBehalfOf(call));
    return page(response.tools.map(toolRecord), response.page);
  }),

  route(toolServers.updateServerTool, async (ctx, { params, body }, call) => {
    const request = { serverId: params.id, name: params.toolName, ...body };
    return data(toolRecord(await ctx.clients.toolServers.updateServerTool(request, onBehalfOf(call))));
  }),

  route(toolServers.listOutsideTools, async (ctx, { query }, call) => {
    const response = await ctx.clients.toolServers.listServerTools({ page: query }, onBehalfOf(call));
    return page(response.tools.map(toolRecord), response.page);
  }),
];
