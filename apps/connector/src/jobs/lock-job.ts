import type { Prisma, SyncJob } from '#gen/prisma/client';

// Every transaction takes what it needs of these in one order, so that no two wait for each other: connector, job, items, files. The
// locks are NO KEY: a row that refers to a locked one may be inserted.

/** Locks a job's row until the transaction ends: nobody adds items to it or ends it meanwhile. */
export async function lockJob(tx: Prisma.TransactionClient, id: string): Promise<SyncJob | null> {
  await tx.$queryRaw`SELECT id FROM sync_jobs WHERE id = ${id} FOR NO KEY UPDATE`;
  return tx.syncJob.findUnique({ where: { id } });
}

/** The same, with its connector's row before it. */
export async function lockJobWithConnector(tx: Prisma.TransactionClient, id: string): Promise<SyncJob | null> {
  await tx.$queryRaw`
    SELECT id FROM connectors WHERE id = (SELECT connector_id FROM sync_jobs WHERE id = ${id}) FOR NO KEY UPDATE`;
  return lockJob(tx, id);
}
