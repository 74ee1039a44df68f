import { sync } from '@lectern/api-spec';
import { type SyncJob, SyncMode } from '@lectern/contracts';
import { AppError, idOf, onBehalfOf } from '@lectern/service-kit';
import { data, page, type StreamEvent, stream } from '#http/api-response';
import { hasEnded, syncJob } from '#operations/sync/mapping';
import { route } from '#pipeline/operation';

const MODES = { auto: SyncMode.AUTO, full: SyncMode.FULL, incremental: SyncMode.INCREMENTAL } as const;

/** `force_full_sync` is deprecated since 1 November 2026, in the format of RFC 9745. */
const DEPRECATION = { Deprecation: '@1793491200' };

/** A job can take hours. A client that watches longer sends the request again. */
const WATCH_DEADLINE_MS = 12 * 60 * 60 * 1_000;

async function* jobEvents(jobs: AsyncIterable<SyncJob>): AsyncGenerator<StreamEvent> {
  for await (const job of jobs) yield { event: hasEnded(job) ? 'end' : 'progress', data: syncJob(job) };
}

export const syncRoutes = [
  route(sync.listSyncJobs, async (ctx, { params, query }, call) => {
    const response = await ctx.clients.sync.listJobs({ connectorId: params.id, page: query }, onBehalfOf(call));
    return page(response.jobs.map(syncJob), response.page);
  }),

  route(sync.startSync, async (ctx, { params, body }, call) => {
    const request = {
      connectorId: params.id,
      mode: body.force_full_sync === true ? SyncMode.FULL : MODES[body.sync_mode],
      fileFilter: body.file_filter,
      confirmDeletions: body.confirm_deletions,
      id: idOf('job', call.seed),
    };
    const job = await ctx.clients.sync.startSync(request, onBehalfOf(call));
    return data(syncJob(job), body.force_full_sync === undefined ? {} : DEPRECATION);
  }),

  route(sync.getSyncJob, async (ctx, { params: { id, jobId } }, call) =>
    data(syncJob(await ctx.clients.sync.getJob({ connectorId: id, jobId }, onBehalfOf(call)))),
  ),

  route(sync.cancelSync, async (ctx, { params: { id, jobId } }, call) =>
    data(syncJob(await ctx.clients.sync.cancelJob({ connectorId: id, jobId }, onBehalfOf(call)))),
  ),

  route(sync.watchSync, async (ctx, { params: { id, jobId } }, call) => {
    const options = { ...onBehalfOf(call), deadline: WATCH_DEADLINE_MS };
    return stream(jobEvents(ctx.clients.sync.watchJob({ connectorId: id, jobId }, options)));
  }),

  route(sync.refreshPermissions, async (ctx, { params }, call) => {
    const request = { connectorId: params.id };
    const { job, applicable } = await ctx.clients.sync.startPermissionRefresh(request, onBehalfOf(call));
    if (job === undefined) throw new AppError('internal_error', 'The connector service returned no job.');
    const { jobId, status, startedAt } = syncJob(job);
    return data({ jobId, status, applicable, startedAt });
  }),
];
