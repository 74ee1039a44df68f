import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { syncJobParams } from '#operations/sync/params';
import { syncJob, syncJobSchema } from '#operations/sync/view';

export const cancelSync = defineOperation({
  id: 'cancelSync',
  method: 'delete',
  path: '/api/v1/connectors/{id}/sync/{jobId}',
  summary: 'Cancel a sync job',
  access: 'secret',
  params: syncJobParams,
  query: none,
  body: noBody,
  success: 200,
  answer: answers(syncJobSchema),
  handle: async (ctx, { params }, call) => {
    const request = { connectorId: params.id, jobId: params.jobId };
    return data(syncJob(await ctx.clients.sync.cancelJob(request, onBehalfOf(call))));
  },
});
