import { JobStatus, type SyncJob, SyncMode } from '@lectern/contracts';
import type { SyncMode as ModeName, JobStatus as StatusName } from '#gen/prisma/client';
import type { JobView } from './read-job.ts';

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

/** A job as the contract shows it. */
export function toJobMessage({ job, counts, errors }: JobView): SyncJob {
  return {
    id: job.id,
    connectorId: job.connectorId,
    mode: MODE[job.mode],
    status: STATUS[job.status],
    progress: { ...counts },
    errors: errors.map((error) => ({ ...error })),
    startedAt: job.startedAt,
    completedAt: job.completedAt ?? undefined,
  };
}
