import type { GetJobRequest, SyncJob } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readJob, toJobMessage } from '#sync/store/job-view';

export const getJob =
  (ctx: Context) =>
  async (request: GetJobRequest, { caller }: ServiceCall): Promise<SyncJob> =>
    toJobMessage(await readJob(ctx, caller, request), caller);
