import { JobKind, JobStatus, type SyncJob, SyncMode } from '@lectern/contracts';
import type { Caller } from '@lectern/service-kit';
import type { JobKind as KindName, SyncMode as ModeName, JobStatus as StatusName } from '#gen/prisma/client';
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

const KIND: Readonly<Record<KindName, JobKind>> = { sync: JobKind.SYNC, permissions: JobKind.PERMISSIONS };

/**
 * Converts a job to its contract form. Errors name files without checking who may read them, so an
 * end user sees only their number.
 */
export function toJobMessage({ job, counts, errors, queuedReason }: JobView, caller?: Caller): SyncJob {
  return {
    id: job.id,
    connectorId: job.connectorId,
    mode: MODE[job.mode],
    status: STATUS[job.status],
    progress: { ...counts },
    errors: caller?.userEmail === undefined ? errors.map((error) => ({ ...error })) : [],
    startedAt: job.startedAt,
    completedAt: job.completedAt ?? undefined,
    kind: KIND[job.kind],
    queuedReason,
  };
}
