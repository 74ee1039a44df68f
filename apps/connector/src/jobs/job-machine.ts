import type { JobStatus, Prisma } from '#gen/prisma/client';
import { defineMachine } from '../state/machine.ts';

/** The life of a sync job. */
export const jobMachine = defineMachine<JobStatus>({
  queued: ['running', 'failed', 'cancelled'],
  running: ['completed', 'completed_with_errors', 'failed', 'cancelled'],
  completed: [],
  completed_with_errors: [],
  failed: [],
  cancelled: [],
});

/** The states in which a job is still at work. */
export const ACTIVE_JOB = jobMachine.states.filter((status) => jobMachine.moves[status].length > 0);

/** True where the job has not ended. */
export function isActive(status: JobStatus): boolean {
  return ACTIVE_JOB.includes(status);
}

/** Makes a move if it is legal from the state that the row is in; false where it is not. */
export async function moveJob(
  tx: Prisma.TransactionClient,
  id: string,
  to: JobStatus,
  data: Prisma.SyncJobUpdateManyMutationInput = {},
): Promise<boolean> {
  const { count } = await tx.syncJob.updateMany({
    where: { id, status: { in: jobMachine.before(to) } },
    data: { ...data, status: to, ...(isActive(to) ? {} : { completedAt: new Date() }) },
  });
  return count === 1;
}
