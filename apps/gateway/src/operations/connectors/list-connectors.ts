import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { pageQuery } from '#http/paging';
import { connectorRecord, connectorRecordSchema } from '#operations/connectors/view';

export const listConnectors = defineOperation({
  id: 'listConnectors',
  method: 'get',
  path: '/api/v1/connectors',
  summary: 'List connectors, newest first',
  access: 'secret',
  params: none,
  query: pageQuery,
  body: noBody,
  success: 200,
  answer: answersPage(z.array(connectorRecordSchema)),
  handle: async (ctx, { query }, call) => {
    const answer = await ctx.clients.connectors.listConnectors({ page: query }, onBehalfOf(call));
    return page(answer.connectors.map(connectorRecord), answer.page);
  },
});
