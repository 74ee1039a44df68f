import type { SyncJob } from '@lectern/contracts';
import { onBehalfOf } from '@lectern/service-kit';
import { type StreamEvent, stream } from '#http/answer';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { syncJobParams } from '#operations/sync/params';
import { hasEnded, syncJob, syncJobSchema } from '#operations/sync/view';

/** A job may take hours; a client that watches longer asks again. */
const DEADLINE_MS = 12 * 60 * 60 * 1_000;

async function* jobEvents(jobs: AsyncIterable<SyncJob>): AsyncGenerator<StreamEvent> {
  for await (const job of jobs) yield { event: hasEnded(job) ? 'end' : 'progress', data: syncJob(job) };
}

export const watchSync = defineOperation({
  id: 'watchSync',
  method: 'get',
  path: '/api/v1/connectors/{id}/sync/{jobId}/events',
  summary: 'Stream the progress of a sync job',
  access: 'secret',
  params: syncJobParams,
  query: none,
  body: noBody,
  success: 200,
  stream: { events: { progress: syncJobSchema, end: syncJobSchema }, terminal: 'end', resumable: true },
  handle: async (ctx, { params }, call) => {
    const request = { connectorId: params.id, jobId: params.jobId };
    const options = { ...onBehalfOf(call), deadline: DEADLINE_MS };
    return stream(jobEvents(ctx.clients.sync.watchJob(request, options)));
  },
});
