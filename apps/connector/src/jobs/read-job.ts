import { type Caller, isId, notFound } from '@lectern/service-kit';
import type { SyncJob } from '#gen/prisma/client';
import { findConnector } from '../connectors/find-connector.ts';
import type { Context } from '../context.ts';

/** Counts of a job's items. */
export interface JobCounts {
  readonly total: number;
  readonly collected: number;
  readonly parsed: number;
  readonly indexed: number;
  readonly skipped: number;
  readonly deleted: number;
  readonly failed: number;
}

export interface JobError {
  /** Empty where the error is the job's. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** A job with what its item rows say. */
export interface JobView {
  readonly job: SyncJob;
  readonly counts: JobCounts;
  readonly errors: readonly JobError[];
}

const MAX_ERRORS = 100;
const NOTHING: JobCounts = { total: 0, collected: 0, parsed: 0, indexed: 0, skipped: 0, deleted: 0, failed: 0 };

async function countItems(ctx: Context, jobIds: readonly string[]): Promise<ReadonlyMap<string, JobCounts>> {
  const rows = await ctx.db.$queryRaw<(JobCounts & { jobId: string })[]>`
    SELECT job_id AS "jobId", count(*)::int AS total,
      count(*) FILTER (WHERE collected)::int AS collected,
      count(*) FILTER (WHERE parsed)::int AS parsed,
      count(*) FILTER (WHERE stage = 'indexed')::int AS indexed,
      count(*) FILTER (WHERE stage = 'skipped')::int AS skipped,
      count(*) FILTER (WHERE stage = 'deleted')::int AS deleted,
      count(*) FILTER (WHERE stage = 'failed')::int AS failed
    FROM sync_items WHERE job_id = ANY(${[...jobIds]}) GROUP BY job_id`;
  return new Map(rows.map(({ jobId, ...counts }) => [jobId, counts]));
}

async function readErrors(ctx: Context, job: SyncJob, counts: JobCounts): Promise<readonly JobError[]> {
  const { errorCode, errorMessage } = job;
  const own = errorCode === null ? [] : [{ path: '', code: errorCode, message: errorMessage ?? '' }];
  if (counts.failed === 0) return own;
  const items = await ctx.db.syncItem.findMany({
    where: { jobId: job.id, stage: 'failed' },
    orderBy: { id: 'asc' },
    take: MAX_ERRORS - own.length,
  });
  return [
    ...own,
    ...items.map((item) => ({ path: item.path, code: item.errorCode ?? '', message: item.errorMessage ?? '' })),
  ];
}

/** Jobs with their counters and errors, as of now, in the given order. */
export async function viewJobs(ctx: Context, jobs: readonly SyncJob[]): Promise<readonly JobView[]> {
  const counts = await countItems(
    ctx,
    jobs.map((job) => job.id),
  );
  return Promise.all(
    jobs.map(async (job) => {
      const own = counts.get(job.id) ?? NOTHING;
      return { job, counts: own, errors: await readErrors(ctx, job, own) };
    }),
  );
}

/** A job with its counters and errors, as of now. */
export async function viewJob(ctx: Context, job: SyncJob): Promise<JobView> {
  const counts = (await countItems(ctx, [job.id])).get(job.id) ?? NOTHING;
  return { job, counts, errors: await readErrors(ctx, job, counts) };
}

/** A job of a connector. Throws `not_found`, or `forbidden` where the key does not reach it. */
export async function readJob(
  ctx: Context,
  caller: Caller,
  { connectorId, jobId }: { readonly connectorId: string; readonly jobId: string },
): Promise<JobView> {
  await findConnector(ctx, caller, connectorId);
  const job = isId('job', jobId) ? await ctx.db.syncJob.findFirst({ where: { id: jobId, connectorId } }) : null;
  if (job === null) throw notFound('job', jobId);
  return viewJob(ctx, job);
}
