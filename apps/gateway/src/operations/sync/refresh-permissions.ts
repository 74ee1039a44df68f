import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { optionalJsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { refreshSchema, syncJob } from '#operations/sync/view';

export const refreshPermissions = defineOperation({
  id: 'refreshPermissions',
  method: 'post',
  path: '/api/v1/connectors/{id}/refresh-permissions',
  summary: 'Read anew, from the source, who may see the documents of a connector',
  access: 'secret',
  params: idParams('connector'),
  query: none,
  body: optionalJsonBody(z.strictObject({})),
  success: 202,
  answer: answers(refreshSchema),
  handle: async (ctx, { params }, call) => {
    const { job, applicable } = await ctx.clients.sync.startPermissionRefresh(
      { connectorId: params.id },
      onBehalfOf(call),
    );
    if (job === undefined) throw new TypeError('The connector service answered no job.');
    const { jobId, status, startedAt } = syncJob(job);
    return data({ jobId, status, applicable, startedAt });
  },
});
