import { notFound } from '@lectern/service-kit';
import type { Collection, Prisma } from '#gen/prisma/client';

/**
 * Locks a collection's row until the transaction ends and reads it. Throws `not_found` if the
 * collection was deleted in the meantime.
 */
export async function lockCollection(tx: Prisma.TransactionClient, id: string): Promise<Collection> {
  await tx.$queryRaw`SELECT FROM collections WHERE id = ${id} FOR NO KEY UPDATE`;
  const row = await tx.collection.findFirst({ where: { id, deletedAt: null } });
  if (row === null) throw notFound('collection', id);
  return row;
}
