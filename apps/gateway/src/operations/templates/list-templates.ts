import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { pageQuery } from '#http/paging';
import { templateRecord, templateSchema } from '#operations/templates/view';

export const listTemplates = defineOperation({
  id: 'listTemplates',
  method: 'get',
  path: '/api/v1/agent-templates',
  summary: 'List the templates of agents, by name',
  access: 'secret',
  params: none,
  query: pageQuery,
  body: noBody,
  success: 200,
  answer: answersPage(z.array(templateSchema)),
  handle: async (ctx, { query }, call) => {
    const answer = await ctx.clients.templates.listTemplates({ page: query }, onBehalfOf(call));
    return page(answer.templates.map(templateRecord), answer.page);
  },
});
