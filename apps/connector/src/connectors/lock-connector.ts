import { AppError } from '@lectern/service-kit';
import type { Prisma } from '#gen/prisma/client';

/**
 * Locks a connector's row until the transaction ends: its files, its jobs and its deletion change one after the other. Throws `conflict`
 * where it is being deleted.
 */
export async function lockConnector(tx: Prisma.TransactionClient, id: string): Promise<void> {
  const [row] = await tx.$queryRaw<{ status: string }[]>`
    SELECT status::text FROM connectors WHERE id = ${id} FOR NO KEY UPDATE`;
  if (row === undefined || row.status === 'deleting') throw new AppError('conflict', 'The connector is being deleted.');
}
