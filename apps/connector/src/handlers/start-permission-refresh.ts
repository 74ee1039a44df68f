import type { StartPermissionRefreshRequest, StartPermissionRefreshResponse } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { findConnector } from '#connectors/connector';
import type { Context } from '#context';
import { requireCollection } from '#sync/scheduler/deleted-collections';
import { PERMISSION_REFRESH, startJob } from '#sync/scheduler/start-jobs';
import { toJobMessage, viewJob } from '#sync/store/job-view';

/** Starts a job that refreshes who can read the connector's documents. */
export const startPermissionRefresh =
  (ctx: Context) =>
  async (request: StartPermissionRefreshRequest, call: ServiceCall): Promise<StartPermissionRefreshResponse> => {
    const connector = await findConnector(ctx, call.caller, request.connectorId);
    await requireCollection(ctx, connector, call.signal);
    const job = await startJob(ctx, connector, PERMISSION_REFRESH);
    const applicable = await ctx.sources.use(connector.id, async (source) => source.permissions !== undefined);
    return { job: toJobMessage(await viewJob(ctx, job), call.caller), applicable };
  };
