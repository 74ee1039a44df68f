import type { GetJobRequest, SyncJob } from '@lectern/contracts';
import { AppError, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readJob, toJobMessage } from '#sync/store/job-view';
import { endJobEarly } from '#sync/store/jobs';

export const cancelJob =
  (ctx: Context) =>
  async (request: GetJobRequest, { caller }: ServiceCall): Promise<SyncJob> => {
    const { job } = await readJob(ctx, caller, request);
    if (!(await endJobEarly(ctx, job.id, { job: 'cancelled', connector: 'active' }))) {
      const { status } = (await readJob(ctx, caller, request)).job;
      throw new AppError('conflict', `The sync has already ended with status ${status}.`, {
        details: { jobId: job.id, status },
      });
    }
    return toJobMessage(await readJob(ctx, caller, request), caller);
  };
