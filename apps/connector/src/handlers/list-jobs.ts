import type { ListJobsRequest, ListJobsResponse } from '@lectern/contracts';
import { pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import { findConnector } from '#connectors/connector';
import type { Context } from '#context';
import { toJobMessage, viewJobs } from '#sync/store/job-view';

export const listJobs =
  (ctx: Context) =>
  async (request: ListJobsRequest, { caller }: ServiceCall): Promise<ListJobsResponse> => {
    const { id: connectorId } = await findConnector(ctx, caller, request.connectorId);
    const page = readPage(request.page);
    const where = { connectorId };
    const [rows, total] = await Promise.all([
      ctx.db.syncJob.findMany({
        where,
        orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
        skip: page.skip,
        take: page.take,
      }),
      ctx.db.syncJob.count({ where }),
    ]);
    return { jobs: (await viewJobs(ctx, rows)).map((view) => toJobMessage(view, caller)), page: pageInfo(page, total) };
  };
