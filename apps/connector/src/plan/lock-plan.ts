import type { Prisma } from '#gen/prisma/client';
import { lockJob } from '../jobs/lock-job.ts';
import { LeaseLost } from '../leases/hold-lease.ts';
import type { HeldPlan } from './claim-plan.ts';

/** Throws `LeaseLost` unless the plan is still this worker's; from here to the end of the transaction it is. */
export async function lockPlan(tx: Prisma.TransactionClient, plan: HeldPlan): Promise<void> {
  const job = await lockJob(tx, plan.jobId);
  if (job === null || job.planLeaseToken !== plan.leaseToken || job.status !== 'running') {
    throw new LeaseLost('The plan is not held any more.');
  }
}
