import { type Caller, isId, notFound } from '@lectern/service-kit';
import type { SyncJob } from '#gen/prisma/client';
import { findConnector } from '../connectors/find-connector.ts';
import type { Context } from '../context.ts';
import { throttleReason } from '../schedule/throttle.ts';
import { addCounts, countItems, type JobCounts, readCounts } from './job-counts.ts';
import { isActive } from './job-machine.ts';

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
  /** Why nothing moves, in an active job whose source is being left alone. */
  readonly queuedReason: string | undefined;
}

const MAX_ERRORS = 100;

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

async function readReasons(ctx: Context, jobs: readonly SyncJob[]): Promise<ReadonlyMap<string, string | undefined>> {
  const connectorIds = jobs.filter((job) => isActive(job.status)).map((job) => job.connectorId);
  if (connectorIds.length === 0) return new Map();
  const states = await ctx.db.syncState.findMany({ where: { connectorId: { in: connectorIds } } });
  return new Map(states.map((state) => [state.connectorId, throttleReason(state)]));
}

/** Jobs with their counters and errors, as of now, in the given order. */
export async function viewJobs(ctx: Context, jobs: readonly SyncJob[]): Promise<readonly JobView[]> {
  // An ended job has its counters in its row. One that reads permissions keeps its own there, and may have been given items by an upload.
  const counted = jobs.filter((job) => job.counts === null || isActive(job.status)).map((job) => job.id);
  const [counts, reasons] = await Promise.all([countItems(ctx.db, counted), readReasons(ctx, jobs)]);
  return Promise.all(
    jobs.map(async (job) => {
      const own = addCounts(counts.get(job.id) ?? readCounts(undefined), readCounts(job.counts));
      const queuedReason = isActive(job.status) ? reasons.get(job.connectorId) : undefined;
      return { job, counts: own, errors: await readErrors(ctx, job, own), queuedReason };
    }),
  );
}

/** A job with its counters and errors, as of now. */
export async function viewJob(ctx: Context, job: SyncJob): Promise<JobView> {
  const [view] = await viewJobs(ctx, [job]);
  if (view === undefined) throw new Error('One job has one view.');
  return view;
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
