import { onBehalfOf } from '@lectern/service-kit';
import { page } from '#http/answer';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { pageQuery } from '#http/paging';
import { agentItem } from '#operations/agents/view';

export const listAgents = defineOperation({
  id: 'listAgents',
  method: 'get',
  path: '/api/v1/agents',
  summary: 'List agents, newest first',
  access: 'secret',
  params: none,
  query: pageQuery,
  body: noBody,
  success: 200,
  handle: async (ctx, { query }, call) => {
    const answer = await ctx.clients.agents.listAgents({ page: query }, onBehalfOf(call));
    return page(answer.agents.map(agentItem), answer.page);
  },
});
