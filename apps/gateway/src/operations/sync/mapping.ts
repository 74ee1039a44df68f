import { JobKind, JobStatus, type SyncJob, SyncMode } from '@lectern/contracts';
import { enumText, time } from '#operations/convert';

const NO_PROGRESS = { total: 0, collected: 0, parsed: 0, indexed: 0, skipped: 0, deleted: 0, failed: 0 };

/** A sync job. */
export function syncJob(job: SyncJob) {
  const { total, collected, parsed, indexed, skipped, deleted, failed } = job.progress ?? NO_PROGRESS;
  return {
    jobId: job.id,
    connectorId: job.connectorId,
    kind: enumText(JobKind, job.kind),
    mode: enumText(SyncMode, job.mode),
    status: enumText(JobStatus, job.status),
    ...(job.queuedReason === undefined ? {} : { queuedReason: job.queuedReason }),
    progress: { total, collected, parsed, indexed, skipped, deleted, failed },
    errors: job.errors.map(({ path, code, message }) => ({ path, code, message })),
    startedAt: time(job.startedAt),
    completedAt: time(job.completedAt),
  };
}

const ACTIVE: readonly JobStatus[] = [JobStatus.QUEUED, JobStatus.RUNNING];

/** True for a job that will not change again. */
export function hasEnded(job: SyncJob): boolean {
  return !ACTIVE.includes(job.status);
}
