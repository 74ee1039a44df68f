import type { ConnectorStatus, JobStatus, Prisma, SyncJob } from '#gen/prisma/client';
import { moveConnector } from '../connectors/connector-machine.ts';
import { addCounts, countItems, readCounts } from './job-counts.ts';
import { moveJob } from './job-machine.ts';
import { toJson } from './json-ref.ts';

/** How a job ends and what that means for its connector. */
export interface Ending {
  readonly job: JobStatus & ('completed' | 'completed_with_errors' | 'failed' | 'cancelled');
  readonly error?: { readonly code: string; readonly message: string };
  readonly connector: ConnectorStatus & ('active' | 'error' | 'pending_auth' | 'deleting');
  readonly reason?: string;
}

/**
 * Stores the time of the last successful sync and its cursor. A failed or cancelled sync changes
 * neither.
 */
async function keepState(tx: Prisma.TransactionClient, job: SyncJob, ending: Ending): Promise<void> {
  if (job.kind !== 'sync' || (ending.job !== 'completed' && ending.job !== 'completed_with_errors')) return;
  await tx.connector.updateMany({ where: { id: job.connectorId }, data: { lastSync: new Date() } });
  const isFullScan = job.mode !== 'incremental' && job.changesFrom === null && job.fileFilter.length === 0;
  const cursor = job.nextCursor === null ? {} : { changeCursor: job.nextCursor };
  await tx.syncState.updateMany({
    where: { connectorId: job.connectorId },
    data: { ...cursor, ...(isFullScan ? { fullScanAt: job.startedAt } : {}) },
  });
}

/**
 * Ends an active job, once: false where it has ended already. Items without an end are cancelled; a worker that holds one notices
 * when it next writes. The job keeps their counts. From here on only items whose document is being written change, which add themselves
 * (finish-item.ts). Everything in the caller's transaction, which
 * has locked the job with its connector.
 */
export async function closeJob(tx: Prisma.TransactionClient, job: SyncJob, ending: Ending): Promise<boolean> {
  const error = ending.error === undefined ? {} : { errorCode: ending.error.code, errorMessage: ending.error.message };
  if (!(await moveJob(tx, job.id, ending.job, { ...error, planLeaseToken: null, planLeaseUntil: null }))) return false;
  await tx.$executeRaw`
    UPDATE sync_items SET stage = 'cancelled', updated_at = now()
    WHERE job_id = ${job.id} AND stage IN ('planned', 'collected', 'parsed')`;
  const items = (await countItems(tx, [job.id])).get(job.id) ?? readCounts(undefined);
  const counts = addCounts(items, readCounts(job.counts));
  await tx.syncJob.update({ where: { id: job.id }, data: { counts: toJson(counts) } });
  await keepState(tx, job, ending);
  const { connectorId } = job;
  await tx.file.updateMany({ where: { connectorId, status: 'processing' }, data: { status: 'pending' } });
  if (ending.connector !== 'deleting') {
    await moveConnector(tx, connectorId, ending.connector, { statusReason: ending.reason ?? null });
  }
  return true;
}
