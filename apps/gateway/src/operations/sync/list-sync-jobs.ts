import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation } from '#http/operation';
import { pageQuery } from '#http/paging';
import { idParams } from '#http/path-params';
import { syncJob, syncJobSchema } from '#operations/sync/view';

export const listSyncJobs = defineOperation({
  id: 'listSyncJobs',
  method: 'get',
  path: '/api/v1/connectors/{id}/sync',
  summary: 'List the sync jobs of a connector, newest first',
  access: 'secret',
  params: idParams('connector'),
  query: pageQuery,
  body: noBody,
  success: 200,
  answer: answersPage(z.array(syncJobSchema)),
  handle: async (ctx, { params, query }, call) => {
    const request = { connectorId: params.id, page: query };
    const answer = await ctx.clients.sync.listJobs(request, onBehalfOf(call));
    return page(answer.jobs.map(syncJob), answer.page);
  },
});
