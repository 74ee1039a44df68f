import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation } from '#http/operation';
import { pageQuery } from '#http/paging';
import { idParams } from '#http/path-params';
import { runItem, runItemSchema } from '#operations/runs/view';

export const listRuns = defineOperation({
  id: 'listRuns',
  method: 'get',
  path: '/api/v1/agents/{id}/runs',
  summary: 'List the runs of an agent, newest first',
  access: 'secret',
  params: idParams('agent'),
  query: pageQuery,
  body: noBody,
  success: 200,
  answer: answersPage(z.array(runItemSchema)),
  handle: async (ctx, { params, query }, call) => {
    const request = { agentId: params.id, page: query };
    const answer = await ctx.clients.runs.listRuns(request, onBehalfOf(call));
    return page(answer.runs.map(runItem), answer.page);
  },
});
