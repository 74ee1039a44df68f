import type { ConnectorStatus, JobStatus, Prisma } from '#gen/prisma/client';
import { moveConnector } from '../connectors/connector-machine.ts';
import { moveJob } from './job-machine.ts';

/** How a job ends and what that means for its connector. */
export interface Ending {
  readonly job: JobStatus & ('completed' | 'completed_with_errors' | 'failed' | 'cancelled');
  readonly error?: { readonly code: string; readonly message: string };
  readonly connector: ConnectorStatus & ('active' | 'error' | 'deleting');
  readonly reason?: string;
}

/**
 * Ends an active job, once: false where it has ended already. Items without an end are cancelled; a worker that holds one notices
 * when it next writes. Everything in the caller's transaction, which has locked the job with its connector.
 */
export async function closeJob(
  tx: Prisma.TransactionClient,
  job: { readonly id: string; readonly connectorId: string },
  ending: Ending,
): Promise<boolean> {
  const error = ending.error === undefined ? {} : { errorCode: ending.error.code, errorMessage: ending.error.message };
  if (!(await moveJob(tx, job.id, ending.job, { ...error, planLeaseToken: null, planLeaseUntil: null }))) return false;
  await tx.$executeRaw`
    UPDATE sync_items SET stage = 'cancelled', updated_at = now()
    WHERE job_id = ${job.id} AND stage IN ('planned', 'collected', 'parsed')`;
  const { connectorId } = job;
  await tx.file.updateMany({ where: { connectorId, status: 'processing' }, data: { status: 'pending' } });
  await tx.connector.updateMany({ where: { id: connectorId }, data: { lastSync: new Date() } });
  if (ending.connector !== 'deleting') {
    await moveConnector(tx, connectorId, ending.connector, { statusReason: ending.reason ?? null });
  }
  return true;
}
