import { JobKind, JobStatus, type SyncJob, SyncMode } from '@lectern/contracts';
import { z } from 'zod';
import { timestamp } from '#http/answer-schema';
import { enumText, enumTexts } from '#http/enum-text';
import { time } from '#http/time';

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

/** True for a job that will not change any more. */
export function hasEnded(job: SyncJob): boolean {
  return !ACTIVE.includes(job.status);
}

const count = z.int().min(0);
const JOB_EXAMPLE = {
  jobId: 'job_01h455vb4pex5vsknk084sn02q',
  connectorId: 'con_01h455vb4pex5vsknk084sn02q',
  kind: 'sync',
  mode: 'auto',
  status: 'running',
  progress: { total: 56, collected: 40, parsed: 31, indexed: 30, skipped: 0, deleted: 0, failed: 1 },
  errors: [{ path: 'a.pdf', code: 'encrypted', message: 'The file is encrypted.' }],
  startedAt: '2026-11-21T10:00:00.000Z',
  completedAt: null,
};

export const syncJobSchema = z
  .object({
    jobId: z.string(),
    connectorId: z.string(),
    kind: z.enum(enumTexts(JobKind)),
    mode: z.enum(enumTexts(SyncMode)),
    status: z.enum(enumTexts(JobStatus)),
    queuedReason: z.string().optional().meta({ description: 'Why it waits' }),
    progress: z.object({
      total: count,
      collected: count,
      parsed: count,
      indexed: count,
      skipped: count,
      deleted: count,
      failed: count,
    }),
    errors: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
    startedAt: timestamp.nullable(),
    completedAt: timestamp.nullable(),
  })
  .meta({ id: 'SyncJob', description: 'A job that reads a source', examples: [JOB_EXAMPLE] });

/** A refresh of permissions, as it begins. */
export const refreshSchema = z
  .object({
    jobId: z.string(),
    status: z.enum(enumTexts(JobStatus)),
    applicable: z.boolean().meta({ description: 'False where the source tells nobody who may read what' }),
    startedAt: timestamp.nullable(),
  })
  .meta({
    id: 'PermissionRefresh',
    examples: [{ jobId: JOB_EXAMPLE.jobId, status: 'queued', applicable: true, startedAt: null }],
  });
