import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { pageQuery } from '#http/paging';
import { agentItem, agentItemSchema } from '#operations/agents/view';

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
  answer: answersPage(z.array(agentItemSchema)),
  handle: async (ctx, { query }, call) => {
    const answer = await ctx.clients.agents.listAgents({ page: query }, onBehalfOf(call));
    return page(answer.agents.map(agentItem), answer.page);
  },
});
