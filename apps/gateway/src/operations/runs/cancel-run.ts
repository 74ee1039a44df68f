import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { runParams } from '#operations/runs/params';
import { runRecord, runRecordSchema } from '#operations/runs/view';

export const cancelRun = defineOperation({
  id: 'cancelRun',
  method: 'post',
  path: '/api/v1/agents/{id}/runs/{runId}/cancel',
  summary: 'Cancel a run',
  access: 'secret',
  params: runParams,
  query: none,
  body: noBody,
  success: 200,
  errors: ['conflict'],
  answer: answers(runRecordSchema),
  handle: async (ctx, { params }, call) => {
    const request = { agentId: params.id, id: params.runId };
    return data(runRecord(await ctx.clients.runs.cancelRun(request, onBehalfOf(call))));
  },
});
