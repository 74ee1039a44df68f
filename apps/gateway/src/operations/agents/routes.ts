import { agents } from '@lectern/api-spec';
import { idOf, onBehalfOf } from '@lectern/service-kit';
import { data, page, recordData } from '#http/api-response';
import { agentItem, agentRecord, templateRecord } from '#operations/agents/mapping';
import { orEmpty } from '#operations/convert';
import { route } from '#pipeline/operation';

/** Wraps a list, because protobuf cannot distinguish an empty list from an omitted one. */
const optionalList = (values: string[] | undefined) => (values === undefined ? undefined : { values });

export const agentRoutes = [
  route(agents.listAgents, async (ctx, { query }, call) => {
    const response = await ctx.clients.agents.listAgents({ page: query }, onBehalfOf(call));
    return page(response.agents.map(agentItem), response.page);
  }),

  route(agents.createAgent, async (ctx, { body: { collections, ...body } }, call) => {
    const request = { ...body, collectionIds: collections, id: idOf('agent', call.seed) };
    const agent = await ctx.clients.agents.createAgent(request, onBehalfOf(call));
    return recordData(agentRecord(agent), agent.revision, { shown: agentItem(agent) });
  }),

  route(agents.getAgent, async (ctx, { params }, call) => {
    const agent = await ctx.clients.agents.getAgent(params, onBehalfOf(call));
    return recordData(agentRecord(agent), agent.revision);
  }),

  route(
    agents.updateAgent,
    async (ctx, { params, body: { tools, collections, description, startMessage, ...body } }, call) => {
      const request = {
        ...params,
        ...body,
        description: orEmpty(description),
        startMessage: orEmpty(startMessage),
        tools: optionalList(tools),
        collectionIds: optionalList(collections),
        precondition: call.ifMatch,
      };
      const agent = await ctx.clients.agents.updateAgent(request, onBehalfOf(call));
      return recordData(agentRecord(agent), agent.revision);
    },
    {
      current: async (ctx, params, call) => {
        const agent = await ctx.clients.agents.getAgent(params, onBehalfOf(call));
        return { record: agentRecord(agent), revision: agent.revision };
      },
    },
  ),

  route(agents.deleteAgent, async (ctx, { params }, call) => {
    const { id } = await ctx.clients.agents.deleteAgent({ ...params, precondition: call.ifMatch }, onBehalfOf(call));
    return data({ id, deleted: true });
  }),

  route(agents.listTemplates, async (ctx, { query }, call) => {
    const response = await ctx.clients.templates.listTemplates({ page: query }, onBehalfOf(call));
    return page(response.templates.map(templateRecord), response.page);
  }),

  route(agents.getTemplate, async (ctx, { params }, call) =>
    data(templateRecord(await ctx.clients.templates.getTemplate(params, onBehalfOf(call)))),
  ),

  route(agents.createFromTemplate, async (ctx, { params, body: { collections, ...body } }, call) => {
    const request = { ...params, ...body, collectionIds: collections, id: idOf('agent', call.seed) };
    const agent = await ctx.clients.templates.createFromTemplate(request, onBehalfOf(call));
    return recordData(agentRecord(agent), agent.revision, { shown: agentItem(agent) });
  }),
];
