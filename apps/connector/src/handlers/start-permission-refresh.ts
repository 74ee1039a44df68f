import type { StartPermissionRefreshRequest, StartPermissionRefreshResponse } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { findConnector } from '../connectors/find-connector.ts';
import { requireCollection } from '../connectors/require-collection.ts';
import type { Context } from '../context.ts';
import { viewJob } from '../jobs/read-job.ts';
import { PERMISSION_REFRESH, startSync } from '../jobs/start-sync.ts';
import { toJobMessage } from '../jobs/to-message.ts';

/** Starts a job that looks up anew who may read the connector's documents. */
export const startPermissionRefresh =
  (ctx: Context) =>
  async (request: StartPermissionRefreshRequest, call: ServiceCall): Promise<StartPermissionRefreshResponse> => {
    const connector = await findConnector(ctx, call.caller, request.connectorId);
    await requireCollection(ctx, connector, call.signal);
    const job = await startSync(ctx, connector, PERMISSION_REFRESH);
    const applicable = await ctx.sources.use(connector.id, async (source) => source.permissions !== undefined);
    return { job: toJobMessage(await viewJob(ctx, job)), applicable };
  };
