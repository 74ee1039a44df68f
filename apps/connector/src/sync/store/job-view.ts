import { isId, JobKind, JobStatus, type SyncJob as SyncJobMessage, SyncMode } from '@lectern/contracts';
import { type Caller, isLimitedToOwn, notFound } from '@lectern/service-kit';
import { findConnector } from '#connectors/connector';
import type { Context } from '#context';
import type { JobKind as KindName, SyncMode as ModeName, JobStatus as StatusName, SyncJob } from '#gen/prisma/client';
import { addCounts, countItems, type JobCounts, readCounts } from '#sync/store/job-counts';
import { isActive } from '#sync/store/jobs';
import { throttleReason } from '#sync/store/sync-state';

// Jobs as the API shows them.

interface JobError {
  /** Empty if the error concerns the whole job. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** A job with its counts and errors. */
export interface JobView {
  readonly job: SyncJob;
  readonly counts: JobCounts;
  readonly errors: readonly JobError[];
  /** Why an active job is waiting, if its source is throttled. */
  readonly queuedReason: string | undefined;
}

const MAX_ERRORS = 100;

async function readErrors(ctx: Context, job: SyncJob, counts: JobCounts): Promise<readonly JobError[]> {
  const { errorCode, errorMessage } = job;
  const jobErrors = errorCode === null ? [] : [{ path: '', code: errorCode, message: errorMessage ?? '' }];
  if (counts.failed === 0) return jobErrors;
  const items = await ctx.db.syncItem.findMany({
    where: { jobId: job.id, stage: 'failed' },
    orderBy: { id: 'asc' },
    take: MAX_ERRORS - jobErrors.length,
  });
  return [
    ...jobErrors,
    ...items.map((item) => ({ path: item.path, code: item.errorCode ?? '', message: item.errorMessage ?? '' })),
  ];
}

async function readReasons(ctx: Context, jobs: readonly SyncJob[]): Promise<ReadonlyMap<string, string | undefined>> {
  const connectorIds = jobs.filter((job) => isActive(job.status)).map((job) => job.connectorId);
  if (connectorIds.length === 0) return new Map();
  const states = await ctx.db.syncState.findMany({ where: { connectorId: { in: connectorIds } } });
  return new Map(states.map((state) => [state.connectorId, throttleReason(state)]));
}

/** Reads the counts and errors of jobs. Keeps the order. */
export async function viewJobs(ctx: Context, jobs: readonly SyncJob[]): Promise<readonly JobView[]> {
  // An ended job has its counts in its row. An active permission job also stores its counts there,
  // and an upload can add items to it.
  const counted = jobs.filter((job) => job.counts === null || isActive(job.status)).map((job) => job.id);
  const [counts, reasons] = await Promise.all([countItems(ctx.db, counted), readReasons(ctx, jobs)]);
  return Promise.all(
    jobs.map(async (job) => {
      const all = addCounts(counts.get(job.id) ?? readCounts(undefined), readCounts(job.counts));
      const queuedReason = isActive(job.status) ? reasons.get(job.connectorId) : undefined;
      return { job, counts: all, errors: await readErrors(ctx, job, all), queuedReason };
    }),
  );
}

export async function viewJob(ctx: Context, job: SyncJob): Promise<JobView> {
  const [view] = await viewJobs(ctx, [job]);
  if (view === undefined) throw new Error('viewJobs returned no view for a job.');
  return view;
}

/**
 * Reads a job of a connector. Throws `not_found`, or `forbidden` if the connector is outside the
 * key's scope.
 */
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

const STATUS: Readonly<Record<StatusName, JobStatus>> = {
  queued: JobStatus.QUEUED,
  running: JobStatus.RUNNING,
  completed: JobStatus.COMPLETED,
  completed_with_errors: JobStatus.COMPLETED_WITH_ERRORS,
  failed: JobStatus.FAILED,
  cancelled: JobStatus.CANCELLED,
};

const MODE: Readonly<Record<ModeName, SyncMode>> = {
  auto: SyncMode.AUTO,
  full: SyncMode.FULL,
  incremental: SyncMode.INCREMENTAL,
};

const KIND: Readonly<Record<KindName, JobKind>> = { sync: JobKind.SYNC, permissions: JobKind.PERMISSIONS };

/**
 * Converts a job to its contract form. Errors name files without checking who can read them, so only
 * callers who may manage files see them. Others see their number.
 */
export function toJobMessage({ job, counts, errors, queuedReason }: JobView, caller: Caller): SyncJobMessage {
  return {
    id: job.id,
    connectorId: job.connectorId,
    mode: MODE[job.mode],
    status: STATUS[job.status],
    progress: { ...counts },
    errors: isLimitedToOwn(caller) ? [] : errors.map((error) => ({ ...error })),
    startedAt: job.startedAt,
    completedAt: job.completedAt ?? undefined,
    kind: KIND[job.kind],
    queuedReason,
  };
}
