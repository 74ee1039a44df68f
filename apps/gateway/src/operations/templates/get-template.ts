import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { templateRecord, templateSchema } from '#operations/templates/view';

export const getTemplate = defineOperation({
  id: 'getTemplate',
  method: 'get',
  path: '/api/v1/agent-templates/{id}',
  summary: 'Get a template',
  access: 'secret',
  // `tpl_` and a slug: templates are files, not records.
  params: z.object({ id: z.string() }),
  query: none,
  body: noBody,
  success: 200,
  errors: ['not_found'],
  answer: answers(templateSchema),
  handle: async (ctx, { params }, call) =>
    data(templateRecord(await ctx.clients.templates.getTemplate(params, onBehalfOf(call)))),
});
